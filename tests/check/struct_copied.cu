// expect: Invalid __global__ read of size 40 bytes
// expect: by thread (3,0,0) in block (0,0,0)
// expect: and its last 20 bytes are after the nearest allocation at 0x7a0000000000 of size 140 bytes
// A structure is copied as a whole, and half of the last one is not there.
struct particle {
    float position[3], velocity[3], mass;
    int kind[3];
};

__global__ void copy(const particle *in, particle *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = in[threadIdx.x];
}

int main(int argc, char **)
{
    particle *in, *out;
    cudaMalloc(&in, 140);
    cudaMalloc(&out, 4 * sizeof *out);
    cudaMemset(in, 0, 140);
    copy<<<1, 32>>>(in, out, argc > 1 ? 4 : 3);
    cudaDeviceSynchronize();
    cudaFree(out);
    cudaFree(in);
    return 0;
}
