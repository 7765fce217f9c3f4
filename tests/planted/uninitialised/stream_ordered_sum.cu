// kind: uninitialised
// at: @total
// Memory of cudaMallocAsync is added to at once.
__global__ void add(const short *x, int *total)
{
    atomicAdd(total, x[threadIdx.x]); // @total
}

int main(int argc, char **)
{
    cudaStream_t stream;
    short *x;
    int *total;
    cudaStreamCreate(&stream);
    cudaMallocAsync((void **)&x, 128, stream);
    cudaMallocAsync((void **)&total, sizeof *total, stream);
    cudaMemsetAsync(x, 1, 128, stream);
    if (argc == 1)
        cudaMemsetAsync(total, 0, sizeof *total, stream);
    add<<<1, 64, 0, stream>>>(x, total);
    cudaFreeAsync(x, stream);
    cudaFreeAsync(total, stream);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    return 0;
}
