// kind: out of bounds
// at: @load
// A scan of two elements a thread gets dynamic shared memory for one a thread.
__global__ void scan(const unsigned *in, unsigned *out, int n)
{
    extern __shared__ unsigned temp[];
    const int i = threadIdx.x;
    temp[2 * i] = in[2 * i];         // @load
    temp[2 * i + 1] = in[2 * i + 1]; // @other
    for (int step = 1; step < n; step *= 2) {
        unsigned add[2];
        __syncthreads();
        for (int k = 0; k < 2; k++)
            add[k] = 2 * i + k >= step ? temp[2 * i + k - step] : 0;
        __syncthreads();
        for (int k = 0; k < 2; k++)
            temp[2 * i + k] += add[k];
    }
    out[2 * i] = temp[2 * i];
    out[2 * i + 1] = temp[2 * i + 1];
}

int main(int argc, char **)
{
    const int n = 128;
    unsigned *in, *out;
    cudaMalloc(&in, n * sizeof *in);
    cudaMalloc(&out, n * sizeof *out);
    cudaMemset(in, 0, n * sizeof *in);
    scan<<<1, n / 2, (argc > 1 ? n / 2 : n) * sizeof(unsigned)>>>(in, out, n);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
