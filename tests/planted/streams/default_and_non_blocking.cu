// kind: race
// at: @made or @used
// A stream that does not block does not wait for the default stream's kernels.
struct Cell {
    int value, seen;
};

__global__ void make(Cell *cells)
{
    cells[threadIdx.x + threadIdx.y * blockDim.x].value = threadIdx.y + 5; // @made
}

__global__ void use(Cell *cells, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        cells[i].seen = cells[i].value; // @used
}

int main(int argc, char **)
{
    Cell *cells;
    cudaStream_t other;
    cudaMalloc(&cells, 64 * sizeof *cells);
    cudaStreamCreateWithFlags(&other, argc > 1 ? cudaStreamNonBlocking : cudaStreamDefault);
    make<<<1, dim3(8, 8)>>>(cells);
    use<<<1, 32, 0, other>>>(cells, 64);
    cudaDeviceSynchronize();
    cudaStreamDestroy(other);
    cudaFree(cells);
    return 0;
}
