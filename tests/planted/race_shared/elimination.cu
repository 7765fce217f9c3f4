// kind: race
// at: @factor or @cleared
// Gaussian elimination: a row's threads read the factor of the row, and one of them overwrites it.
constexpr int N = 12;

__global__ void eliminate(double *matrix, bool bad)
{
    __shared__ double m[N][N];
    const int column = threadIdx.x, row = threadIdx.y;
    m[row][column] = matrix[row * N + column];
    __syncthreads();
    for (int pivot = 0; pivot < N - 1; pivot++) {
        double factor = 0;
        if (row > pivot)
            factor = m[row][pivot] / m[pivot][pivot]; // @factor
        if (!bad)
            __syncthreads();
        if (row > pivot && column >= pivot)
            m[row][column] -= factor * m[pivot][column]; // @cleared
        __syncthreads();
    }
    matrix[row * N + column] = m[row][column];
}

int main(int argc, char **)
{
    double *matrix;
    cudaMallocManaged(&matrix, N * N * sizeof *matrix);
    for (int i = 0; i < N * N; i++)
        matrix[i] = i % (N + 1) == 0 ? 20 : i % 7;
    eliminate<<<1, dim3(N, N)>>>(matrix, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(matrix);
    return 0;
}
