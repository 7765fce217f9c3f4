// expect: Uninitialized access at 0x7a0000000190 on access by cudaMemcpy source
// expect: of 112 bytes that nobody has written, at @copy
// expect: allocated by cudaMalloc at @made
// The kernel is launched with too few blocks, and the copy takes all of the array.
__global__ void fill(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = i;
}

int main(int argc, char **)
{
    int *x, host[128];
    cudaMalloc(&x, sizeof host); // @made
    const int blocks = argc > 1 ? 4 : 6;
    fill<<<blocks, 25>>>(x, 128);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost); // @copy
    cudaFree(x);
    return 0;
}
