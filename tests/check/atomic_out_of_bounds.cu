// expect: Invalid __global__ atomic of size 4 bytes
// expect: in @bad
// expect: by thread (7,0,0) in block (0,0,0)
// expect: and is 1 bytes after the nearest allocation at 0x7a0000000000 of size 64 bytes
// expect: allocated by cudaMallocAsync at @made
// A histogram with a bin too few; stream-ordered memory.
__global__ void histogram(const int *values, int *bins)
{
    atomicAdd(&bins[values[threadIdx.x]], 1); // @bad
}

int main(int argc, char **)
{
    int *values, *bins, host[32] = {0};
    host[7] = argc > 1 ? 16 : 15;
    cudaMallocAsync(&bins, 16 * sizeof *bins, 0); // @made
    cudaMalloc(&values, sizeof host);
    cudaMemsetAsync(bins, 0, 16 * sizeof *bins, 0);
    cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
    histogram<<<1, 32>>>(values, bins);
    cudaFreeAsync(bins, 0);
    cudaDeviceSynchronize();
    cudaFree(values);
    return 0;
}
