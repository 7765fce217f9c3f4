// expect: Note: threads 36..63 have ended, and others wait at a barrier
// expect: at @barrier in kernel mirror, in block (1,0,0)
// errors: 0
// status: 0
// Threads beyond the end return before the block's barrier: a note, because CUDA's manual allows it.
__global__ void mirror(float *x, int n, bool early)
{
    __shared__ float line[64];
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (early && i >= n)
        return;
    line[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads(); // @barrier
    const int from = min(n - blockIdx.x * 64, 64) - 1 - threadIdx.x;
    if (i < n)
        x[i] = line[from];
}

int main(int argc, char **)
{
    float *x;
    cudaMalloc(&x, 100 * sizeof *x);
    cudaMemset(x, 0, 100 * sizeof *x);
    mirror<<<2, 64>>>(x, 100, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
