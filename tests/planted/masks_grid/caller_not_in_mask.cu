// kind: absent lanes or kernel ended or kernel failed
// All lanes vote, and the mask names only the lower sixteen.
__global__ void vote(const float *x, unsigned *out, bool bad)
{
    const unsigned mask = bad ? (1u << 16) - 1 : 0xffffffff;
    const unsigned above = __ballot_sync(mask, x[threadIdx.x] > 0.5f);
    out[threadIdx.x] = __popc(above);
}

int main(int argc, char **)
{
    float *x;
    unsigned *out;
    cudaMallocManaged(&x, 32 * sizeof *x);
    cudaMallocManaged(&out, 32 * sizeof *out);
    for (int i = 0; i < 32; i++)
        x[i] = i % 3 * 0.4f;
    vote<<<1, 32>>>(x, out, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(out);
    return 0;
}
