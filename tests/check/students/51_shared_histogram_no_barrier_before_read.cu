// expect: Error: Race reported between
// expect: of 4 bytes of __shared__ memory
// expect: __syncthreads() between these lines
// twin: -DRIGHT
// Threads read a histogram to which others still add.
#include <cstdio>
__global__ void histo(const unsigned char *a, unsigned *g, int n)
{
    __shared__ unsigned s[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&s[a[i]], 1u);
#ifdef RIGHT
    __syncthreads();
#else
#endif
    atomicAdd(&g[threadIdx.x], s[threadIdx.x]);
}
int main()
{
    const int n = 4096;
    unsigned char t[n];
    for (int i = 0; i < n; i++)
        t[i] = i * 7;
    unsigned char *a;
    unsigned *h, r[256], sum = 0;
    cudaMalloc(&a, n);
    cudaMalloc(&h, sizeof r);
    cudaMemset(h, 0, sizeof r);
    cudaMemcpy(a, t, n, cudaMemcpyHostToDevice);
    histo<<<16, 256>>>(a, h, n);
    cudaMemcpy(r, h, sizeof r, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 256; i++)
        sum += r[i];
    printf("sum=%u (expected %d)\n", sum, n);
    cudaFree(a);
    cudaFree(h);
}
