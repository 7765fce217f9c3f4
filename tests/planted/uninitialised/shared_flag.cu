// kind: uninitialised
// at: @look
// A flag in shared memory is set where something changes, and was never cleared.
__global__ void settle(int *x, int *turns, bool clears)
{
    __shared__ int changed;
    if (clears && threadIdx.x == 0)
        changed = 0;
    __syncthreads();
    if (x[threadIdx.x] > 1000)
        atomicExch(&changed, 1);
    __syncthreads();
    if (threadIdx.x == 0)
        *turns = changed; // @look
}

int main(int argc, char **)
{
    int *x, *turns;
    cudaMalloc(&x, 64 * sizeof *x);
    cudaMalloc(&turns, sizeof *turns);
    cudaMemset(x, 0, 64 * sizeof *x);
    settle<<<1, 64>>>(x, turns, argc == 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(turns);
    return 0;
}
