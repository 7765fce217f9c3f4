// kind: race
// at: @scanned
// A scan in place reads its neighbour and then writes: all have to read before one writes.
__global__ void scan(int *x, int n, bool bad)
{
    __shared__ int sums[128];
    sums[threadIdx.x] = threadIdx.x < n ? x[threadIdx.x] : 0;
    __syncthreads();
    for (int step = 1; step < blockDim.x; step *= 2) {
        if (bad) {
            if (threadIdx.x >= step)
                sums[threadIdx.x] += sums[threadIdx.x - step]; // @scanned
        } else {
            const int before = threadIdx.x >= step ? sums[threadIdx.x - step] : 0;
            __syncthreads();
            sums[threadIdx.x] += before;
        }
        __syncthreads();
    }
    if (threadIdx.x < n)
        x[threadIdx.x] = sums[threadIdx.x];
}

int main(int argc, char **)
{
    int *x;
    cudaMallocManaged(&x, 100 * sizeof *x);
    for (int i = 0; i < 100; i++)
        x[i] = 1;
    scan<<<1, 128>>>(x, 100, argc > 1);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || x[99] == 100;
    cudaFree(x);
    return !right;
}
