// kind: race
// at: @smoothed
// Each stream smooths its part in place, and reads one value of the next part.
__global__ void smooth(int *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = (x[i] + x[i + 1]) / 2; // @smoothed
}

int main(int argc, char **)
{
    int *x, host[101];
    cudaStream_t stream[4];
    cudaMalloc(&x, 101 * sizeof *x);
    for (int i = 0; i < 101; i++)
        host[i] = i * i;
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    for (int i = 0; i < 4; i++) {
        cudaStreamCreate(&stream[i]);
        smooth<<<1, 1, 0, stream[i]>>>(x + i * 25, argc > 1 ? 25 : 24);
    }
    cudaDeviceSynchronize();
    for (int i = 0; i < 4; i++)
        cudaStreamDestroy(stream[i]);
    cudaFree(x);
    return 0;
}
