// expect: Error: Race reported between Write access at fill(int*, int)
// expect: by thread (31,0,0) in block (0,0,0)
// expect: and Write access at fill(int*, int)
// expect: by thread (0,0,0) in block (1,0,0)
// expect: of 4 bytes of __global__ memory at 0x7c000000007c
// expect: allocated by cudaMallocManaged at @made
// Blocks whose parts overlap by one element. Managed memory.
__global__ void fill(int *x, int stride)
{
    x[blockIdx.x * stride + threadIdx.x] = blockIdx.x + 1;
}

int main(int argc, char **)
{
    int *x;
    cudaMallocManaged(&x, 128 * sizeof *x); // @made
    fill<<<4, 32>>>(x, argc > 1 ? 31 : 32);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
