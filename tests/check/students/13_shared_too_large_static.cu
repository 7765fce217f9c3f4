// refuses: kernel "k" uses too much shared memory (49152 bytes max): take extern __shared__
// twin: -DRIGHT
// 64 KiB of static __shared__ memory.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void k(float *o)
{
#ifdef RIGHT
    __shared__ float s[128][64];
#else
    __shared__ float s[128][128];
#endif
    s[threadIdx.x][0] = threadIdx.x;
    __syncthreads();
    o[threadIdx.x] = s[127 - threadIdx.x][0];
}
int main()
{
    float *d, h[128];
    cudaMalloc(&d, sizeof h);
    k<<<1, 128>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%f\n", h[0]);
    cudaFree(d);
}
