// kind: race
// at: @row
// __threadfence_block() orders for the own block only, and a row is handed to the next block.
__global__ void rows(int *m, int width, int *arrived, bool bad)
{
    int *row = m + blockIdx.x * width;
    bool seen = blockIdx.x == 0;
    for (int turn = 0; turn < 100000 && !seen; turn++)
        seen = atomicAdd(arrived, 0) >= blockIdx.x;
    __threadfence();
    if (!seen)
        return;
    for (int i = 0; i < width; i++)
        row[i] += blockIdx.x ? row[i - width] : 1; // @row
    if (bad)
        __threadfence_block();
    else
        __threadfence();
    atomicAdd(arrived, 1);
}

int main(int argc, char **)
{
    int *m;
    cudaMallocManaged(&m, (4 * 10 + 1) * sizeof *m);
    for (int i = 0; i < 4 * 10 + 1; i++)
        m[i] = 0;
    rows<<<4, 1>>>(m, 10, m + 40, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(m);
    return 0;
}
