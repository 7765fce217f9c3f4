// kind: race
// at: @before or @sum
// A scan of a warp in __shared__ memory: reading and writing are two steps, and only one of them has its
// barrier.
__global__ void scan(short *x, bool bad)
{
    __shared__ short sums[32];
    const unsigned lane = threadIdx.x;
    sums[lane] = x[blockIdx.x * 32 + lane];
    __syncwarp();
    for (unsigned step = 1; step < 32; step *= 2) {
        short before = 0;
        if (lane >= step)
            before = sums[lane - step]; // @before
        if (!bad)
            __syncwarp();
        sums[lane] += before; // @sum
        __syncwarp();
    }
    x[blockIdx.x * 32 + lane] = sums[lane];
}

int main(int argc, char **)
{
    short *x;
    cudaMallocManaged(&x, 96 * sizeof *x);
    for (int i = 0; i < 96; i++)
        x[i] = 2;
    scan<<<3, 32>>>(x, argc > 1);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || x[63] == 64;
    cudaFree(x);
    return !right;
}
