// kind: uninitialised
// at: @whole
// A symmetric matrix is written below its diagonal, and multiplied as if it were full.
__global__ void distances(const float *x, float *d, int n, bool both)
{
    const int i = threadIdx.y, j = threadIdx.x;
    if (j <= i || both)
        d[i * n + j] = fabsf(x[i] - x[j]);
}

__global__ void add_up(const float *d, float *sum, int n)
{
    float mine = 0;
    for (int j = 0; j < n; j++)
        mine += d[threadIdx.x * n + j]; // @whole
    sum[threadIdx.x] = mine;
}

int main(int argc, char **)
{
    const int n = 16;
    float *x, *d;
    cudaMalloc(&x, n * sizeof *x);
    cudaMalloc(&d, n * n * sizeof *d);
    cudaMemset(x, 0, n * sizeof *x);
    distances<<<1, dim3(n, n)>>>(x, d, n, argc == 1);
    add_up<<<1, n>>>(d, x, n);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(d);
    return 0;
}
