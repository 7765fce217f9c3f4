// kind: race
// at: @column
// The sums of a matrix's columns: the blocks below each other add to the same ones.
template <typename T, int ROWS>
__global__ void column_sums(const T *m, size_t pitch, int width, T *sums, bool bad)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= width)
        return;
    T mine = 0;
    for (int row = blockIdx.y * ROWS; row < (blockIdx.y + 1) * ROWS; row++)
        mine += reinterpret_cast<const T *>(reinterpret_cast<const char *>(m) + row * pitch)[column];
    if (bad)
        sums[column] = sums[column] + mine; // @column
    else
        atomicAdd(&sums[column], mine);
}

int main(int argc, char **)
{
    float *m, *sums;
    size_t pitch;
    cudaMallocPitch(&m, &pitch, 50 * sizeof *m, 24);
    cudaMemset2D(m, pitch, 1, 50 * sizeof *m, 24);
    cudaMalloc(&sums, 50 * sizeof *sums);
    cudaMemset(sums, 0, 50 * sizeof *sums);
    column_sums<float, 8><<<dim3(2, 3), 32>>>(m, pitch, 50, sums, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(m);
    cudaFree(sums);
    return 0;
}
