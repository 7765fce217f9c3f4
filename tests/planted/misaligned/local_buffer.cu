// kind: misaligned
// at: @word
// A thread puts bytes together in a local array, and reads a word from an odd place of it.
__global__ void checksum(const unsigned char *in, unsigned *out, int n, int first)
{
    __align__(16) unsigned char line[24];
    for (int i = 0; i < 24; i++)
        line[i] = in[(threadIdx.x + i) % n];
    unsigned sum = 0;
    for (int i = first; i + 4 <= 24; i += 4)
        sum += *(const unsigned *)(line + i); // @word
    out[threadIdx.x] = sum;
}

int main(int argc, char **)
{
    unsigned char *in;
    unsigned *out;
    cudaMalloc(&in, 100);
    cudaMalloc(&out, 32 * sizeof *out);
    cudaMemset(in, 3, 100);
    checksum<<<1, 32>>>(in, out, 100, argc > 1 ? 1 : 0);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    cudaFree(in);
    cudaFree(out);
    return 0;
}
