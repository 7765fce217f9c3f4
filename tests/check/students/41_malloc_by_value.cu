// expect: on CUDA API call to cudaMemset
// expect: devPtr is NULL
// expect: cudaMalloc needs the address of your pointer
// expect: Access at 0x0 is out of bounds
// expect: The pointer is NULL, or close to it
// errors: 2
// twin: -DRIGHT
// A function sets its own copy of a pointer.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

#ifdef RIGHT
void alloc(float *&p, int n)
{
    cudaMalloc(&p, n * sizeof(float));
}
#else
void alloc(float *p, int n)
{
    cudaMalloc(&p, n * sizeof(float));
}
#endif
int main()
{
    const int n = 1000;
    float *d = nullptr;
    alloc(d, n);
    cudaMemset(d, 0, n * sizeof(float));
    add<<<4, 256>>>(d, d, d, n);
    cudaError_t e = cudaDeviceSynchronize();
#ifdef RIGHT
    printf("%s\n", cudaGetErrorString(e));
    cudaFree(d);
#else
    printf("%s\n", cudaGetErrorString(e));
#endif
}
