// expect: Uninitialized __shared__ read of size 4 bytes
// expect: __shared__ memory begins with what the last block left: write before you read
// twin: -DRIGHT
// Threads beyond the end leave their element of a __shared__ array unset.
#include <cstdio>
__global__ void sum(const int *a, int *o, int n)
{
    __shared__ int s[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef RIGHT
    s[threadIdx.x] = i < n ? a[i] : 0;
#else
    if (i < n)
        s[threadIdx.x] = a[i];
#endif
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (threadIdx.x < d)
            s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        o[blockIdx.x] = s[0];
}
int main()
{
    const int n = 1000;
    int *a, *o;
    cudaMalloc(&a, n * 4);
    cudaMalloc(&o, 16);
    cudaMemset(a, 0, n * 4);
    sum<<<4, 256>>>(a, o, n);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(o);
}
