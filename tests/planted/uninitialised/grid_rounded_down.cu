// kind: uninitialised
// at: @read
// The kernel that fills an array gets n / 64 blocks, so the array's end stays as it was.
__global__ void fill(int *x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = n - i;
}

__global__ void largest(const int *x, int n, int *best)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicMax(best, x[i]); // @read
}

int main(int argc, char **)
{
    const int n = 200, blocks = argc > 1 ? n / 64 : (n + 63) / 64;
    int *x, *best;
    cudaMalloc(&x, n * sizeof *x);
    cudaMalloc(&best, sizeof *best);
    cudaMemset(best, 0, sizeof *best);
    fill<<<blocks, 64>>>(x, n);
    largest<<<1, 32>>>(x, n, best);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(best);
    return 0;
}
