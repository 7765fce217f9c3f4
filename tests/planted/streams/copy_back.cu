// kind: race or buffer of a copy
// The result is copied back in another stream than its kernel's; waiting for that stream is not enough.
struct Result {
    double mean, spread;
};

__global__ void measure(Result *results)
{
    results[threadIdx.x] = {threadIdx.x * 0.5, 1};
}

int main(int argc, char **)
{
    Result *results, *host;
    cudaStream_t work, back;
    cudaEvent_t ready;
    cudaMalloc(&results, 64 * sizeof *results);
    cudaMemset(results, 0, 64 * sizeof *results);
    cudaMallocHost(&host, 64 * sizeof *host);
    cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&back, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
    cudaDeviceSynchronize();
    if (argc > 1)
        cudaEventRecord(ready, work);
    measure<<<1, 64, 0, work>>>(results);
    if (argc == 1)
        cudaEventRecord(ready, work);
    cudaStreamWaitEvent(back, ready, 0);
    cudaMemcpyAsync(host, results, 64 * sizeof *host, cudaMemcpyDeviceToHost, back);
    cudaDeviceSynchronize();
    cudaEventDestroy(ready);
    cudaStreamDestroy(work);
    cudaStreamDestroy(back);
    cudaFree(results);
    cudaFreeHost(host);
    return 0;
}
