// kind: out of bounds
// at: @stored
// The tile of a transpose with blocks of 32 x 8 threads has eight rows, and x needs thirty-two.
template <int ROWS, int COLUMNS> __global__ void transpose(const float *in, float *out, int width, int height)
{
    __shared__ float tile[ROWS][COLUMNS + 1];
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    tile[threadIdx.x][threadIdx.y] = in[y * width + x]; // @stored
    __syncthreads();
    const int number = threadIdx.y * 32 + threadIdx.x, row = number / 8, column = number % 8;
    out[(blockIdx.x * 32 + row) * height + blockIdx.y * 8 + column] = tile[row][column];
}

int main(int argc, char **)
{
    const int width = 64, height = 24;
    float *in, *out;
    cudaMalloc(&in, width * height * sizeof(float));
    cudaMalloc(&out, width * height * sizeof(float));
    cudaMemset(in, 0, width * height * sizeof(float));
    const dim3 grid(2, 3), block(32, 8);
    if (argc > 1)
        transpose<8, 8><<<grid, block>>>(in, out, width, height);
    else
        transpose<32, 8><<<grid, block>>>(in, out, width, height);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
