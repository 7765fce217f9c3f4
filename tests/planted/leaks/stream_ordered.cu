// kind: leak
// at: @made
// Memory of cudaMallocAsync: its stream is destroyed, which does not free it.
__global__ void fill(char *x)
{
    x[threadIdx.x] = 1;
}

int main(int argc, char **)
{
    cudaStream_t stream;
    char *x;
    cudaStreamCreate(&stream);
    cudaMallocAsync((void **)&x, 4096, stream); // @made
    fill<<<4, 32, 0, stream>>>(x);
    if (argc == 1)
        cudaFreeAsync(x, stream);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    return 0;
}
