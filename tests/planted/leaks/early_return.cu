// kind: leak
// at: @made
// A function that finds nothing to do returns before it frees its scratch memory.
__global__ void fill(int *x)
{
    x[threadIdx.x] = threadIdx.x;
}

static int work(int n)
{
    int *scratch;
    cudaMalloc(&scratch, 1024); // @made
    if (n == 0)
        return 0;
    fill<<<1, n>>>(scratch);
    cudaDeviceSynchronize();
    cudaFree(scratch);
    return n;
}

int main(int argc, char **)
{
    work(64);
    if (argc > 1)
        work(0);
    return 0;
}
