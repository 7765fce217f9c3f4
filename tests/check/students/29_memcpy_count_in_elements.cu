// expect: Uninitialized __global__ read of size 4 bytes
// expect: cudaMemcpy at @bug wrote 1000 of its 4000 bytes
// expect: Sizes are in bytes: n * sizeof of an element
// errors: 2
// twin: -DRIGHT
// A copy of n bytes where n elements were meant.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

int main()
{
    const int n = 1000;
    float a[n], *d;
    for (int i = 0; i < n; i++)
        a[i] = i;
    cudaMalloc(&d, n * sizeof(float));
#ifdef RIGHT
    cudaMemcpy(d, a, n * sizeof *a, cudaMemcpyHostToDevice);
#else
    cudaMemcpy(d, a, n, cudaMemcpyHostToDevice); // @bug
#endif
    add<<<4, 256>>>(d, d, d, n);
#ifdef RIGHT
    cudaMemcpy(a, d, n * sizeof *a, cudaMemcpyDeviceToHost);
#else
    cudaMemcpy(a, d, n, cudaMemcpyDeviceToHost);
#endif
    printf("a[999]=%f\n", a[999]);
    cudaFree(d);
}
