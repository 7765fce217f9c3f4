// expect: Invalid __global__ read of size 4 bytes
// expect: at value(int const*, int)
// expect: in kernel sum
// expect: by thread (0,0,0) in block (0,0,0)
// expect: and is 12 bytes inside a freed allocation at 0x7a0000000000 of size 64 bytes
// expect: allocated by cudaMalloc at @made
// expect: freed by cudaFree at @freed
// The kernel is launched after the free. In a function that the kernel calls; the place is not given out
// again.
__device__ __noinline__ int value(const int *x, int i)
{
    return x[i];
}

__global__ void sum(const int *x, int *out)
{
    *out = value(x, 3);
}

int main(int argc, char **)
{
    int *x, *out, *more;
    cudaMalloc(&x, 64); // @made
    cudaMemset(x, 0, 64);
    if (argc > 1)
        cudaFree(x); // @freed
    cudaMalloc(&more, 64);
    cudaMalloc(&out, sizeof *out);
    sum<<<1, 1>>>(x, out);
    cudaDeviceSynchronize();
    if (argc == 1)
        cudaFree(x);
    cudaFree(more);
    cudaFree(out);
    return 0;
}
