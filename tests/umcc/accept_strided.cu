/**
 * @file accept_strided.cu
 * @brief Grid-stride loops before a barrier, which the threads of a block go through together
 * (sim/umcc/strided.c): each thread's sum is formed in its own order, whatever the loop's type, size and
 * block.
 */
#include "check.h"

#include <climits>
#include <cstdint>
#include <vector>

enum { MOST = 512 };

/* Each thread's own sum, in its order: float sums tell the order. Threads pass it on through shared memory.
 */
#define SUMS(name, Type, start, compare, step)                                                               \
    __global__ void name(float *sums, const float *a, Type n)                                                \
    {                                                                                                        \
        __shared__ float part[MOST];                                                                         \
        const int t = threadIdx.y * blockDim.x + threadIdx.x;                                                \
        const Type width = gridDim.x * blockDim.x * blockDim.y;                                              \
        float sum = 0.1f;                                                                                    \
        for (Type i = start; i compare n; i += step)                                                         \
            sum += a[i];                                                                                     \
        part[t] = sum;                                                                                       \
        __syncthreads();                                                                                     \
        sums[blockIdx.x * blockDim.x * blockDim.y + t] = part[t];                                            \
    }
#define HERE (blockIdx.x * blockDim.x * blockDim.y + t)
SUMS(of_int, int, HERE, <, width)
SUMS(of_unsigned, unsigned, HERE, <, width)
SUMS(of_long, long, HERE, <, width)
SUMS(of_size, size_t, HERE, <, gridDim.x *blockDim.x)
SUMS(up_to, int, HERE, <=, width)
SUMS(every_other, int, 2 * HERE, <, 2 * width)
SUMS(backwards, int, (int)(gridDim.x *blockDim.x *blockDim.y - 1 - HERE), <, width)
SUMS(of_short, short, HERE, <, width)

/* What it would be turned into is refused, or would be wrong. */
__global__ void others(float *sums, const float *a, int n, const int *limit)
{
    __shared__ float part[MOST];
    const int t = threadIdx.x;
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
        if (a[i] < 0.25f)
            continue;
        sum += a[i];
    }
    for (int i = blockIdx.x * blockDim.x + t; i < *limit; i += gridDim.x * blockDim.x)
        sum += 2 * a[i];
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        if (a[i] > 0.9f)
            i += gridDim.x * blockDim.x;
        else
            sum += 4 * a[i];
    int mine[4] = {0, 0, 0, 0};
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        mine[i % 4]++;
    part[t] = sum + mine[1];
    __syncthreads();
    sums[blockIdx.x * blockDim.x + t] = part[t];
}

/* Two variables, a store and a loop inside; the loop's variable ends at the type's largest number. */
__global__ void least_and_most(float *to, const float *a, int from, int n)
{
    __shared__ float part[2][MOST];
    const int t = threadIdx.x;
    float least = 2, most = -1;
    for (int i = from + blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
        const float x = a[i - from];
        for (int k = 0; k < 3; k++)
            least = x < least - k ? x : least;
        most = x > most ? x : most;
        to[2 * MOST + i - from] = x + most;
    }
    part[0][t] = least;
    part[1][t] = most;
    __syncthreads();
    to[t] = part[0][blockDim.x - 1 - t];
    to[MOST + t] = part[1][t];
}

static std::vector<float> numbers(int count)
{
    std::vector<float> list(count);
    unsigned state = 1;
    for (float &x : list)
        x = (float)((state = state * 1664525 + 1013904223) >> 8) / (1 << 24);
    return list;
}

static float *on_device(const std::vector<float> &list)
{
    float *p = nullptr;
    CHECK(cudaMalloc(&p, list.size() * sizeof(float)) == cudaSuccess);
    CHECK(cudaMemcpy(p, list.data(), list.size() * sizeof(float), cudaMemcpyHostToDevice) == cudaSuccess);
    return p;
}

static std::vector<float> from_device(const float *p, int count)
{
    std::vector<float> list(count);
    CHECK(cudaMemcpy(list.data(), p, count * sizeof(float), cudaMemcpyDeviceToHost) == cudaSuccess);
    return list;
}

