// kind: refused call
// at: @call
// 64 KiB of dynamic shared memory have to be allowed by cudaFuncSetAttribute first.
__global__ void reverse(int *x, int n)
{
    extern __shared__ int line[];
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        line[i] = i;
    __syncthreads();
    x[threadIdx.x] = line[n - 1 - threadIdx.x];
}

int main(int argc, char **)
{
    const int bytes = 65536;
    int *x;
    cudaMalloc(&x, 512);
    if (argc == 1)
        cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    reverse<<<1, 128, bytes>>>(x, bytes / 4); // @call
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
