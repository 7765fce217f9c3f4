// kind: leak
// at: @flag
// A mapped flag is given back only by those who see it set.
__global__ void report(const int *x, volatile int *flag)
{
    if (x[threadIdx.x] < 0)
        *flag = 1;
}

int main(int argc, char **)
{
    int *x, *flag, *there;
    cudaMalloc(&x, 128);
    cudaMemset(x, argc > 1 ? 0 : 255, 128);
    cudaHostAlloc(&flag, sizeof *flag, cudaHostAllocMapped); // @flag
    cudaHostGetDevicePointer(&there, flag, 0);
    *flag = 0;
    report<<<1, 32>>>(x, there);
    cudaDeviceSynchronize();
    if (*flag)
        cudaFreeHost(flag);
    cudaFree(x);
    return 0;
}
