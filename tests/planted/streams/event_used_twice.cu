// kind: race
// at: @left or @joined
// One event is recorded in two streams: only the later record is waited for.
__global__ void left(int *x)
{
    x[threadIdx.x] = 3; // @left
}

__global__ void right(int *x)
{
    x[threadIdx.x] = 5;
}

__global__ void join(int *x)
{
    x[threadIdx.x] += x[32 + threadIdx.x]; // @joined
}

int main(int argc, char **)
{
    int *x;
    cudaStream_t a, b, c;
    cudaEvent_t event[2];
    cudaMalloc(&x, 64 * sizeof *x);
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaStreamCreate(&c);
    cudaEventCreate(&event[0]);
    cudaEventCreate(&event[1]);
    left<<<1, 32, 0, a>>>(x);
    cudaEventRecord(event[0], a);
    right<<<1, 32, 0, b>>>(x + 32);
    cudaEventRecord(event[argc > 1 ? 0 : 1], b);
    cudaStreamWaitEvent(c, event[0], 0);
    cudaStreamWaitEvent(c, event[1], 0);
    join<<<1, 32, 0, c>>>(x);
    cudaDeviceSynchronize();
    cudaEventDestroy(event[0]);
    cudaEventDestroy(event[1]);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    cudaStreamDestroy(c);
    cudaFree(x);
    return 0;
}
