/*
 * clock() and clock64(): loops that wait on them end, each thread's clock goes its own way, and a launch
 * lasts as long as its threads have waited, in virtual time, too.
 */
#include "check.h"
#include <ctime>

__global__ void wait(long long cycles, long long *waited)
{
    const long long start = clock64();
    while (clock64() - start < cycles)
        ;
    waited[threadIdx.x] = clock64() - start;
}
__global__ void wait_in_parts(int cycles, int *waited)
{
    __shared__ int before;
    const clock_t start = clock();
    if (threadIdx.x == 0)
        before = 7;
    __syncthreads();
    while (clock() - start < cycles)
        ;
    waited[threadIdx.x] = (int)(clock() - start) + before - 7;
}
__host__ __device__ long ticks()
{
    return clock();
}
__global__ void look(long *p)
{
    const long first = ticks();
    *p = ticks() - first;
}
__global__ void sleep(long long *waited)
{
    const long long start = clock64();
    __nanosleep(10000);
    *waited = clock64() - start;
}

int main()
{
    const int cycles = 1000000;
    long long *waited = make_managed<long long>(32);
    int *parts = make_managed<int>(32);
    float ms = 0, many = 0;
    int khz = 0;
    cudaEvent_t first, last, end;
    CHECK(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0) == cudaSuccess);
    CHECK(cudaEventCreate(&first) == cudaSuccess && cudaEventCreate(&last) == cudaSuccess);
    CHECK(cudaEventCreate(&end) == cudaSuccess);
    CHECK(cudaEventRecord(first) == cudaSuccess);
    wait<<<1, 4>>>(cycles, waited);
    CHECK(cudaEventRecord(last) == cudaSuccess);
    wait<<<16, 32>>>(cycles, waited);
    CHECK(cudaEventRecord(end) == cudaSuccess);
    SYNC();
    for (int i = 0; i < 32; i++)
        CHECK(waited[i] >= cycles && waited[i] < 2 * cycles);
    CHECK(cudaEventElapsedTime(&ms, first, last) == cudaSuccess);
    CHECK(cudaEventElapsedTime(&many, last, end) == cudaSuccess);
    CHECK(ms >= (float)cycles / khz && ms < 2 * (float)cycles / khz);
    CHECK(many >= (float)cycles / khz && many < 2 * (float)cycles / khz); /* side by side */
    wait_in_parts<<<1, 32>>>(cycles / 10, parts);
    SYNC();
    for (int i = 0; i < 32; i++)
        CHECK(parts[i] >= cycles / 10);
    look<<<1, 1>>>((long *)waited);
    SYNC();
    CHECK(*waited > 0 && ticks() >= 0);
    sleep<<<1, 1>>>(waited);
    SYNC();
    CHECK(*waited >= khz / 100);
    return finish();
}
