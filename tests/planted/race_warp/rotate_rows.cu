// kind: race
// at: @row or @rotated
// Each warp rotates a row of its own, which only its own lanes write: that is no order of the lanes.
template <typename T, int ROWS> __global__ void rotate(T *matrix, int by, bool bad)
{
    __shared__ T row[ROWS][32];
    const int lane = threadIdx.x, y = threadIdx.y;
    row[y][lane] = matrix[y * 32 + lane]; // @row
    if (!bad)
        __syncwarp();
    matrix[y * 32 + lane] = row[y][(lane + by) % 32]; // @rotated
}

int main(int argc, char **)
{
    double *matrix;
    cudaMallocManaged(&matrix, 4 * 32 * sizeof *matrix);
    for (int i = 0; i < 4 * 32; i++)
        matrix[i] = i;
    rotate<double, 4><<<1, dim3(32, 4)>>>(matrix, 5, argc > 1);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || matrix[32] == 37;
    cudaFree(matrix);
    return !right;
}
