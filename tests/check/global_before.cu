// expect: Invalid __global__ read of size 8 bytes
// expect: by thread (0,0,0) in block (0,0,0)
// expect: and is 8 bytes before the nearest allocation at 0x7a0000002000 of size 800 bytes
// expect: allocated by cudaMalloc at @in
// A stencil that reaches for the left neighbour of the first element. The page before is not there, so the
// kernel ends.
__global__ void left(const double *in, double *out, int first)
{
    int i = threadIdx.x + first;
    if (i < 100)
        out[i] = in[i - 1];
}

int main(int argc, char **)
{
    double *in, *out;
    cudaMalloc(&out, 100 * sizeof *out);
    cudaMalloc(&in, 100 * sizeof *in); // @in
    cudaMemset(in, 0, 100 * sizeof *in);
    left<<<1, 128>>>(in, out, argc > 1 ? 0 : 1);
    if (cudaDeviceSynchronize() != (argc > 1 ? cudaErrorIllegalAddress : cudaSuccess))
        return 2;
    if (argc == 1) {
        cudaFree(in);
        cudaFree(out);
    }
    return 0;
}
