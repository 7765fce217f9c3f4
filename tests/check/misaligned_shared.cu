// expect: Invalid __shared__ read of size 4 bytes
// expect: in @bad
// expect: by thread (1,0,0) in block (0,0,0)
// expect: Access at 0x2 is misaligned
// A word read out of __shared__ bytes.
__global__ void words(int *out, int step)
{
    __shared__ int shared[64];
    shared[threadIdx.x] = shared[threadIdx.x + 32] = 0;
    __syncthreads();
    out[threadIdx.x] = *(int *)((char *)shared + threadIdx.x * step); // @bad
}

int main(int argc, char **)
{
    int *out;
    cudaMalloc(&out, 32 * sizeof *out);
    words<<<1, 32>>>(out, argc > 1 ? 2 : 4);
    if (cudaDeviceSynchronize() == cudaSuccess)
        cudaFree(out);
    return 0;
}
