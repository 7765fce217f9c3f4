// expect: Error: Race reported between
// expect: in block (0,0,0)
// expect: in block (1,0,0)
// expect: Blocks run in any order, and at once: use atomics, or end the kernel in between
// twin: -DRIGHT
// A barrier of the block where the whole grid had to wait.
#include <cstdio>
__global__ void scan(int *a, int *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = i;
    __syncthreads();
#ifdef RIGHT
    if (i < n)
        b[i] = a[i];
#else
    if (i < n)
        b[i] = a[(i + 128) % n];
#endif
}
int main()
{
    const int n = 1024;
    int *a, *b;
    cudaMalloc(&a, n * 4);
    cudaMalloc(&b, n * 4);
    cudaMemset(a, 0, n * 4);
    scan<<<8, 128>>>(a, b, n);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
}
