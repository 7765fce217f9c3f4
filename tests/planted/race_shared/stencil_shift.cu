// kind: race
// at: @read or @written
// A line is shifted in place: without the barrier a thread may read what its neighbour has written.
template <typename T> __global__ void shift(T *x, bool wait)
{
    __shared__ T line[64];
    line[threadIdx.x] = x[threadIdx.x]; // @written
    if (wait)
        __syncthreads();
    x[threadIdx.x] = line[(threadIdx.x + 1) % 64]; // @read
}

int main(int argc, char **)
{
    double *x;
    cudaMalloc(&x, 64 * sizeof *x);
    cudaMemset(x, 0, 64 * sizeof *x);
    shift<<<1, 64>>>(x, argc == 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
