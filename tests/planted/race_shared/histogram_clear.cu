// kind: race
// at: @cleared or @counted
// A block's histogram is cleared by some threads and counted by all: without the barrier a count may be
// cleared away.
__global__ void histogram(const unsigned char *text, int n, int *bins, bool bad)
{
    __shared__ int mine[64];
    if (threadIdx.x < 64)
        mine[threadIdx.x] = 0; // @cleared
    if (!bad)
        __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicAdd(&mine[text[i] % 64], 1); // @counted
    __syncthreads();
    if (threadIdx.x < 64)
        bins[threadIdx.x] = mine[threadIdx.x];
}

int main(int argc, char **)
{
    unsigned char *text;
    int *bins;
    cudaMallocManaged(&text, 1024);
    cudaMallocManaged(&bins, 64 * sizeof *bins);
    for (int i = 0; i < 1024; i++)
        text[i] = i * 37 % 251;
    histogram<<<1, 256>>>(text, 1024, bins, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(text);
    cudaFree(bins);
    return 0;
}
