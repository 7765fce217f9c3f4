// kind: buffer of a copy
// at: @copy
// The copy to the host is asynchronous, and its buffer is read at once.
#include <numeric>

__global__ void fill(int *x)
{
    x[threadIdx.x] = threadIdx.x;
}

int main(int argc, char **)
{
    int *x, *host;
    cudaStream_t stream;
    cudaMalloc(&x, 256 * sizeof *x);
    cudaMallocHost(&host, 256 * sizeof *host);
    for (int i = 0; i < 256; i++)
        host[i] = 0;
    cudaStreamCreate(&stream);
    fill<<<1, 256, 0, stream>>>(x);
    cudaMemcpyAsync(host, x, 256 * sizeof *x, cudaMemcpyDeviceToHost, stream); // @copy
    if (argc == 1)
        cudaStreamSynchronize(stream);
    const int sum = std::accumulate(host, host + 256, 0);
    cudaDeviceSynchronize();
    cudaStreamDestroy(stream);
    cudaFree(x);
    cudaFreeHost(host);
    return argc == 1 && sum != 255 * 128;
}
