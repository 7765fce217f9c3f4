/**
 * @file copy.c
 * @brief How fast the copy engines really copy, beside memcpy() on the same memory; and what a small copy
 * costs.
 */
#include <cuda_runtime_api.h>
#include <unistd.h>
#include <sys/syscall.h>

#include "bench.h"

enum { BYTES = 64 << 20, SMALL = 200 };

static double gbs(double us)
{
    return BYTES / us / 1e3;
}

static double copy_gbs(void *to, const void *from)
{
    double start = bench_now_us();
    BENCH_NEED(cudaMemcpy(to, from, BYTES, cudaMemcpyDefault));
    return gbs(bench_now_us() - start);
}

static double memcpy_gbs(void *to, const void *from)
{
    double start = bench_now_us();
    memcpy(to, from, BYTES);
    __asm__ volatile("" : : "r"(to) : "memory");
    return gbs(bench_now_us() - start);
}

static double small_us(void *to, const void *from, size_t bytes)
{
    double start = bench_now_us();
    for (int i = 0; i < SMALL; i++)
        BENCH_NEED(cudaMemcpy(to, from, bytes, cudaMemcpyDefault));
    BENCH_NEED(cudaDeviceSynchronize()); /* small copies to the device return before they are done */
    return (bench_now_us() - start) / SMALL;
}

static double system_call_us(void)
{
    double start = bench_now_us();
    for (int i = 0; i < SMALL; i++)
        syscall(SYS_getppid);
    return (bench_now_us() - start) / SMALL;
}

int main(void)
{
    enum { H2D, D2H, H2D_PINNED, D2H_PINNED, MEMCPY, SMALL_H2D, SMALL_D2H, SYSTEM_CALL, FIGURES };
    static double figure[FIGURES][BENCH_RUNS];
    double median[FIGURES];
    char *host = malloc(BYTES), *other = malloc(BYTES), *pinned, *device;
    bench_simulator_only();
    BENCH_NEED(cudaMalloc((void **)&device, BYTES));
    BENCH_NEED(cudaMallocHost((void **)&pinned, BYTES));
    if (!host || !other)
        return 1;
    memset(host, 1, BYTES);
    memset(other, 2, BYTES);
    memset(pinned, 3, BYTES);
    BENCH_NEED(cudaMemset(device, 0, BYTES));
    for (int i = 0; i < BENCH_RUNS; i++) {
        figure[H2D][i] = copy_gbs(device, host);
        figure[MEMCPY][i] = memcpy_gbs(other, host);
        figure[D2H][i] = copy_gbs(other, device);
        figure[H2D_PINNED][i] = copy_gbs(device, pinned);
        figure[D2H_PINNED][i] = copy_gbs(pinned, device);
        figure[SMALL_H2D][i] = small_us(device, host, 64);
        figure[SMALL_D2H][i] = small_us(other, device, 64);
        figure[SYSTEM_CALL][i] = system_call_us();
    }
    for (int f = 0; f < FIGURES; f++)
        median[f] = bench_median(figure[f], BENCH_RUNS);
    const struct bench_row rows[] = {
        {"cudaMemcpy 64 MiB, host to device", "GB/s", median[H2D], median[MEMCPY], "memcpy", 0.9, 1, 1},
        {"cudaMemcpy 64 MiB, device to host", "GB/s", median[D2H], median[MEMCPY], "memcpy", 0.9, 1, 1},
        {"... pinned to device", "GB/s", median[H2D_PINNED], median[MEMCPY], "memcpy", 0.9, 1, 1},
        {"... device to pinned", "GB/s", median[D2H_PINNED], median[MEMCPY], "memcpy", 0.9, 1, 1},
        {"cudaMemcpy 64 B, host to device", "us", median[SMALL_H2D], median[SYSTEM_CALL], "a system call", 0,
         0, 0},
        {"cudaMemcpy 64 B, device to host", "us", median[SMALL_D2H], median[SYSTEM_CALL], "a system call", 0,
         0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        bench_print(&rows[i]);
    free(host);
    free(other);
    return 0;
}
