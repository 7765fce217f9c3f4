// kind: race
// at: @old or @new
// Red and black points take turns: a wrong colour lets a block read what its neighbour writes.
__global__ void relax(float *grid, int side, int colour, bool bad)
{
    const int x = blockIdx.x * 8 + threadIdx.x + 1, y = blockIdx.y * 8 + threadIdx.y + 1;
    if (x >= side - 1 || y >= side - 1 || (bad ? x % 2 : (x + y) % 2) != colour)
        return;
    const float *at = grid + y * side + x;
    const float mean = (at[-1] + at[1] + at[-side] + at[side]) / 4; // @old
    grid[y * side + x] = mean;                                      // @new
}

int main(int argc, char **)
{
    const int side = 34;
    float *grid;
    cudaMallocManaged(&grid, side * side * sizeof *grid);
    for (int i = 0; i < side * side; i++)
        grid[i] = i % 17;
    for (int turn = 0; turn < 4; turn++)
        relax<<<dim3(4, 4), dim3(8, 8)>>>(grid, side, turn % 2, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(grid);
    return 0;
}
