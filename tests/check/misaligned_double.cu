// expect: Invalid __global__ write of size 8 bytes
// expect: by thread (0,0,0) in block (1,0,0)
// expect: Access at 0x7a0000000204 is misaligned
// expect: and is 516 bytes inside the allocation at 0x7a0000000000 of size 4096 bytes
// expect: every later CUDA call of this program returns cudaErrorMisalignedAddress (716)
// Doubles behind an odd number of floats in one allocation, in the second block.
__global__ void fill(char *memory, int floats)
{
    double *x = (double *)(memory + blockIdx.x * floats * sizeof(float));
    x[threadIdx.x] = 1;
}

int main(int argc, char **)
{
    char *memory;
    cudaMalloc(&memory, 4096);
    fill<<<2, 32>>>(memory, argc > 1 ? 129 : 128);
    if (cudaDeviceSynchronize() == cudaSuccess)
        cudaFree(memory);
    return 0;
}
