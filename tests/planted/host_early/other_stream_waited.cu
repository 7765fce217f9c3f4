// kind: host beside a kernel
// at: @result
// The host waits for a stream, but not for the one in which the kernel is.
__global__ void cube(double *x)
{
    x[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x] * x[threadIdx.x];
}

int main(int argc, char **)
{
    double *x;
    cudaStream_t work, idle;
    cudaMallocManaged(&x, 64 * sizeof *x);
    cudaStreamCreate(&work);
    cudaStreamCreate(&idle);
    for (int i = 0; i < 64; i++)
        x[i] = i;
    cube<<<1, 64, 0, work>>>(x);
    cudaStreamSynchronize(argc > 1 ? idle : work);
    const bool right = x[3] == 27; // @result
    cudaDeviceSynchronize();
    cudaStreamDestroy(work);
    cudaStreamDestroy(idle);
    cudaFree(x);
    return argc == 1 && !right;
}
