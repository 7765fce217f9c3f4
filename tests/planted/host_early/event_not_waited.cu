// kind: host beside a kernel
// at: @taken
// An event is recorded behind the kernel, and only the stream waits for it, not the host.
template <typename T> __global__ void iota(T *x, T first)
{
    x[threadIdx.x] = first + threadIdx.x;
}

int main(int argc, char **)
{
    long long *x, last;
    cudaEvent_t done;
    cudaMallocManaged(&x, 32 * sizeof *x);
    cudaEventCreate(&done);
    iota<long long><<<1, 32>>>(x, 1000);
    cudaEventRecord(done);
    if (argc > 1)
        cudaStreamWaitEvent(0, done, 0);
    else
        cudaEventSynchronize(done);
    last = x[31]; // @taken
    cudaDeviceSynchronize();
    cudaEventDestroy(done);
    cudaFree(x);
    return argc == 1 && last != 1031;
}
