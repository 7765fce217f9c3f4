// expect: Invalid __global__ read of size 4 bytes
// expect: in @bad
// expect: by thread (0,0,0) in block (0,0,0)
// expect: is misaligned
// expect: and is 1 bytes inside the allocation at 0x7a0000000000 of size 64 bytes
// expect: allocated by cudaMalloc at @made
// expect: every later CUDA call of this program returns cudaErrorMisalignedAddress (716)
// A number read out of a stream of bytes by a cast. Hardware refuses it.
__global__ void read(const unsigned char *bytes, int offset, int *out)
{
    *out = *(const int *)(bytes + offset); // @bad
}

int main(int argc, char **)
{
    unsigned char *bytes;
    int *out;
    cudaMalloc(&bytes, 64); // @made
    cudaMalloc(&out, sizeof *out);
    cudaMemset(bytes, 1, 64);
    read<<<1, 1>>>(bytes, argc > 1 ? 1 : 4, out);
    if (cudaDeviceSynchronize() != (argc > 1 ? cudaErrorMisalignedAddress : cudaSuccess))
        return 2;
    cudaFree(out);
    cudaFree(bytes);
    return 0;
}
