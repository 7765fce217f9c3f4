// expect: let threads of a block wait at different barriers
// expect: thread 0,0,0 waits at @first
// errors: 1
// What the simulator tells of a kernel that fails counts: threads that wait for each other.
__global__ void wait(int *x, bool divergent)
{
    if (divergent && threadIdx.x < 16) {
        x[threadIdx.x] = 1;
        __syncthreads(); // @first
    } else {
        x[threadIdx.x] = 2;
        __syncthreads();
    }
}

int main(int argc, char **)
{
    int *x;
    cudaMalloc(&x, 64 * sizeof *x);
    wait<<<1, 64>>>(x, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
