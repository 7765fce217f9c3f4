// kind: race
// at: @produced or @consumed
// One stream's kernel produces what the other stream's kernel consumes. An event would order them.
__global__ void produce(int *x)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; // @produced
}

__global__ void consume(const int *x, int *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] * 2; // @consumed
}

int main(int argc, char **)
{
    int *x;
    cudaStream_t first, second;
    cudaEvent_t done;
    cudaMalloc(&x, 256 * sizeof *x);
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaEventCreate(&done);
    produce<<<2, 64, 0, first>>>(x);
    cudaEventRecord(done, first);
    if (argc == 1)
        cudaStreamWaitEvent(second, done, 0);
    consume<<<2, 64, 0, second>>>(x, x + 128);
    cudaDeviceSynchronize();
    cudaEventDestroy(done);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    cudaFree(x);
    return 0;
}
