/* Kernels whose modelled time depends on how they access memory. Compiled by umcc
 * (cases_counted.sh): the ratios are those of an H200 (tests/cost/measured), within a wide margin. */
#include <cstdio>
#include <cstdlib>

static int wrong;

__global__ void copy(const float *a, float *b, int n)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    b[y * n + x] = a[y * n + x];
}

__global__ void naive(const float *a, float *b, int n)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    b[x * n + y] = a[y * n + x];
}

template <int PAD> __global__ void tiled(const float *a, float *b, int n)
{
    __shared__ float tile[32][32 + PAD];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = a[y * n + x];
    __syncthreads();
    b[(blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void read_apart(const int *a, int *out, size_t n, size_t apart)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && a[i * apart] == -1)
        *out = 1;
}

__global__ void count_values(int *counters, int n, int mask)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&counters[i & mask], 1);
}

__global__ void sum(const int *a, int *out, size_t n)
{
    int all = 0;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        all += a[i];
    if (all == -1)
        *out = 1;
}

template <class Launch> static double time_of(const char *name, Launch launch)
{
    cudaEvent_t begin, end;
    float ms = 0;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin);
    launch();
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&ms, begin, end);
    printf("%-24s %9.2f us\n", name, 1e3 * ms);
    return 1e3 * ms;
}

/* `a` takes from `least` to `most` times as long as `b`. */
static void expect(double a, double b, double least, double most)
{
    if (a < least * b || a > most * b)
        printf("wrong: the ratio is %.2f, not %.2f to %.2f\n", a / b, least, most), wrong = 1;
}

int main()
{
    const int n = 1024;
    const size_t words = (size_t)32 << 20;
    const dim3 grid(n / 32, n / 32), block(32, 32);
    float *a, *b;
    int *near, *far;
    if (cudaMalloc(&a, n * n * 4) || cudaMalloc(&b, n * n * 4) || cudaMalloc(&near, words * 4) ||
        cudaMallocHost(&far, words * 4))
        return 1;
    const double copied = time_of("copy", [&] { copy<<<grid, block>>>(a, b, n); });
    const double slow = time_of("transpose", [&] { naive<<<grid, block>>>(a, b, n); });
    const double banks = time_of("transpose tiled", [&] { tiled<0><<<grid, block>>>(a, b, n); });
    const double fast = time_of("transpose padded", [&] { tiled<1><<<grid, block>>>(a, b, n); });
    expect(slow, copied, 1.7, 3.5);
    expect(slow, banks, 1.4, 3);
    expect(banks, fast, 1.1, 1.9);
    const double dense = time_of("read", [&] { read_apart<<<words / 256, 256>>>(near, near, words, 1); });
    const double sparse =
        time_of("read 1 of 32", [&] { read_apart<<<words / 8192, 256>>>(near, near, words / 32, 32); });
    expect(dense, sparse, 1.2, 5);
    const double mapped = time_of("mapped", [&] { read_apart<<<words / 256, 256>>>(far, near, words, 1); });
    const double pages = time_of("mapped 1 of 1024",
                                 [&] { read_apart<<<words / 262144, 256>>>(far, near, words / 1024, 1024); });
    expect(mapped, pages, 30, 80); /* an H200: 2634 and 99 us for twice as many */
    const double hot = time_of("atomics of one", [&] { count_values<<<n, n>>>(near, n * n, 0); });
    const double cool = time_of("atomics of many", [&] { count_values<<<n, n>>>(near, n * n, n * n - 1); });
    expect(hot, cool, 40, 200);
    const double few = time_of("sum by few", [&] { sum<<<132, 256>>>(near, near, words); });
    const double many = time_of("sum by many", [&] { sum<<<132 * 8, 256>>>(near, near, words); });
    expect(few, many, 4, 9);
    return wrong || cudaDeviceSynchronize() != cudaSuccess;
}
