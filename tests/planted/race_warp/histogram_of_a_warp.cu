// kind: race
// at: @counted
// Each warp has a histogram of its own, and its lanes may still meet in one bin.
__global__ void histogram(const char *text, int n, int *bins, bool bad)
{
    __shared__ int mine[2][32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    mine[warp][lane] = 0;
    __syncwarp();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        const int bin = text[i] % 32;
        if (bad)
            mine[warp][bin]++; // @counted
        else
            atomicAdd(&mine[warp][bin], 1);
    }
    __syncthreads();
    if (warp == 0)
        bins[lane] = mine[0][lane] + mine[1][lane];
}

int main(int argc, char **)
{
    char *text;
    int *bins;
    cudaMallocManaged(&text, 256);
    cudaMallocManaged(&bins, 32 * sizeof *bins);
    for (int i = 0; i < 256; i++)
        text[i] = 'a' + i % 11;
    histogram<<<1, 64>>>(text, 256, bins, argc > 1);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || bins['a' % 32] == 24;
    cudaFree(text);
    cudaFree(bins);
    return !right;
}
