// kind: out of bounds
// at: @moved
// A matrix that is not square is transposed, and the two bounds of the test are mixed up.
template <typename T>
__global__ void transpose(const T *in, T *out, int columns, int rows, int wide, int high)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < wide && y < high)
        out[x * rows + y] = in[y * columns + x]; // @moved
}

int main(int argc, char **)
{
    const int columns = 40, rows = 24;
    const bool bad = argc > 1;
    double *in, *out;
    cudaMalloc(&in, columns * rows * sizeof *in);
    cudaMalloc(&out, columns * rows * sizeof *out);
    cudaMemset(in, 0, columns * rows * sizeof *in);
    const dim3 block(8, 8), grid(5, 5);
    if (bad)
        transpose<<<grid, block>>>(in, out, columns, rows, rows, columns);
    else
        transpose<<<grid, block>>>(in, out, columns, rows, columns, rows);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
