// kind: race or buffer of a copy
// A pipeline of two streams, with one device buffer instead of one for each stream.
__global__ void square(int *x)
{
    x[threadIdx.x] *= x[threadIdx.x]; // @squared
}

int main(int argc, char **)
{
    const int chunk = 64;
    int *host, *buffer;
    cudaStream_t stream[2];
    cudaMallocHost(&host, 6 * chunk * sizeof *host);
    cudaMalloc(&buffer, 2 * chunk * sizeof *buffer);
    for (int i = 0; i < 6 * chunk; i++)
        host[i] = i;
    for (int i = 0; i < 2; i++)
        cudaStreamCreate(&stream[i]);
    for (int part = 0; part < 6; part++) {
        int *mine = buffer + (argc > 1 ? 0 : part % 2 * chunk);
        cudaStream_t s = stream[part % 2];
        cudaMemcpyAsync(mine, host + part * chunk, chunk * sizeof *mine, cudaMemcpyHostToDevice, s);
        square<<<1, chunk, 0, s>>>(mine);
        cudaMemcpyAsync(host + part * chunk, mine, chunk * sizeof *mine, cudaMemcpyDeviceToHost, s);
    }
    cudaDeviceSynchronize();
    for (int i = 0; i < 2; i++)
        cudaStreamDestroy(stream[i]);
    cudaFreeHost(host);
    cudaFree(buffer);
    return 0;
}
