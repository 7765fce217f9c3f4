// expect: Error: Race reported between Write access at histogram(unsigned char const*, int*, bool)
// expect: of 4 bytes of __shared__ memory
// errors: 2
// A block's histogram in __shared__ memory: what many threads add up needs atomics there, too.
__global__ void histogram(const unsigned char *data, int *bins, bool atomic)
{
    __shared__ int own[16];
    if (threadIdx.x < 16)
        own[threadIdx.x] = 0;
    __syncthreads();
    int bin = data[threadIdx.x] % 16;
    if (atomic)
        atomicAdd(&own[bin], 1);
    else
        own[bin]++;
    __syncthreads();
    if (threadIdx.x < 16)
        atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

int main(int argc, char **)
{
    unsigned char *data;
    int *bins;
    cudaMalloc(&data, 128);
    cudaMalloc(&bins, 16 * sizeof *bins);
    cudaMemset(data, 3, 128);
    cudaMemset(bins, 0, 16 * sizeof *bins);
    histogram<<<1, 128>>>(data, bins, argc == 1);
    cudaDeviceSynchronize();
    cudaFree(bins);
    cudaFree(data);
    return 0;
}
