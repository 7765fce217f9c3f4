// kind: host beside a kernel or buffer of a copy
// cudaMemsetAsync() of managed memory has only begun when the host reads it.
int main(int argc, char **)
{
    unsigned char *x;
    cudaStream_t stream;
    cudaMallocManaged(&x, 4096);
    x[100] = 1;
    cudaStreamCreate(&stream);
    cudaMemsetAsync(x, 7, 4096, stream);
    if (argc == 1)
        cudaStreamSynchronize(stream);
    const int value = x[100]; // @read
    cudaDeviceSynchronize();
    cudaStreamDestroy(stream);
    cudaFree(x);
    return argc == 1 && value != 7;
}
