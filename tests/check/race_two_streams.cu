// expect: Error: Race reported between Write access at fill(float*, int)
// expect: and Read access at sum(float const*, float*, int)
// expect: in kernels of two streams, launched at @first and @second
// expect: Nothing puts the two kernels in order: cudaStreamWaitEvent()
// A kernel reads what another one of another stream writes; the event between them is missing.
__global__ void fill(float *x, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        x[i] = (float)i;
}

__global__ void sum(const float *x, float *out, int n)
{
    float all = 0;
    for (int i = 0; i < n; i++)
        all += x[i];
    *out = all;
}

int main(int argc, char **)
{
    const int n = 1000;
    float *x, *out;
    cudaStream_t a, b;
    cudaEvent_t filled;
    cudaMalloc(&x, n * sizeof *x);
    cudaMalloc(&out, sizeof *out);
    cudaMemset(x, 0, n * sizeof *x);
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaEventCreate(&filled);
    cudaDeviceSynchronize();
    fill<<<(n + 255) / 256, 256, 0, a>>>(x, n); // @first
    cudaEventRecord(filled, a);
    if (argc == 1)
        cudaStreamWaitEvent(b, filled, 0);
    sum<<<1, 1, 0, b>>>(x, out, n); // @second
    cudaStreamSynchronize(a);
    cudaStreamSynchronize(b);
    sum<<<1, 1, 0, a>>>(x, out, n);
    cudaDeviceSynchronize();
    cudaEventDestroy(filled);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    cudaFree(x);
    cudaFree(out);
    return 0;
}
