// kind: barrier passed by or kernel ended or kernel failed
// Threads beyond the end return from the function that has the block's barrier, and go on behind its call.
__device__ void load(float *line, const float *x, int i, int n, bool bad)
{
    line[threadIdx.x] = i < n ? x[i] : 0;
    if (bad && i >= n)
        return;
    __syncthreads();
}

__global__ void mirror(float *x, int n, bool bad)
{
    __shared__ float line[64];
    const int i = blockIdx.x * 64 + threadIdx.x;
    load(line, x, i, n, bad);
    const int from = min(n - blockIdx.x * 64, 64) - 1 - threadIdx.x;
    if (i < n)
        x[i] = line[from];
}

int main(int argc, char **)
{
    float *x;
    cudaMallocManaged(&x, 100 * sizeof *x);
    for (int i = 0; i < 100; i++)
        x[i] = i;
    mirror<<<2, 64>>>(x, 100, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
