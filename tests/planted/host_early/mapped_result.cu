// kind: host beside a kernel
// missed: mapped pinned memory is not watched
// A kernel writes to mapped pinned memory, and the host reads it without waiting.
__global__ void measure(volatile int *out)
{
    *out = 17;
}

int main(int argc, char **)
{
    int *host, *device;
    cudaHostAlloc(&host, sizeof *host, cudaHostAllocMapped);
    cudaHostGetDevicePointer(&device, host, 0);
    *host = 0;
    measure<<<1, 1>>>(device);
    if (argc == 1)
        cudaDeviceSynchronize();
    const int result = *static_cast<volatile int *>(host);
    cudaDeviceSynchronize();
    cudaFreeHost(host);
    return argc == 1 && result != 17;
}
