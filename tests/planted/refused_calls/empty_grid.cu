// kind: refused call
// at: @call
// The number of blocks is rounded down, and a short list gives none.
__global__ void twice(int *x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= 2;
}

static void launch(int *x, int n, int round)
{
    const int blocks = (n + round) / 256;
    twice<<<blocks, 256>>>(x, n); // @call
}

int main(int argc, char **)
{
    int *x;
    cudaMalloc(&x, 1024);
    cudaMemset(x, 0, 1024);
    launch(x, 100, argc > 1 ? 0 : 255);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
