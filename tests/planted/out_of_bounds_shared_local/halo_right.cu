// kind: out of bounds
// at: @edge
// A stencil's tile has space for one neighbour, and the block keeps one on each side.
#define THREADS 64

template <int EXTRA> __global__ void smooth(const float *in, float *out, int n)
{
    __shared__ float tile[THREADS + EXTRA];
    const int i = blockIdx.x * THREADS + threadIdx.x, at = threadIdx.x + 1;
    tile[at] = in[i];
    if (threadIdx.x == 0)
        tile[0] = i > 0 ? in[i - 1] : 0;
    if (threadIdx.x == THREADS - 1)
        tile[THREADS + 1] = i + 1 < n ? in[i + 1] : 0; // @edge
    __syncthreads();
    out[i] = (tile[at - 1] + tile[at] + tile[at + 1]) / 3;
}

int main(int argc, char **)
{
    const int n = 4 * THREADS;
    float *in, *out;
    cudaMalloc(&in, n * sizeof *in);
    cudaMalloc(&out, n * sizeof *out);
    cudaMemset(in, 0, n * sizeof *in);
    if (argc > 1)
        smooth<1><<<4, THREADS>>>(in, out, n);
    else
        smooth<2><<<4, THREADS>>>(in, out, n);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
