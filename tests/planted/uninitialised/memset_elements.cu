// kind: uninitialised
// at: @add
// cudaMemset counts bytes: of 100 sums only 25 begin at zero.
template <typename T> __global__ void add_columns(const T *matrix, T *sum, int rows, int columns)
{
    const int x = threadIdx.x, y = blockIdx.x;
    if (x < columns && y < rows)
        atomicAdd(&sum[x], matrix[y * columns + x]); // @add
}

int main(int argc, char **)
{
    const int rows = 8, columns = 100;
    int *matrix, *sum;
    cudaMalloc(&matrix, rows * columns * sizeof *matrix);
    cudaMalloc(&sum, columns * sizeof *sum);
    cudaMemset(matrix, 0, rows * columns * sizeof *matrix);
    cudaMemset(sum, 0, argc > 1 ? columns : columns * sizeof *sum);
    add_columns<<<rows, 128>>>(matrix, sum, rows, columns);
    cudaDeviceSynchronize();
    cudaFree(matrix);
    cudaFree(sum);
    return 0;
}
