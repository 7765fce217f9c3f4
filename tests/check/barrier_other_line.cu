// errors: 2
// expect: Race reported between
// expect: let threads of a block wait at different barriers
// expect: thread 0,0,0 waits at @first, thread 128,0,0 at @second: threads 128..255 passed it by
// Half of the block skips a barrier in an `if`, and waits at the next one: all that do so are named.
__global__ void reverse(int *x, bool divergent)
{
    __shared__ int tile[256];
    const int i = (int)threadIdx.x;
    tile[i] = i;
    if (!divergent || i < 128)
        __syncthreads(); // @first
    const int other = tile[i ^ 64];
    __syncthreads(); // @second
    x[i] = other;
}

int main(int argc, char **)
{
    int *x;
    cudaMalloc(&x, 256 * sizeof *x);
    reverse<<<1, 256>>>(x, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
