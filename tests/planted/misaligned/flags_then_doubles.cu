// kind: misaligned
// at: @put
// Dynamic shared memory: bytes first, and doubles behind them at a number of bytes that is no multiple of
// eight.
__global__ void keep(const double *in, double *out, int flags)
{
    extern __shared__ __align__(8) char memory[];
    char *flag = memory;
    double *value = (double *)(memory + flags);
    flag[threadIdx.x] = in[threadIdx.x] > 0;
    value[threadIdx.x] = in[threadIdx.x]; // @put
    __syncthreads();
    const int other = (threadIdx.x + 1) % blockDim.x;
    out[threadIdx.x] = flag[other] ? value[other] : 0;
}

int main(int argc, char **)
{
    const int n = 36, flags = argc > 1 ? n : (n + 7) / 8 * 8;
    double *in, *out;
    cudaMalloc(&in, n * sizeof *in);
    cudaMalloc(&out, n * sizeof *out);
    cudaMemset(in, 0, n * sizeof *in);
    keep<<<1, n, 40 + n * sizeof(double)>>>(in, out, flags);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    cudaFree(in);
    cudaFree(out);
    return 0;
}
