// expect: Invalid __shared__ read of size 4 bytes
// expect: in @bug
// expect: and is 4 bytes before the nearest __shared__ variable
// expect: is its size the block's?
// errors: 2
// twin: -DRIGHT
// Neighbours beyond the ends of a __shared__ array.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void blur(const float *a, float *b, int n)
{
    __shared__ float s[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    s[t] = i < n ? a[i] : 0;
    __syncthreads();
#ifdef RIGHT
    if (i < n)
        b[i] = (s[t ? t - 1 : t] + s[t] + s[t < 255 ? t + 1 : t]) / 3;
#else
    if (i < n)
        b[i] = (s[t - 1] + s[t] + s[t + 1]) / 3; // @bug
#endif
}
int main()
{
    const int n = 1024;
    float *a, *b;
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc(&b, n * sizeof(float));
    cudaMemset(a, 0, n * sizeof(float));
    blur<<<4, 256>>>(a, b, n);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
}
