// kind: race or buffer of a copy or uninitialised
// The copy to the device is in one stream, the kernel that needs it in another.
__global__ void scale(float *x)
{
    x[threadIdx.x] *= 2; // @scaled
}

int main(int argc, char **)
{
    float *x, *host;
    cudaStream_t copies, kernels;
    cudaMalloc(&x, 128 * sizeof *x);
    cudaMemset(x, 0, 128 * sizeof *x);
    cudaMallocHost(&host, 128 * sizeof *host);
    for (int i = 0; i < 128; i++)
        host[i] = i;
    cudaDeviceSynchronize();
    cudaStreamCreate(&copies);
    cudaStreamCreate(&kernels);
    cudaMemcpyAsync(x, host, 128 * sizeof *x, cudaMemcpyHostToDevice, copies); // @copied
    const cudaStream_t stream = argc > 1 ? kernels : copies;
    scale<<<1, 128, 0, stream>>>(x);
    cudaDeviceSynchronize();
    cudaStreamDestroy(copies);
    cudaStreamDestroy(kernels);
    cudaFree(x);
    cudaFreeHost(host);
    return 0;
}
