// expect: Uninitialized __global__ read of size 1 bytes
// expect: by thread (5,0,0) in block (0,0,0)
// expect: and is 5 bytes inside the allocation at 0x7a0000002000 of size 64 bytes
// expect: allocated by cudaMalloc at @copy
// A copy within the device of bytes of which one was never written. Bytes are told apart.
__global__ void fill(char *x, int skipped)
{
    if (threadIdx.x != skipped)
        x[threadIdx.x] = 1;
}

__global__ void read(const char *x, int *out)
{
    out[threadIdx.x] = x[threadIdx.x];
}

int main(int argc, char **)
{
    char *x, *copy;
    int *out;
    cudaMalloc(&x, 64);
    cudaMalloc(&copy, 64); // @copy
    cudaMalloc(&out, 64 * sizeof *out);
    fill<<<1, 64>>>(x, argc > 1 ? 5 : -1);
    cudaMemcpy(copy, x, 64, cudaMemcpyDeviceToDevice);
    read<<<1, 64>>>(copy, out);
    cudaDeviceSynchronize();
    cudaFree(out);
    cudaFree(copy);
    cudaFree(x);
    return 0;
}
