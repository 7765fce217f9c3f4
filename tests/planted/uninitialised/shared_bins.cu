// kind: uninitialised
// at: @bin
// A block has 256 bins in shared memory and 128 threads: each clears one of them.
__global__ void histogram(const unsigned char *x, int n, int *total, bool all)
{
    __shared__ int bins[256];
    for (int i = threadIdx.x; i < (all ? 256 : blockDim.x); i += blockDim.x)
        bins[i] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicAdd(&bins[x[i]], 1); // @bin
    __syncthreads();
    atomicAdd(total, bins[threadIdx.x]);
}

int main(int argc, char **)
{
    unsigned char *x;
    int *total;
    cudaMalloc(&x, 300);
    cudaMalloc(&total, sizeof *total);
    cudaMemset(x, 200, 300);
    cudaMemset(total, 0, sizeof *total);
    histogram<<<1, 128>>>(x, 300, total, argc == 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(total);
    return 0;
}
