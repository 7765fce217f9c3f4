// kind: refused call
// at: @call
// A cooperative launch has more blocks than the device holds at one time.
__global__ void count(int *x)
{
    atomicAdd(x, 1);
}

int main(int argc, char **)
{
    int *x;
    cudaMalloc(&x, sizeof *x);
    cudaMemset(x, 0, sizeof *x);
    void *arguments[] = {&x};
    const dim3 grid(argc > 1 ? 100000 : 4);
    cudaLaunchCooperativeKernel((void *)count, grid, dim3(128), arguments); // @call
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
