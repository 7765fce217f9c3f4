// expect: Invalid __global__ read
// expect: The address is none of the GPU's: a host pointer has to be copied to memory of cudaMalloc
// twin: -DRIGHT
// A structure with a host pointer in it is given to a kernel.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

struct vec {
    float *p;
    int n;
};
__global__ void twice(vec v)
{
    int i = threadIdx.x;
    if (i < v.n)
        v.p[i] *= 2;
}
int main()
{
#ifdef RIGHT
    float *h;
    cudaMallocManaged(&h, 64 * sizeof *h);
#else
    float h[64] = {1, 2, 3};
#endif
    vec v = {h, 64};
    vec *d;
    cudaMalloc(&d, sizeof v);
    cudaMemcpy(d, &v, sizeof v, cudaMemcpyHostToDevice);
    twice<<<1, 64>>>(v);
    cudaError_t e = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorString(e));
#ifdef RIGHT
    cudaFree(d);
    cudaFree(h);
#else
    cudaFree(d);
#endif
}
