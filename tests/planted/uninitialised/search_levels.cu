// kind: uninitialised
// at: @level
// A search sets the level of its start, and asks all others whether theirs is still -1.
__global__ void expand(int *level, int n, int now)
{
    const int v = threadIdx.x, from = v > 0 ? v - 1 : 0;
    const bool reached = v < n && level[from] == now && level[v] == -1; // @level
    __syncthreads();
    if (reached)
        level[v] = now + 1;
}

int main(int argc, char **)
{
    const int n = 40, zero = 0;
    int *level;
    cudaMalloc(&level, n * sizeof *level);
    if (argc == 1)
        cudaMemset(level, 255, n * sizeof *level);
    cudaMemcpy(level, &zero, sizeof zero, cudaMemcpyHostToDevice);
    for (int now = 0; now < 3; now++)
        expand<<<1, 64>>>(level, n, now);
    cudaDeviceSynchronize();
    cudaFree(level);
    return 0;
}
