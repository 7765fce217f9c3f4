// expect: Invalid __global__ read of size 16 bytes
// expect: at k(float*, float4*)
// expect: is misaligned
// expect: at multiples of their size only: a cast of a pointer does not move it
// twin: -DRIGHT
// A float4 at an address that is no multiple of 16.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#ifdef RIGHT
__global__ void k(float *a, float4 *o)
{
    o[threadIdx.x] = *(float4 *)(a + 4 * threadIdx.x);
}
#else
__global__ void k(float *a, float4 *o)
{
    o[threadIdx.x] = *(float4 *)(a + threadIdx.x);
}
#endif
int main()
{
    float *a;
    float4 *o;
    cudaMalloc(&a, 256 * sizeof(float));
    cudaMalloc(&o, 32 * sizeof(float4));
    cudaMemset(a, 0, 256 * sizeof(float));
    k<<<1, 32>>>(a, o);
    cudaError_t e = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorString(e));
    cudaFree(a);
    cudaFree(o);
}
