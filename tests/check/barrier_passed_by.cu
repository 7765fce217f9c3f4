// expect: Error: threads 128..255 pass a barrier by at which others wait
// expect: at @barrier in kernel sum, in block (0,0,0)
// expect: They left the `if` or loop at @if without coming to it
// expect: and 3 more like it
// expect: put the barrier behind it
// A barrier inside of an `if` that half of the block passes by. Those threads were alive, and could have
// come.
__global__ void sum(int *x, bool early)
{
    __shared__ int tile[256];
    const int i = (int)threadIdx.x;
    tile[i] = x[blockIdx.x * 256 + i];
    __syncthreads();
    if (i < (early ? 128 : 256)) { // @if
        const int other = tile[i ^ 1];
        __syncthreads(); // @barrier
        tile[i] += other;
        x[blockIdx.x * 256 + i] = tile[i];
    }
}

int main(int argc, char **)
{
    int *x;
    cudaMalloc(&x, 4 * 256 * sizeof *x);
    cudaMemset(x, 0, 4 * 256 * sizeof *x);
    sum<<<4, 256>>>(x, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
