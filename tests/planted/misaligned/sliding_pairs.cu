// kind: misaligned
// at: @pair
// Each thread reads a sample and its right neighbour as one pair.
__global__ void slopes(const short *in, short *out, int n, bool careful)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 >= n)
        return;
    short2 pair;
    if (careful)
        pair = make_short2(in[i], in[i + 1]);
    else
        pair = *(const short2 *)(in + i); // @pair
    out[i] = pair.y - pair.x;
}

int main(int argc, char **)
{
    const int n = 100;
    short *in, *out;
    cudaMalloc(&in, n * sizeof *in);
    cudaMalloc(&out, n * sizeof *out);
    cudaMemset(in, 0, n * sizeof *in);
    slopes<<<2, 64>>>(in, out, n, argc == 1);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    cudaFree(in);
    cudaFree(out);
    return 0;
}
