// kind: out of bounds
// at: @read
// cudaFreeAsync comes before the stream's last kernel.
__global__ void write(int *x)
{
    x[threadIdx.x] = 1;
}

__global__ void read(const int *x, int *out)
{
    atomicAdd(out, x[threadIdx.x]); // @read
}

int main(int argc, char **)
{
    const bool bad = argc > 1;
    cudaStream_t stream;
    int *x, *out;
    cudaStreamCreate(&stream);
    cudaMalloc(&out, sizeof *out);
    cudaMemset(out, 0, sizeof *out);
    cudaDeviceSynchronize();
    cudaMallocAsync((void **)&x, 256, stream);
    write<<<1, 64, 0, stream>>>(x);
    if (bad)
        cudaFreeAsync(x, stream);
    read<<<1, 64, 0, stream>>>(x, out);
    if (!bad)
        cudaFreeAsync(x, stream);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    cudaFree(out);
    return 0;
}
