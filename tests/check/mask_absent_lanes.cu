// expect: Note: the mask of __shfl_down_sync names lanes 16..31, which never come
// expect: at @shift in kernel sum, in block (0,0,0)
// expect: The warp has 16 threads
// expect: name the lanes that call
// errors: 0
// status: 0
// A full mask in a block of half a warp: lanes that do not exist give undefined values.
__global__ void sum(int *x, unsigned mask)
{
    int value = x[threadIdx.x];
    for (int offset = 8; offset > 0; offset /= 2)
        value += __shfl_down_sync(mask, value, offset, 16); // @shift
    if (threadIdx.x == 0)
        x[0] = value;
}

int main(int argc, char **)
{
    int *x;
    cudaMalloc(&x, 16 * sizeof *x);
    cudaMemset(x, 0, 16 * sizeof *x);
    sum<<<1, 16>>>(x, argc > 1 ? 0xffffffff : 0x0000ffff);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
