// kind: misaligned
// at: @value
// Records of a tag of one byte and a number of four are read out of a stream of bytes.
__global__ void read(const unsigned char *stream, int *out, int n, bool careful)
{
    if (threadIdx.x >= n)
        return;
    const unsigned char *record = stream + 5 * threadIdx.x + 1;
    int value = 0;
    if (careful)
        for (int i = 0; i < 4; i++)
            value |= record[i] << 8 * i;
    else
        value = *(const int *)record; // @value
    out[threadIdx.x] = value;
}

int main(int argc, char **)
{
    unsigned char *stream;
    int *out;
    cudaMalloc(&stream, 5 * 20);
    cudaMalloc(&out, 20 * sizeof *out);
    cudaMemset(stream, 1, 5 * 20);
    read<<<1, 32>>>(stream, out, 20, argc == 1);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    cudaFree(stream);
    cudaFree(out);
    return 0;
}
