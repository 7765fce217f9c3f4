// kind: out of bounds
// at: @put
// Each block allocates for its own threads, and they use their number in the grid.
__global__ void local_copy(const int *in, int *out, bool of_grid)
{
    __shared__ int *mine;
    const int i = blockIdx.x * blockDim.x + threadIdx.x, at = of_grid ? i : threadIdx.x;
    if (threadIdx.x == 0)
        mine = (int *)malloc(blockDim.x * sizeof(int));
    __syncthreads();
    mine[at] = in[i]; // @put
    __syncthreads();
    out[i] = mine[at];
    __syncthreads();
    if (threadIdx.x == 0)
        free(mine);
}

int main(int argc, char **)
{
    int *in, *out;
    cudaMalloc(&in, 128 * sizeof *in);
    cudaMalloc(&out, 128 * sizeof *out);
    cudaMemset(in, 0, 128 * sizeof *in);
    local_copy<<<4, 32>>>(in, out, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
