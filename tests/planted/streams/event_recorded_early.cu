// kind: race
// at: @filled or @added
// The event is recorded before the kernel that it is to stand for.
template <typename T> __global__ void fill(T *x, T value)
{
    x[threadIdx.x] = value; // @filled
}

template <typename T> __global__ void add(T *sum, const T *x)
{
    sum[threadIdx.x] += x[threadIdx.x]; // @added
}

int main(int argc, char **)
{
    short *x;
    cudaStream_t a, b;
    cudaEvent_t event;
    cudaMalloc(&x, 128 * sizeof *x);
    cudaMemset(x, 0, 128 * sizeof *x);
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaEventCreate(&event);
    if (argc > 1)
        cudaEventRecord(event, a);
    fill<short><<<1, 64, 0, a>>>(x, 7);
    if (argc == 1)
        cudaEventRecord(event, a);
    cudaStreamWaitEvent(b, event, 0);
    add<short><<<1, 64, 0, b>>>(x + 64, x);
    cudaDeviceSynchronize();
    cudaEventDestroy(event);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    cudaFree(x);
    return 0;
}
