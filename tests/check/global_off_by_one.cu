// expect: Invalid __global__ write of size 4 bytes
// expect: at fill(int*, int)+0x
// expect: in @bad
// expect: by thread (4,0,0) in block (3,0,0)
// expect: is out of bounds
// expect: and is 1 bytes after the nearest allocation at 0x7a0000000000 of size 400 bytes
// expect: allocated by cudaMalloc at @made
// One element past the end, inside the allocation's page: a grid that is larger than the array.
__global__ void fill(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = i; // @bad
}

int main(int argc, char **)
{
    int *x;
    cudaMalloc(&x, 100 * sizeof *x); // @made
    fill<<<4, 32>>>(x, argc > 1 ? 101 : 100);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