template <class T> struct sums_of {
    void (*kernel)(float *, const float *, T);
    const float *device;
    const std::vector<float> &list;
    float *sums;

    /* `begin`, `step`: of thread `g` of all */
    template <class Begin> void check(dim3 grid, dim3 block, int n, Begin begin, long step, bool also_n) const
    {
        const int threads = (int)(grid.x * block.x * block.y);
        kernel<<<grid, block>>>(sums, device, (T)n);
        SYNC();
        const std::vector<float> got = from_device(sums, threads);
        for (int g = 0; g < threads; g++) {
            float sum = 0.1f;
            for (long i = begin(g); i < n + also_n; i += step)
                sum += list[i];
            CHECK(got[g] == sum);
        }
    }
};

template <class T>
void check_sums(void (*kernel)(float *, const float *, T), const float *device,
                const std::vector<float> &list, float *sums, bool also_n = false)
{
    const sums_of<T> it = {kernel, device, list, sums};
    const dim3 blocks[] = {dim3(64), dim3(1), dim3(33), dim3(16, 4), dim3(256)};
    for (const dim3 &block : blocks)
        for (int n : {0, 1, 31, 63, 64, 65, 1000, 4099, 9000}) {
            const long width = 3 * block.x * block.y;
            it.check(
                dim3(3), block, n, [](long g) { return g; }, width, also_n);
        }
}

static void check_others(const float *device, const std::vector<float> &list, float *sums)
{
    int *limit, value = 700;
    CHECK(cudaMalloc(&limit, sizeof value) == cudaSuccess);
    CHECK(cudaMemcpy(limit, &value, sizeof value, cudaMemcpyHostToDevice) == cudaSuccess);
    others<<<2, 64>>>(sums, device, 3001, limit);
    SYNC();
    const std::vector<float> got = from_device(sums, 128);
    for (int g = 0; g < 128; g++) {
        float sum = 0;
        int ones = 0;
        for (int i = g; i < 3001; i += 128)
            sum += list[i] < 0.25f ? 0 : list[i];
        for (int i = g; i < value; i += 128)
            sum += 2 * list[i];
        for (int i = g; i < 3001; i += 128)
            if (list[i] > 0.9f)
                i += 128;
            else
                sum += 4 * list[i];
        for (int i = g; i < 3001; i += 128)
            ones += i % 4 == 1;
        CHECK(got[g] == sum + ones);
    }
    CHECK(cudaFree(limit) == cudaSuccess);
}

static void check_ends(const float *device, const std::vector<float> &list, float *to)
{
    const int n = 900, threads = 128;
    for (int from : {0, INT_MAX - n - threads, -450}) {
        least_and_most<<<1, threads>>>(to, device, from, from + n);
        SYNC();
        const std::vector<float> got = from_device(to, 2 * MOST + n);
        for (int t = 0; t < threads; t++) {
            float least = 2, most = -1;
            for (int i = t; i < n; i += threads) {
                const float x = list[i];
                for (int k = 0; k < 3; k++)
                    least = x < least - k ? x : least;
                most = x > most ? x : most;
                CHECK(got[2 * MOST + i] == x + most);
            }
            CHECK(got[threads - 1 - t] == least && got[MOST + t] == most);
        }
    }
}

int main()
{
    const std::vector<float> list = numbers(1 << 16);
    float *device = on_device(list), *sums = on_device(list);
    check_sums(of_int, device, list, sums);
    check_sums(of_unsigned, device, list, sums);
    check_sums(of_long, device, list, sums);
    check_sums(up_to, device, list, sums, true);
    check_sums(of_short, device, list, sums);
    for (int n : {0, 100, 5000}) {
        const sums_of<int> other = {every_other, device, list, sums}, back = {backwards, device, list, sums};
        const sums_of<size_t> size = {of_size, device, list, sums};
        other.check(
            dim3(2), dim3(96), n, [](long g) { return 2 * g; }, 2 * 192, false);
        back.check(
            dim3(2), dim3(96), n, [](long g) { return 191 - g; }, 192, false);
        size.check(
            dim3(2), dim3(96), n, [](long g) { return g; }, 192, false);
    }
    check_others(device, list, sums);
    check_ends(device, list, sums);
    CHECK(cudaFree(device) == cudaSuccess && cudaFree(sums) == cudaSuccess);
    return failures != 0;
}
