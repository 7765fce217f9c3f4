// kind: race
// at: @counted or @copied
// The bins are counted by atomics, and copied out before all have counted.
__global__ void histogram(const int *x, int *bins, bool bad)
{
    __shared__ int bin[128];
    bin[threadIdx.x] = 0;
    __syncthreads();
    for (int k = 0; k < 4; k++)
        atomicAdd(&bin[x[k * 128 + threadIdx.x] % 128], 1); // @counted
    if (!bad)
        __syncthreads();
    bins[threadIdx.x] = bin[threadIdx.x]; // @copied
}

int main(int argc, char **)
{
    int *x;
    cudaMallocManaged(&x, 5 * 128 * sizeof *x);
    for (int i = 0; i < 4 * 128; i++)
        x[i] = i * 7;
    histogram<<<1, 128>>>(x, x + 4 * 128, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
