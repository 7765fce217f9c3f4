// expect: Error: the mask of __shfl_down_sync names lanes 16..31, which pass it by
// expect: at @shift in kernel sum, in block (0,0,0)
// expect: a condition that is false for them
// expect: name the lanes that call
// A full mask in an `if` for half of a warp: the other half does not make the call that names it.
__global__ void sum(int *x, unsigned mask)
{
    int value = x[threadIdx.x];
    if (threadIdx.x < 16)
        for (int offset = 8; offset > 0; offset /= 2)
            value += __shfl_down_sync(mask, value, offset); // @shift
    if (threadIdx.x == 0)
        x[0] = value;
}

int main(int argc, char **)
{
    int *x;
    cudaMalloc(&x, 32 * sizeof *x);
    cudaMemset(x, 0, 32 * sizeof *x);
    sum<<<1, 32>>>(x, argc > 1 ? 0xffffffff : 0x0000ffff);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
