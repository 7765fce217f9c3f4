// expect: Error: Race reported between Write access at count(int*, bool)
// expect: by thread (0,0,0) in block (0,0,0)
// expect: and Read access at count(int*, bool)
// expect: by thread (0,0,0) in block (1,0,0)
// expect: of 4 bytes of __global__ memory at 0x7a0000000000
// expect: Blocks run in any order
// errors: 2
// A counter of all blocks, without an atomic operation.
__global__ void count(int *n, bool atomic)
{
    if (threadIdx.x != 0)
        return;
    if (atomic)
        atomicAdd(n, 1);
    else
        ++*n;
}

int main(int argc, char **)
{
    int *n;
    cudaMalloc(&n, sizeof *n);
    cudaMemset(n, 0, sizeof *n);
    count<<<8, 32>>>(n, argc == 1);
    cudaDeviceSynchronize();
    cudaFree(n);
    return 0;
}
