/*
 * Kernels that only number their threads: their blocks are run as one row. Every thread has to be run once,
 * whatever the blocks, and what only looks like a number has to be what it is.
 */
#include "check.h"

__global__ void count(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i]++;
}
__global__ void count_together(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&out[i], 1);
}
__global__ void count_all(int *out)
{
    out[threadIdx.x + blockDim.x * blockIdx.x] += gridDim.x;
}
__global__ void cut_short(int *out)
{
    int i = (unsigned char)blockIdx.x * blockDim.x + threadIdx.x;
    out[i]++;
}
__global__ void twice_as_far(int *out)
{
    int i = 2 * blockIdx.x * blockDim.x + threadIdx.x;
    out[i]++;
}
__global__ void last_thread(long *last)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 4000000000u - 256)
        last[i - (4000000000u - 256)] = (long)i;
}

int main()
{
    const int most = 100000;
    int *out = make_managed<int>(most);
    for (int threads : {1, 7, 32, 250, 1024})
        for (int n : {0, 1, 31, 1000, 4096, 99999}) {
            count<<<(n + threads) / threads, threads>>>(out, n);
            SYNC();
            for (int i = 0; i < most; i++) {
                CHECK(out[i] == (i < n));
                out[i] = 0;
            }
        }
    count_all<<<50, 33>>>(out);
    count_together<<<dim3(2, 3), dim3(8, 2)>>>(
        out + 2000, 10); /* three rows of blocks, two of threads: each number six times */
    SYNC();
    for (int i = 0; i < most; i++) {
        CHECK(out[i] == (i < 50 * 33 ? 50 : i >= 2000 && i < 2010 ? 6 : 0));
        out[i] = 0;
    }
    cut_short<<<300, 10>>>(out);
    twice_as_far<<<4, 10>>>(out + 5000);
    SYNC();
    for (int i = 0; i < most; i++)
        CHECK(out[i] == (i < 440 ? 2 : i < 2560 ? 1 : i >= 5000 && i < 5080 && (i - 5000) % 20 < 10 ? 1 : 0));
    long *last = make_managed<long>(256);
    last_thread<<<15625000, 256>>>(last); /* more threads than an int counts */
    SYNC();
    for (int i = 0; i < 256; i++)
        CHECK(last[i] == 4000000000l - 256 + i);
    return finish();
}
