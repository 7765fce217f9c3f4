// kind: out of bounds
// at: @row
// A row is dropped, and the table of pointers on the device still has it.
__global__ void trace(int *const *row, int n, int *sum)
{
    if (threadIdx.x < n && row[threadIdx.x])
        atomicAdd(sum, row[threadIdx.x][threadIdx.x]); // @row
}

int main(int argc, char **)
{
    int *row[4], **table, *sum;
    for (int *&r : row) {
        cudaMalloc(&r, 16);
        cudaMemset(r, 0, 16);
    }
    cudaMalloc(&table, sizeof row);
    cudaMalloc(&sum, sizeof *sum);
    cudaMemset(sum, 0, sizeof *sum);
    cudaMemcpy(table, row, sizeof row, cudaMemcpyHostToDevice);
    cudaFree(row[2]);
    row[2] = nullptr;
    if (argc == 1)
        cudaMemcpy(table, row, sizeof row, cudaMemcpyHostToDevice);
    trace<<<1, 4>>>(table, 4, sum);
    cudaDeviceSynchronize();
    for (int *r : row)
        cudaFree(r);
    cudaFree(table);
    cudaFree(sum);
    return 0;
}
