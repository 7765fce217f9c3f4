// kind: out of bounds
// at: @row
// A table of rows, each of its own new: the loop that fills it makes one row too many.
__global__ void table(int *trace, int rows, int columns, int last)
{
    int **row = new int *[rows];
    for (int y = 0; y < last; y++) {
        row[y] = new int[columns]; // @row
        for (int x = 0; x < columns; x++)
            row[y][x] = x * y;
    }
    int sum = 0;
    for (int i = 0; i < rows && i < columns; i++)
        sum += row[i][i];
    *trace = sum;
    for (int y = 0; y < rows; y++)
        delete[] row[y];
    delete[] row;
}

int main(int argc, char **)
{
    int *trace;
    cudaMalloc(&trace, sizeof *trace);
    table<<<1, 1>>>(trace, 8, 10, argc > 1 ? 9 : 8);
    cudaDeviceSynchronize();
    cudaFree(trace);
    return 0;
}
