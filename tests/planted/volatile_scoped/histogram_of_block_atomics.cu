// kind: race
// at: @counted
// atomicAdd_block() is atomic among the threads of a block, and all blocks count in these bins.
template <int BINS> __global__ void histogram(const unsigned char *text, int n, int *bins, bool bad)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        if (bad)
            atomicAdd_block(&bins[text[i] % BINS], 1); // @counted
        else
            atomicAdd(&bins[text[i] % BINS], 1);
    }
}

int main(int argc, char **)
{
    unsigned char *text;
    int *bins;
    cudaMallocManaged(&text, 500);
    cudaMallocManaged(&bins, 10 * sizeof *bins);
    for (int i = 0; i < 500; i++)
        text[i] = i * 3;
    for (int i = 0; i < 10; i++)
        bins[i] = 0;
    histogram<10><<<3, 64>>>(text, 500, bins, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(text);
    cudaFree(bins);
    return 0;
}
