// kind: race
// at: @best
// The best of each row: the blocks of a row share a cell, and atomicMax_block() knows only its own block.
struct Row {
    int best, cells;
};

__device__ void offer(Row *row, int value, bool bad)
{
    if (bad)
        atomicMax_block(&row->best, value); // @best
    else
        atomicMax(&row->best, value);
}

__global__ void rows(const int *m, int width, Row *row, bool bad)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    offer(&row[y], m[y * width + x], bad);
    atomicAdd(&row[y].cells, 1);
}

int main(int argc, char **)
{
    int *m;
    Row *row;
    cudaMallocManaged(&m, 3 * 64 * sizeof *m);
    for (int i = 0; i < 3 * 64; i++)
        m[i] = i * 11 % 97 + 1;
    cudaMalloc(&row, 3 * sizeof *row);
    cudaMemset(row, 0, 3 * sizeof *row);
    rows<<<dim3(4, 3), 16>>>(m, 64, row, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(m);
    cudaFree(row);
    return 0;
}
