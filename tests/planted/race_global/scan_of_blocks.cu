// kind: race
// at: @written or @offset
// A block needs the sums of the blocks before it, and no barrier of this kernel waits for them.
__global__ void scan(int *x, int *totals)
{
    __shared__ int sums[64];
    sums[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    for (int step = 1; step < 64; step *= 2) {
        const int before = threadIdx.x >= step ? sums[threadIdx.x - step] : 0;
        __syncthreads();
        sums[threadIdx.x] += before;
        __syncthreads();
    }
    x[blockIdx.x * 64 + threadIdx.x] = sums[threadIdx.x];
    if (threadIdx.x == 63)
        totals[blockIdx.x] = sums[63];
}

__device__ int before(const int *totals)
{
    int sum = 0;
    for (int block = 0; block < blockIdx.x; block++)
        sum += totals[block]; // @offset
    return sum;
}

__global__ void add(int *x, int *totals)
{
    x[blockIdx.x * 64 + threadIdx.x] += before(totals);
}

__global__ void scan_at_once(int *x, int *totals)
{
    if (threadIdx.x == 63)
        totals[blockIdx.x] = x[blockIdx.x * 64 + 63]; // @written
    __syncthreads();
    x[blockIdx.x * 64 + threadIdx.x] += before(totals);
}

int main(int argc, char **)
{
    int *x, *totals;
    cudaMallocManaged(&x, 256 * sizeof *x);
    cudaMalloc(&totals, 4 * sizeof *totals);
    for (int i = 0; i < 256; i++)
        x[i] = 1;
    if (argc > 1)
        scan_at_once<<<4, 64>>>(x, totals);
    else
        scan<<<4, 64>>>(x, totals), add<<<4, 64>>>(x, totals);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(totals);
    return 0;
}
