// expect: Invalid __global__ read of size 4 bytes
// expect: at diff(float const*, float*, int)
// expect: in @bug
// expect: and is 1 bytes after the nearest allocation
// expect: does every thread that has nothing to do return, `if (i < n)`?
// twin: -DRIGHT
// The last thread reads the element after the last.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void diff(const float *a, float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef RIGHT
    if (i < n - 1)
        b[i] = a[i + 1] - a[i];
#else
    if (i < n)
        b[i] = a[i + 1] - a[i]; // @bug
#endif
}
int main()
{
    const int n = 1024;
    float *a, *b;
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc(&b, n * sizeof(float));
    cudaMemset(a, 0, n * sizeof(float));
    diff<<<4, 256>>>(a, b, n);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
}
