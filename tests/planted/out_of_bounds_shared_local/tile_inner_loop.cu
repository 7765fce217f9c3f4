// kind: out of bounds
// at: @inner
// The inner loop of a tiled multiply makes one turn too many.
#define TILE 16

__global__ void multiply(const float *a, const float *b, float *c, int n, int turns)
{
    __shared__ float as[TILE][TILE];
    __shared__ float bs[TILE][TILE];
    const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    float sum = 0;
    for (int t = 0; t < n; t += TILE) {
        as[threadIdx.y][threadIdx.x] = a[y * n + t + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + x];
        __syncthreads();
        for (int k = 0; k < turns; k++)
            sum += as[threadIdx.y][k] * bs[k][threadIdx.x]; // @inner
        __syncthreads();
    }
    c[y * n + x] = sum;
}

int main(int argc, char **)
{
    const int n = 32;
    float *m[3];
    for (float *&p : m) {
        cudaMalloc(&p, n * n * sizeof *p);
        cudaMemset(p, 0, n * n * sizeof *p);
    }
    multiply<<<dim3(2, 2), dim3(TILE, TILE)>>>(m[0], m[1], m[2], n, argc > 1 ? TILE + 1 : TILE);
    cudaDeviceSynchronize();
    for (float *p : m)
        cudaFree(p);
    return 0;
}
