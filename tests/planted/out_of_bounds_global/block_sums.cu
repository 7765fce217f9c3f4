// kind: out of bounds
// at: @sum
// The blocks' sums get an array of n / threads elements, and the last block is not a whole one.
__global__ void add_blocks(const int *x, int n, int *sums)
{
    __shared__ int total;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&total, x[i]);
    __syncthreads();
    if (threadIdx.x == 0)
        sums[blockIdx.x] = total; // @sum
}

int main(int argc, char **)
{
    const int n = 1000, threads = 256, blocks = (n + threads - 1) / threads;
    const bool bad = argc > 1;
    int *x, *sums;
    cudaMalloc(&x, n * sizeof *x);
    cudaMalloc(&sums, (bad ? n / threads : blocks) * sizeof *sums);
    cudaMemset(x, 0, n * sizeof *x);
    add_blocks<<<blocks, threads>>>(x, n, sums);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(sums);
    return 0;
}
