// kind: out of bounds
// at: @read
// A loop in steps of the whole grid goes on to n itself.
__global__ void sum(const float *x, int n, float *total, bool too_far)
{
    float mine = 0;
    const int step = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; too_far ? i <= n : i < n; i += step)
        mine += x[i]; // @read
    atomicAdd(total, mine);
}

int main(int argc, char **)
{
    const int n = 1000;
    float *x, *total;
    cudaMalloc(&x, n * sizeof(float));
    cudaMalloc(&total, sizeof(float));
    cudaMemset(x, 0, n * sizeof(float));
    cudaMemset(total, 0, sizeof(float));
    sum<<<3, 64>>>(x, n, total, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(total);
    return 0;
}
