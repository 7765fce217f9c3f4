// kind: leak
// at: @row
// The rows of a table are freed from 1 on.
int main(int argc, char **)
{
    const int rows = 5;
    float *row[rows], **table;
    for (float *&r : row)
        cudaMalloc(&r, 100); // @row
    cudaMalloc(&table, sizeof row);
    cudaMemcpy(table, row, sizeof row, cudaMemcpyHostToDevice);
    for (int y = argc > 1 ? 1 : 0; y < rows; y++)
        cudaFree(row[y]);
    cudaFree(table);
    return 0;
}
