/**
 * @file pages.c
 * @brief What it costs in real time to hand 64 KiB of managed memory over, either way, beside a bare SIGSEGV
 * whose handler calls mprotect(): the least that a page fault in user mode can cost.
 *
 * To the host: a host thread reads one byte of each of many regions that the GPU has. To the GPU: a kernel
 * touches one byte of each, less the same kernel on regions that it has already.
 */
#include <cuda_runtime_api.h>
#include <signal.h>
#include <sys/mman.h>

#include "bench.h"
#include "kernels.h"

#ifdef UMLAB_SIM
#include "umsim.h"
#else
#define umsim_host_work_ns(ns) (void)0
#endif

/* Short runs, many of them: most then meet no other program. */
enum { RUNS = 101, REGIONS = 16, STEP = 2 << 20, PAGE = 4096, FAULTS = 32 };

static char *bare;

/* Opens the page, so that the access goes on. */
static void on_fault(int signal_number, siginfo_t *info, void *context)
{
    (void)signal_number, (void)context;
    char *page = (char *)((size_t)info->si_addr / PAGE * PAGE);
    mprotect(page, PAGE, PROT_READ | PROT_WRITE);
}

static double bare_fault_us(void)
{
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO}, before;
    sigaction(SIGSEGV, &action, &before);
    mprotect(bare, FAULTS * 2 * PAGE, PROT_NONE);
    double start = bench_now_us();
    for (int i = 0; i < FAULTS; i++)
        ((volatile char *)bare)[(size_t)i * 2 * PAGE] = 1;
    double us = (bench_now_us() - start) / FAULTS;
    sigaction(SIGSEGV, &before, NULL);
    return us;
}

/* One byte in each 2 MiB block: what comes is the 64 KiB region around it. */
static double kernel_us(unsigned char *p)
{
    double start = bench_now_us();
    BENCH_NEED(um_page_write(p, (size_t)REGIONS * STEP, STEP, 1, 0));
    BENCH_NEED(cudaDeviceSynchronize());
    return bench_now_us() - start;
}

static double host_us(const unsigned char *p)
{
    double start = bench_now_us();
    for (int i = 0; i < REGIONS; i++)
        (void)((const volatile unsigned char *)p)[(size_t)i * STEP];
    return (bench_now_us() - start) / REGIONS;
}

int main(void)
{
    static double to_host[RUNS], to_gpu[RUNS], fault[RUNS];
    unsigned char *p;
    bench_simulator_only();
    bare = mmap(NULL, FAULTS * 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(bare, 0, FAULTS * 2 * PAGE);
    for (int i = 0; i < RUNS; i++) /* before the simulator starts: SIGSEGV is ours alone */
        fault[i] = bare_fault_us();
    BENCH_NEED(cudaMallocManaged((void **)&p, (size_t)REGIONS * STEP, cudaMemAttachGlobal));
    memset(p, 0, (size_t)REGIONS * STEP);
    kernel_us(p);
    for (int i = 0; i < RUNS; i++) {
        umsim_host_work_ns(1000000); /* quicker turns would be throttled */
        to_host[i] = host_us(p);
        umsim_host_work_ns(1000000);
        double with_faults = kernel_us(p), without = kernel_us(p);
        to_gpu[i] = (with_faults - without) / REGIONS;
    }
    const char *name = "SIGSEGV and mprotect";
    const double floor = bench_median(fault, RUNS);
    const struct bench_row rows[] = {
        {"64 KiB page, GPU to host", "us", bench_median(to_host, RUNS), floor, name, 15, 0, 0},
        {"64 KiB page, host to GPU", "us", bench_median(to_gpu, RUNS), floor, name, 15, 0, 0},
    };
    bench_print(&rows[0]);
    bench_print(&rows[1]);
    return 0;
}
