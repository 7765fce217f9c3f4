// kind: refused call
// at: @call
// A grid has a row for each of 80000 samples in y, where only 65535 fit.
__global__ void mark(char *x, int n)
{
    const int i = blockIdx.x + blockIdx.y;
    if (i < n)
        x[i] = 1;
}

int main(int argc, char **)
{
    const int n = 80000;
    const dim3 grid = argc > 1 ? dim3(1, n) : dim3(n, 1);
    char *x;
    cudaMalloc(&x, n);
    mark<<<grid, 1>>>(x, n); // @call
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
