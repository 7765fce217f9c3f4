// kind: buffer of a copy
// at: @filled
// One pinned buffer for all chunks: it is filled again while its copy may still be under way.
__global__ void add(float *sum, const float *x)
{
    sum[threadIdx.x] += x[threadIdx.x];
}

int main(int argc, char **)
{
    float *x, *host;
    cudaStream_t stream;
    cudaMalloc(&x, 256 * sizeof *x);
    cudaMemset(x, 0, 256 * sizeof *x);
    cudaMallocHost(&host, 128 * sizeof *host);
    cudaStreamCreate(&stream);
    for (int chunk = 0; chunk < 4; chunk++) {
        for (int i = 0; i < 128; i++)
            host[i] = chunk + i; // @filled
        cudaMemcpyAsync(x, host, 128 * sizeof *x, cudaMemcpyHostToDevice, stream);
        add<<<1, 128, 0, stream>>>(x + 128, x);
        if (argc == 1)
            cudaStreamSynchronize(stream);
    }
    cudaDeviceSynchronize();
    cudaStreamDestroy(stream);
    cudaFree(x);
    cudaFreeHost(host);
    return 0;
}
