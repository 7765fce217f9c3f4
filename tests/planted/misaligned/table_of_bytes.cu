// kind: misaligned
// at: @step
// Steps of 16 bits are looked up in a constant table of bytes, at an odd place.
__constant__ __align__(8) unsigned char table[32];

template <typename T> __device__ T entry(int byte)
{
    return *(const T *)(table + byte); // @step
}

__global__ void decode(unsigned *out, int first)
{
    out[threadIdx.x] = entry<unsigned short>(first + 2 * threadIdx.x);
}

int main(int argc, char **)
{
    unsigned *out;
    cudaMalloc(&out, 8 * sizeof *out);
    decode<<<1, 8>>>(out, argc > 1 ? 3 : 4);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    cudaFree(out);
    return 0;
}
