// kind: refused call
// at: @free
// Pinned memory is given to cudaFree.
#include <cstddef>

__global__ void copy(const int *in, int *out)
{
    out[threadIdx.x] = in[threadIdx.x];
}

int main(int argc, char **)
{
    int *in, *out;
    cudaHostAlloc(&in, 256, cudaHostAllocDefault);
    cudaMalloc(&out, 256);
    for (int i = 0; i < 64; i++)
        in[i] = i;
    copy<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    if (argc > 1)
        cudaFree(in); // @free
    else
        cudaFreeHost(in);
    cudaFree(out);
    return 0;
}
