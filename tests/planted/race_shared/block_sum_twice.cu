// kind: race
// at: @stored or @result
// A device function that is called twice uses its __shared__ array again while others read the first result.
template <bool Bad> __device__ int block_sum(int mine)
{
    __shared__ int part[64];
    part[threadIdx.x] = mine; // @stored
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    const int sum = part[0]; // @result
    if (!Bad)
        __syncthreads();
    return sum;
}

template <bool Bad> __global__ void spread(const int *x, int *mean, int *around)
{
    const int middle = block_sum<Bad>(x[threadIdx.x]) / 64;
    const int distance = x[threadIdx.x] - middle;
    const int square = block_sum<Bad>(distance * distance);
    mean[threadIdx.x] = middle;
    around[threadIdx.x] = square;
}

int main(int argc, char **)
{
    int *x;
    cudaMallocManaged(&x, 192 * sizeof *x);
    for (int i = 0; i < 192; i++)
        x[i] = i % 11;
    if (argc > 1)
        spread<true><<<1, 64>>>(x, x + 64, x + 128);
    else
        spread<false><<<1, 64>>>(x, x + 64, x + 128);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
