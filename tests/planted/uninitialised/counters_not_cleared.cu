// kind: uninitialised
// at: @count
// Counters are added to that nobody has set to zero.
__global__ void count(const unsigned char *x, int n, unsigned *bins)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[x[i] / 16], 1u); // @count
}

int main(int argc, char **)
{
    unsigned char *x;
    unsigned *bins;
    cudaMalloc(&x, 500);
    cudaMalloc(&bins, 16 * sizeof *bins);
    cudaMemset(x, 100, 500);
    if (argc == 1)
        cudaMemset(bins, 0, 16 * sizeof *bins);
    count<<<2, 64>>>(x, 500, bins);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(bins);
    return 0;
}
