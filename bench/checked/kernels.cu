/**
 * @file kernels.cu
 * @brief Ten kernels of a course, timed by the host's clock: what umcc --check costs (bench/checked.py).
 *
 * Prints `NAME SECONDS` for each: the best of some rounds, after one that is not counted.
 */
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#define TILE 16
#define BLOCK 256

__global__ void saxpy(float *c, float factor, const float *a, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = factor * a[i] + c[i];
}

__global__ void triad(float *c, const float *a, const float *b, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + 0.4f * b[i];
}

__global__ void grid_stride(float *c, float factor, const float *a, size_t n)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        c[i] = factor * a[i] + c[i];
}

__global__ void tiled_multiply(float *c, const float *a, const float *b, int side)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0;
    for (int t = 0; t < side / TILE; t++) {
        as[y][x] = a[row * side + t * TILE + x];
        bs[y][x] = b[(t * TILE + y) * side + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += as[y][k] * bs[k][x];
        __syncthreads();
    }
    c[row * side + column] = sum;
}

__global__ void naive_multiply(float *c, const float *a, const float *b, int side)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < side; k++)
        sum += a[y * side + k] * b[k * side + x];
    c[y * side + x] = sum;
}

__global__ void histogram(unsigned *total, const unsigned char *data, size_t n)
{
    __shared__ unsigned part[BLOCK];
    part[threadIdx.x] = 0;
    __syncthreads();
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        atomicAdd(&part[data[i]], 1u);
    __syncthreads();
    atomicAdd(&total[threadIdx.x], part[threadIdx.x]);
}

__global__ void stencil(float *out, const float *in, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && y > 0 && x < width - 1 && y < height - 1)
        out[y * width + x] = 0.2f * (in[y * width + x] + in[y * width + x - 1] + in[y * width + x + 1] +
                                     in[(y - 1) * width + x] + in[(y + 1) * width + x]);
}

__global__ void reduce(float *sums, const float *a)
{
    __shared__ float part[BLOCK];
    const unsigned t = threadIdx.x;
    part[t] = a[(size_t)blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned d = blockDim.x / 2; d > 0; d /= 2) {
        if (t < d)
            part[t] += part[t + d];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = part[0];
}

__global__ void transpose(float *out, const float *in, int side)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * side + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        out[(y + j) * side + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void shuffles(float *sums, const float *a)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = a[i];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, d);
    if (threadIdx.x % 32 == 0)
        sums[i / 32] = sum;
}

static double now()
{
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

template <class Work> static void time_of(const char *name, int rounds, Work work)
{
    double best = 1e9;
    for (int i = 0; i <= rounds; i++) {
        const double start = now();
        work();
        if (cudaDeviceSynchronize() != cudaSuccess)
            exit(1);
        if (i > 0 && now() - start < best)
            best = now() - start;
    }
    printf("%s %.6f\n", name, best);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : 3, side = 1024;
    const size_t n = (size_t)1 << 24, some = (size_t)1 << 20;
    const dim3 tile(TILE, TILE), row(32, 8);
    float *a, *b, *c;
    unsigned *total;
    std::vector<float> numbers(n);
    for (size_t i = 0; i < n; i++)
        numbers[i] = (float)(i * 2654435761U >> 8 & 0xffff);
    cudaMalloc(&a, n * sizeof *a);
    cudaMalloc(&b, n * sizeof *b);
    cudaMalloc(&c, n * sizeof *c);
    cudaMalloc(&total, BLOCK * sizeof *total);
    cudaMemset(total, 0, BLOCK * sizeof *total);
    for (float *p : {a, b, c})
        cudaMemcpy(p, numbers.data(), n * sizeof *p, cudaMemcpyHostToDevice);
    time_of("saxpy", rounds, [=] { saxpy<<<n / BLOCK, BLOCK>>>(c, 0.5f, a, n); });
    time_of("triad", rounds, [=] { triad<<<n / BLOCK, BLOCK>>>(c, a, b, n); });
    time_of("grid_stride", rounds, [=] { grid_stride<<<512, BLOCK>>>(c, 0.5f, a, n); });
    time_of("tiled_multiply", rounds, [=] { tiled_multiply<<<dim3(32, 32), tile>>>(c, a, b, 32 * TILE); });
    time_of("naive_multiply", rounds, [=] { naive_multiply<<<dim3(16, 16), tile>>>(c, a, b, 16 * TILE); });
    time_of("histogram", rounds, [=] { histogram<<<64, BLOCK>>>(total, (const unsigned char *)a, some); });
    time_of("stencil", rounds, [=] { stencil<<<dim3(side / 32, side / 8), row>>>(c, a, side, side); });
    time_of("reduce", rounds, [=] { reduce<<<some / BLOCK, BLOCK>>>(c, a); });
    time_of("transpose", rounds, [=] { transpose<<<dim3(side / 32, side / 32), row>>>(c, a, side); });
    time_of("shuffles", rounds, [=] { shuffles<<<some / BLOCK, BLOCK>>>(c, a); });
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    cudaFree(total);
    return 0;
}
