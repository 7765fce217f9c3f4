// expect: on CUDA API call to cudaMemcpy
// expect: at main in @bug
// expect: src is the address of a __device__ or __constant__ variable
// expect: cudaMemcpyToSymbol and cudaMemcpyFromSymbol copy a variable
// twin: -DRIGHT
// cudaMemcpy with the address of a __device__ variable.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__device__ int counter;
__global__ void inc()
{
    atomicAdd(&counter, 1);
}
int main()
{
    int h = 0;
    inc<<<1, 32>>>();
#ifdef RIGHT
    cudaMemcpyFromSymbol(&h, counter, sizeof h);
#else
    cudaMemcpy(&h, &counter, sizeof h, cudaMemcpyDeviceToHost); // @bug
#endif
    printf("%d (expected 32)\n", h);
}
