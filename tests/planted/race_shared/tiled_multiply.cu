// kind: race
// at: @loaded or @used
// A tiled multiply needs a second barrier: else the next tile is loaded while others still use this one.
constexpr int SIDE = 32, TILE = 16;

template <bool Bad> __global__ void multiply(const float *a, const float *b, float *c)
{
    __shared__ float left[TILE][TILE], right[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0;
    for (int step = 0; step < SIDE; step += TILE) {
        left[y][x] = a[row * SIDE + step + x]; // @loaded
        right[y][x] = b[(step + y) * SIDE + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += left[y][k] * right[k][x]; // @used
        if (!Bad)
            __syncthreads();
    }
    c[row * SIDE + column] = sum;
}

int main(int argc, char **)
{
    float *a;
    cudaMallocManaged(&a, 3 * SIDE * SIDE * sizeof *a);
    for (int i = 0; i < 3 * SIDE * SIDE; i++)
        a[i] = i % 7;
    auto kernel = argc > 1 ? multiply<true> : multiply<false>;
    kernel<<<dim3(2, 2), dim3(TILE, TILE)>>>(a, a + SIDE * SIDE, a + 2 * SIDE * SIDE);
    cudaDeviceSynchronize();
    cudaFree(a);
    return 0;
}
