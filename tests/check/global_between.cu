// expect: Invalid __global__ write of size 2 bytes
// expect: by thread (0,3,0) in block (1,1,0)
// expect: bytes after the nearest allocation at 0x7a0000000000 of size 4096 bytes
// expect: allocated by cudaMalloc at @first
// Between two allocations of whole pages, which would stand side by side without --check. Two dimensions.
__global__ void fill(short *x, int rows)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && (row < 32 || column == 32))
        x[row * 64 + column] = 7;
}

int main(int argc, char **)
{
    short *x, *y;
    cudaMalloc(&x, 64 * 32 * sizeof *x); // @first
    cudaMalloc(&y, 64 * 32 * sizeof *y);
    fill<<<dim3(2, 2), dim3(32, 29)>>>(x, argc > 1 ? 33 : 32);
    cudaDeviceSynchronize();
    cudaFree(y);
    cudaFree(x);
    return 0;
}
