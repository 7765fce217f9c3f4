// kind: race
// at: @row or @column
// A tile is written by rows and read by columns: each thread reads what another one has loaded.
template <typename T, int SIDE> __global__ void transpose(const T *in, T *out, int width, bool bad)
{
    __shared__ T tile[SIDE][SIDE + 1];
    const int x = blockIdx.x * SIDE, y = blockIdx.y * SIDE;
    tile[threadIdx.y][threadIdx.x] = in[(y + threadIdx.y) * width + x + threadIdx.x]; // @row
    if (!bad)
        __syncthreads();
    out[(x + threadIdx.y) * width + y + threadIdx.x] = tile[threadIdx.x][threadIdx.y]; // @column
}

int main(int argc, char **)
{
    double *in, *out;
    cudaMallocManaged(&in, 32 * 32 * sizeof *in);
    cudaMallocManaged(&out, 32 * 32 * sizeof *out);
    for (int i = 0; i < 32 * 32; i++)
        in[i] = i;
    transpose<double, 16><<<dim3(2, 2), dim3(16, 16)>>>(in, out, 32, argc > 1);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || (out[1] == 32 && out[32] == 1);
    cudaFree(in);
    cudaFree(out);
    return !right;
}
