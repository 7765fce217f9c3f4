// kind: kernel failed or out of bounds
// One thread allocates for the block, and each thread gives it back.
__global__ void scale(float *x, float by, bool all)
{
    __shared__ float *factor;
    if (threadIdx.x == 0) {
        factor = new float;
        *factor = by;
    }
    __syncthreads();
    x[threadIdx.x] *= *factor;
    __syncthreads();
    if (all || threadIdx.x == 0)
        delete factor;
}

int main(int argc, char **)
{
    float *x;
    cudaMalloc(&x, 128 * sizeof *x);
    cudaMemset(x, 0, 128 * sizeof *x);
    scale<<<1, 128>>>(x, 2, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
