// expect: Error: Race reported between
// expect: of 4 bytes of __global__ memory
// expect: if __threadfence() stands between the write and it
// twin: -DRIGHT
// The last block reads what others have written without a fence.
#include <cstdio>
__device__ unsigned done;
__global__ void sum(const int *a, int *part, int *total)
{
    __shared__ bool last;
    __shared__ int s[64];
    s[threadIdx.x] = a[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        int t = 0;
        for (int i = 0; i < 64; i++)
            t += s[i];
        part[blockIdx.x] = t;
#ifdef RIGHT
        __threadfence();
#else
#endif
        last = atomicAdd(&done, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int t = 0;
        for (int i = 0; i < gridDim.x; i++)
            t += part[i];
        *total = t;
    }
}
int main()
{
    int *a, *p, *t, h;
    cudaMalloc(&a, 1024 * 4);
    cudaMemset(a, 1, 4096);
    cudaMalloc(&p, 64);
    cudaMalloc(&t, 4);
    sum<<<16, 64>>>(a, p, t);
    cudaMemcpy(&h, t, 4, cudaMemcpyDeviceToHost);
    printf("%d\n", h);
    cudaFree(a);
    cudaFree(p);
    cudaFree(t);
}
