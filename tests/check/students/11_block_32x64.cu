// expect: on CUDA API call to cudaLaunchKernel
// expect: a block of (64,64,1) has 4096 threads, and this device takes at most 1024
// expect: Take smaller blocks, such as dim3(16, 16)
// twin: -DRIGHT
// A block of 4096 threads.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void fill(int *a, int w)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    a[y * w + x] = 1;
}
int main()
{
    int *d;
    const int w = 128;
    cudaMalloc(&d, w * w * sizeof(int));
    cudaMemset(d, 0, w * w * sizeof(int));
#ifdef RIGHT
    dim3 block(16, 16), grid(8, 8);
#else
    dim3 block(64, 64), grid(2, 2);
#endif
    fill<<<grid, block>>>(d, w);
    int h;
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("h=%d\n", h);
    cudaFree(d);
}
