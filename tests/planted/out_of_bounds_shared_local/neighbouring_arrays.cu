// kind: out of bounds
// at: @left
// Two arrays of one declaration: an index of the first one runs into the second one.
__global__ void rotate(const float2 *in, float2 *out, int n, int turn)
{
    __shared__ float xs[64], ys[64];
    const int i = threadIdx.x;
    xs[i] = in[i].x;
    ys[i] = in[i].y;
    __syncthreads();
    const int from = turn ? (i + 1) % n : i + 1;
    out[i] = make_float2(xs[from], ys[from]); // @left
}

int main(int argc, char **)
{
    float2 *in, *out;
    cudaMalloc(&in, 64 * sizeof *in);
    cudaMalloc(&out, 64 * sizeof *out);
    cudaMemset(in, 0, 64 * sizeof *in);
    rotate<<<1, 64>>>(in, out, 64, argc == 1);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
