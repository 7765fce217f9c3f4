// expect: Error: Race reported between kernel scale, launched at @launched
// expect: and cudaMemcpyAsync at @copied
// expect: It writes what the kernel uses, at 0x7a0000000000
// expect: allocated by cudaMalloc at @made
// The copy to the device is in one stream, the kernel that needs it in another: an event is missing.
__global__ void scale(float *x)
{
    x[threadIdx.x] *= 2;
}

int main(int argc, char **)
{
    float *x, *host;
    cudaStream_t copies, kernels;
    cudaEvent_t copied;
    cudaMalloc(&x, 128 * sizeof *x); // @made
    cudaMemset(x, 0, 128 * sizeof *x);
    cudaMallocHost(&host, 128 * sizeof *host);
    for (int i = 0; i < 128; i++)
        host[i] = i;
    cudaDeviceSynchronize();
    cudaStreamCreate(&copies);
    cudaStreamCreate(&kernels);
    cudaEventCreate(&copied);
    cudaMemcpyAsync(x, host, 128 * sizeof *x, cudaMemcpyHostToDevice, copies); // @copied
    cudaEventRecord(copied, copies);
    if (argc == 1)
        cudaStreamWaitEvent(kernels, copied, 0);
    scale<<<1, 128, 0, kernels>>>(x); // @launched
    cudaDeviceSynchronize();
    cudaEventDestroy(copied);
    cudaStreamDestroy(copies);
    cudaStreamDestroy(kernels);
    cudaFree(x);
    cudaFreeHost(host);
    return 0;
}
