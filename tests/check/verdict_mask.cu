// expect: called __shfl_down_sync
// expect: which the mask does not name
// errors: 1
// What the simulator tells of a kernel that fails counts: a mask without the caller.
__global__ void shift(int *x, unsigned mask)
{
    x[threadIdx.x] = __shfl_down_sync(mask, (int)threadIdx.x, 1);
}

int main(int argc, char **)
{
    int *x;
    cudaMalloc(&x, 32 * sizeof *x);
    shift<<<1, 32>>>(x, argc > 1 ? 0x0000ffff : 0xffffffff);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
