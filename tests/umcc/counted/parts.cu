/* Kernels that are counted in parts: functions of another file (far.cu), blocks that wait for the grid,
 * kernels that kernels launch. Each one's time follows how it accesses memory. Compiled with -rdc=true
 * (cases_counted.sh). */
#include <cooperative_groups.h>
#include <cstdio>

__device__ int far_read(const int *a, size_t i);
template <int STEP> __device__ int near_read(const int *a, size_t i)
{
    return a[i * STEP];
}

static int wrong;

__global__ void by_other_file(const int *a, int *out, size_t apart)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (far_read(a, i * apart) == -1)
        *out = 1;
}

__global__ void in_this_file(const int *a, int *out, size_t apart)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (near_read<1>(a, i * apart) == -1)
        *out = 1;
}

__global__ void together(int *a, size_t n, size_t apart)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x, i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    a[(i * apart) % n] = (int)i;
    cooperative_groups::this_grid().sync();
    a[(i + threads / 2) % threads * apart % n] += 1;
}

__global__ void parent(const int *a, int *out, size_t apart, unsigned blocks)
{
    by_other_file<<<blocks, 256>>>(a, out, apart);
}

template <class Launch> static double time_of(const char *name, Launch launch)
{
    cudaEvent_t begin, end;
    float ms = 0;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    launch(); /* what fits is in the second level of cache then */
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
    const size_t words = (size_t)16 << 20, few = words / 32;
    const unsigned blocks = few / 256;
    int *a, *out;
    if (cudaMalloc(&a, words * 4) || cudaMalloc(&out, 4))
        return 1;
    const double own_dense = time_of("dense", [&] { in_this_file<<<blocks, 256>>>(a, out, 1); });
    const double own_sparse = time_of("sparse", [&] { in_this_file<<<blocks, 256>>>(a, out, 32); });
    expect(own_sparse, own_dense, 1.5, 12);
    const double far_dense =
        time_of("dense, by another file", [&] { by_other_file<<<blocks, 256>>>(a, out, 1); });
    const double far_sparse =
        time_of("sparse, by another file", [&] { by_other_file<<<blocks, 256>>>(a, out, 32); });
    expect(far_dense, own_dense, 0.95, 1.05);
    expect(far_sparse, own_sparse, 0.95, 1.05);
    const double child_dense = time_of("dense, child", [&] { parent<<<1, 1>>>(a, out, 1, blocks); });
    const double child_sparse = time_of("sparse, child", [&] { parent<<<1, 1>>>(a, out, 32, blocks); });
    expect(child_sparse - child_dense, own_sparse - own_dense, 0.8, 3);
    double waits[2];
    for (size_t apart : {1, 32}) {
        size_t n = words, step = apart;
        void *arguments[] = {&a, &n, &step};
        waits[apart > 1] = time_of(apart > 1 ? "sparse, together" : "dense, together", [&] {
            if (cudaLaunchCooperativeKernel((const void *)together, 132 * 4, 256, arguments, 0, 0))
                wrong = 1;
        });
    }
    expect(waits[1], waits[0], 1.1, 30);
    return wrong || cudaDeviceSynchronize() != cudaSuccess;
}
