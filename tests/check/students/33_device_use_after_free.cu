// expect: Invalid __global__ read
// expect: inside a freed allocation
// expect: freed by cudaFree at @bug
// expect: free after the last use
// twin: -DRIGHT
// A kernel reads memory that has been freed.
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
    float *a, *b;
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc(&b, n * sizeof(float));
    cudaMemset(a, 0, n * sizeof(float));
#ifndef RIGHT
    cudaFree(a); // @bug
#endif
    add<<<4, 256>>>(a, a, b, n);
    cudaDeviceSynchronize();
#ifdef RIGHT
    cudaFree(a);
#endif
    cudaFree(b);
}
