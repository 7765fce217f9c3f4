// kind: out of bounds
// at: @use
// One thread gives the block's buffer back, and the others still read it after the barrier.
__global__ void neighbours(int *out, bool careful)
{
    __shared__ int *buffer;
    if (threadIdx.x == 0)
        buffer = (int *)malloc(blockDim.x * sizeof(int));
    __syncthreads();
    buffer[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (!careful) {
        if (threadIdx.x == 0)
            free(buffer);
        __syncthreads();
    }
    out[threadIdx.x] = buffer[(threadIdx.x + 1) % blockDim.x]; // @use
    __syncthreads();
    if (careful && threadIdx.x == 0)
        free(buffer);
}

int main(int argc, char **)
{
    int *out;
    cudaMalloc(&out, 64 * sizeof *out);
    neighbours<<<1, 64>>>(out, argc == 1);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
