// kind: leak
// at: @second
// Two pinned buffers take turns, and only the one that was used last is given back.
__global__ void add(int *x, int n)
{
    if (threadIdx.x < n)
        x[threadIdx.x] += 1;
}

int main(int argc, char **)
{
    int *buffer[2], *x;
    cudaMallocHost(&buffer[0], 256);
    cudaMallocHost(&buffer[1], 256); // @second
    cudaMalloc(&x, 256);
    for (int i = 0; i < 64; i++)
        buffer[0][i] = buffer[1][i] = i;
    for (int turn = 0; turn < 3; turn++) {
        cudaMemcpyAsync(x, buffer[turn % 2], 256, cudaMemcpyHostToDevice);
        add<<<1, 64>>>(x, 64);
        cudaMemcpyAsync(buffer[turn % 2], x, 256, cudaMemcpyDeviceToHost);
        cudaDeviceSynchronize();
    }
    cudaFreeHost(buffer[0]);
    if (argc == 1)
        cudaFreeHost(buffer[1]);
    cudaFree(x);
    return 0;
}
