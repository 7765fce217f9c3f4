// expect: Error: Race reported between cudaMemset2DAsync at @filled
// expect: and cudaMemcpy2DAsync at @copied
// expect: One writes what the other one uses
// Two streams work on the columns of one matrix, each on its own; with an argument the second one's begin too
// early.
int main(int argc, char **)
{
    const size_t pitch = 256, rows = 20;
    char *matrix, *host;
    cudaStream_t stream[2];
    cudaMalloc(&matrix, pitch * rows);
    cudaMallocHost(&host, 64 * rows);
    for (int i = 0; i < 2; i++)
        cudaStreamCreate(&stream[i]);
    for (size_t i = 0; i < 64 * rows; i++)
        host[i] = i;
    cudaMemset2DAsync(matrix, pitch, 1, 64, rows, stream[0]); // @filled
    char *to = matrix + (argc > 1 ? 63 : 64);
    cudaMemcpy2DAsync(to, pitch, host, 64, 64, rows, cudaMemcpyHostToDevice, stream[1]); // @copied
    cudaMemsetAsync(matrix + 128, 1, 64, stream[0]);
    cudaMemsetAsync(matrix + 192, 2, 64, stream[1]);
    cudaDeviceSynchronize();
    for (int i = 0; i < 2; i++)
        cudaStreamDestroy(stream[i]);
    cudaFree(matrix);
    cudaFreeHost(host);
    return 0;
}
