// kind: race
// at: @loaded or @used
// A warp multiplies a matrix by a vector, a piece of the vector at a time: the piece is loaded over while it
// is read.
__global__ void multiply(const float *matrix, const float *vector, float *out, int width, bool bad)
{
    __shared__ float piece[2][32];
    const int lane = threadIdx.x, row = blockIdx.x * 64 + threadIdx.y * 32 + lane;
    float sum = 0;
    for (int first = 0; first < width; first += 32) {
        piece[threadIdx.y][lane] = vector[first + lane]; // @loaded
        __syncwarp();
        for (int k = 0; k < 32; k++)
            sum += matrix[(first + k) * 64 + row] * piece[threadIdx.y][k]; // @used
        if (!bad)
            __syncwarp();
    }
    out[row] = sum;
}

int main(int argc, char **)
{
    float *matrix;
    cudaMallocManaged(&matrix, (64 * 96 + 96 + 64) * sizeof *matrix);
    for (int i = 0; i < 64 * 96 + 96; i++)
        matrix[i] = i % 3;
    multiply<<<1, dim3(32, 2)>>>(matrix, matrix + 64 * 96, matrix + 65 * 96, 96, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(matrix);
    return 0;
}
