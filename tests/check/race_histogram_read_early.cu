// expect: Error: Race reported between
// expect: __shared__ memory
// expect: __syncthreads() between these lines
// Threads read a histogram in __shared__ memory that others still add to. The correct twin waits. A read that
// only guards an atomic is right, and also where no thread of a block makes the atomic.
__global__ void count(const unsigned char *a, unsigned *all, unsigned *most, int n, bool bad)
{
    __shared__ unsigned here[256], best;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    here[threadIdx.x] = 0;
    if (threadIdx.x == 0)
        best = blockIdx.x == 0 ? 1000 : 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&here[a[i]], 1u);
    if (!bad)
        __syncthreads();
    atomicAdd(&all[threadIdx.x], here[threadIdx.x]);
    if (threadIdx.x > best)
        atomicMax(&best, threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicMax(most, best);
}

int main(int argc, char **)
{
    const int n = 1024;
    unsigned char t[n], *a;
    unsigned *all;
    for (int i = 0; i < n; i++)
        t[i] = i * 7;
    cudaMalloc(&a, n);
    cudaMalloc(&all, 257 * sizeof *all);
    cudaMemset(all, 0, 257 * sizeof *all);
    cudaMemcpy(a, t, n, cudaMemcpyHostToDevice);
    count<<<4, 256>>>(a, all, all + 256, n, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(all);
    return 0;
}
