// kind: race
// at: @decayed
// A loop whose stride is the block's size instead of the grid's: every block changes the values of the later
// ones.
struct Cell {
    float charge;
    int changes;
};

__global__ void decay(Cell *cells, int n, bool bad)
{
    const int stride = bad ? blockDim.x : gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        cells[i].charge *= 0.5f; // @decayed
        cells[i].changes++;
    }
}

int main(int argc, char **)
{
    Cell *cells;
    cudaMallocManaged(&cells, 400 * sizeof *cells);
    for (int i = 0; i < 400; i++)
        cells[i] = {8, 0};
    decay<<<3, 32>>>(cells, 400, argc > 1);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || cells[399].changes == 1;
    cudaFree(cells);
    return !right;
}
