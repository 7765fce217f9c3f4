// expect: let threads of a block wait at different barriers
// expect: thread 0,0,0 waits at @both
// expect: @both, number 2 of the line
// errors: 1
// Two barriers of one line are two.
__global__ void wait(int *x, bool divergent)
{
    divergent &&threadIdx.x < 16 ? __syncthreads() : __syncthreads(); // @both
    x[threadIdx.x] = __syncthreads_or(1) + __syncthreads_count(x[0] == 3);
}

int main(int argc, char **)
{
    int *x;
    cudaMalloc(&x, 64 * sizeof *x);
    cudaMemset(x, 0, 64 * sizeof *x);
    wait<<<1, 64>>>(x, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
