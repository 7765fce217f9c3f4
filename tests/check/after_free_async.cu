// expect: Invalid __global__ write of size 4 bytes
// expect: inside a freed allocation at 0x7a0000000000 of size 128 bytes
// expect: freed by cudaFreeAsync at @freed
// Memory is freed in stream order, before the kernel that uses it.
__global__ void fill(int *x)
{
    x[threadIdx.x] = 1;
}

int main(int argc, char **)
{
    int *x;
    cudaMallocAsync(&x, 128, 0);
    if (argc > 1)
        cudaFreeAsync(x, 0); // @freed
    fill<<<1, 32>>>(x);
    if (argc == 1)
        cudaFreeAsync(x, 0);
    cudaDeviceSynchronize();
    return 0;
}
