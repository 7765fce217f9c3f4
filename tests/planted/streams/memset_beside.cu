// kind: race or buffer of a copy
// The bins are cleared in one stream and counted in another.
__global__ void count(const unsigned char *x, int *bins)
{
    atomicAdd(&bins[x[threadIdx.x] % 16], 1); // @counted
}

int main(int argc, char **)
{
    unsigned char *x;
    int *bins;
    cudaStream_t clear, work;
    cudaMalloc(&x, 128);
    cudaMalloc(&bins, 16 * sizeof *bins);
    cudaMemset(x, 3, 128);
    cudaMemset(bins, 1, 16 * sizeof *bins);
    cudaDeviceSynchronize();
    cudaStreamCreate(&clear);
    cudaStreamCreate(&work);
    cudaMemsetAsync(bins, 0, 16 * sizeof *bins, clear);
    if (argc == 1)
        cudaStreamSynchronize(clear);
    count<<<1, 128, 0, work>>>(x, bins);
    cudaDeviceSynchronize();
    cudaStreamDestroy(clear);
    cudaStreamDestroy(work);
    cudaFree(x);
    cudaFree(bins);
    return 0;
}
