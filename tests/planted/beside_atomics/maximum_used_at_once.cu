// kind: race
// at: @raised or @scaled
// Values are divided by the largest, which the blocks are still looking for.
__global__ void raise(const int *x, int *largest)
{
    atomicMax(largest, x[blockIdx.x * blockDim.x + threadIdx.x]);
}

__global__ void scale(int *x, int *largest, bool bad)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (bad)
        atomicMax(largest, x[i]); // @raised
    __syncthreads();
    x[i] = x[i] * 100 / *largest; // @scaled
}

int main(int argc, char **)
{
    int *x;
    cudaMallocManaged(&x, 97 * sizeof *x);
    for (int i = 0; i < 97; i++)
        x[i] = i < 96 ? i + 1 : 1;
    if (argc == 1)
        raise<<<3, 32>>>(x, x + 96);
    scale<<<3, 32>>>(x, x + 96, argc > 1);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || x[95] == 100;
    cudaFree(x);
    return !right;
}
