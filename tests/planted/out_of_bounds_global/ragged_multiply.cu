// kind: out of bounds
// at: @load
// A tiled multiply whose inner size is no multiple of the tile: one of its two loads does not look at that.
#define TILE 8

__global__ void multiply(const float *a, const float *b, float *c, int n, int inner, bool careful)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    float sum = 0;
    for (int t = 0; t < inner; t += TILE) {
        const int k = t + threadIdx.y;
        as[threadIdx.y][threadIdx.x] = t + threadIdx.x < inner ? a[y * inner + t + threadIdx.x] : 0;
        bs[threadIdx.y][threadIdx.x] = !careful || k < inner ? b[k * n + x] : 0; // @load
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
        __syncthreads();
    }
    c[y * n + x] = sum;
}

int main(int argc, char **)
{
    const int n = 16, inner = 20;
    float *a, *b, *c;
    cudaMalloc(&a, n * inner * sizeof *a);
    cudaMalloc(&b, n * inner * sizeof *b);
    cudaMalloc(&c, n * n * sizeof *c);
    cudaMemset(a, 0, n * inner * sizeof *a);
    cudaMemset(b, 0, n * inner * sizeof *b);
    multiply<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(a, b, c, n, inner, argc == 1);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    return 0;
}
