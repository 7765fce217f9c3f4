// kind: race
// at: @added
// The first thread of each block adds its block's sum to one total.
__global__ void sum(const int *x, int *total, bool bad)
{
    __shared__ int mine;
    if (threadIdx.x == 0)
        mine = 0;
    __syncthreads();
    atomicAdd(&mine, x[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) {
        if (bad)
            *total += mine; // @added
        else
            atomicAdd(total, mine);
    }
}

int main(int argc, char **)
{
    int *x, *total;
    cudaMallocManaged(&x, 512 * sizeof *x);
    cudaMallocManaged(&total, sizeof *total);
    for (int i = 0; i < 512; i++)
        x[i] = i;
    *total = 0;
    sum<<<8, 64>>>(x, total, argc > 1);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || *total == 512 * 511 / 2;
    cudaFree(x);
    cudaFree(total);
    return !right;
}
