// kind: uninitialised
// at: @sum
// The last block's tile is filled up to n only, and then added up as a whole.
__global__ void sum(const float *x, int n, float *result, bool pads)
{
    __shared__ float tile[64];
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        tile[threadIdx.x] = x[i];
    else if (pads)
        tile[threadIdx.x] = 0;
    for (int s = 32; s > 0; s /= 2) {
        __syncthreads();
        if (threadIdx.x < s)
            tile[threadIdx.x] += tile[threadIdx.x + s]; // @sum
    }
    if (threadIdx.x == 0)
        result[blockIdx.x] = tile[0];
}

int main(int argc, char **)
{
    float *x, *result;
    cudaMalloc(&x, 150 * sizeof *x);
    cudaMalloc(&result, 3 * sizeof *result);
    cudaMemset(x, 0, 150 * sizeof *x);
    sum<<<3, 64>>>(x, 150, result, argc == 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(result);
    return 0;
}
