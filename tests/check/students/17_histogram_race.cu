// expect: Error: Race reported between
// expect: in @bug
// expect: of 4 bytes of __global__ memory
// expect: Blocks run in any order, and at once: use atomics
// errors: 2
// twin: -DRIGHT
// Threads count in one cell without atomics.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void histo(const unsigned char *a, unsigned *h, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef RIGHT
    if (i < n)
        atomicAdd(&h[a[i]], 1u);
#else
    if (i < n)
        h[a[i]]++; // @bug
#endif
}
int main()
{
    const int n = 4096;
    unsigned char t[n];
    for (int i = 0; i < n; i++)
        t[i] = i * 7;
    unsigned char *a;
    unsigned *h, r[256];
    cudaMalloc(&a, n);
    cudaMalloc(&h, sizeof r);
    cudaMemset(h, 0, sizeof r);
    cudaMemcpy(a, t, n, cudaMemcpyHostToDevice);
    histo<<<16, 256>>>(a, h, n);
    cudaMemcpy(r, h, sizeof r, cudaMemcpyDeviceToHost);
    printf("h[0]=%u\n", r[0]);
    cudaFree(a);
    cudaFree(h);
}
