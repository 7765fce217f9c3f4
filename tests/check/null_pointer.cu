// errors: 2
// expect: Program hit cudaErrorMemoryAllocation (error 2) on CUDA API call to cudaMalloc
// expect: Invalid __global__ write of size 4 bytes
// expect: by thread (0,0,0) in block (0,0,0)
// expect: Access at 0x0 is out of bounds
// expect: The pointer is NULL
// An allocation that failed, and nobody looked.
__global__ void fill(int *x)
{
    x[threadIdx.x] = 1;
}

int main(int argc, char **)
{
    int *x = nullptr;
    cudaMalloc(&x, argc > 1 ? (size_t)1 << 50 : 128);
    fill<<<1, 32>>>(x);
    if (cudaDeviceSynchronize() == cudaSuccess)
        cudaFree(x);
    return 0;
}
