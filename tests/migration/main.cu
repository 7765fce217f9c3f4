/**
 * @file main.cu
 * @brief Cells of managed memory where the model was weak (README.md): samples, clocks, main.
 *
 *     ./migration [--counts] [--only=PREFIX] [--quick]
 *
 * With --counts a cell's line has the UVM driver's counts instead of times, because counting slows the driver
 * down: CPU faults, GPU fault groups, bytes to the device, bytes to the host, pages thrashing, throttles,
 * pages mapped remotely; null where CUPTI may have lost records. The simulator gives both at once; there
 * --touch-ns=N is what the host's first touch of a page takes, which it does not model.
 */
#include "cells.h"

#include <cstdarg>
#include <cstring>
#include <string>
#include <vector>

extern "C" {
#include "um_counters.h"
#include "um_cupti.h"
#include "um_time.h"
}
#ifdef UMLAB_SIM
#include "umsim.h"
#endif

struct sample {
    double us;
    um_counters counts;
};

struct cell {
    std::string name;
    std::vector<sample> samples;
};

static std::vector<cell> cells;
static const char *only = "";
static bool counting, quick;
static bool keeping;
static double started_us;
static um_counters started_counts;
#ifdef UMLAB_SIM
static double touch_ns = 212;
#endif
int *sink;

bool is_asked(const char *name)
{
    const size_t n = strlen(only), m = strlen(name);
    return strncmp(name, only, n < m ? n : m) == 0;
}

bool rounds(int i, size_t bytes)
{
    keeping = i > 0;
#ifdef UMLAB_SIM
    return i < (bytes > 16 * MIB ? 2 : 3);
#else
    if (counting || quick)
        return i < 4;
    return i < (bytes > 64 * MIB ? 7 : bytes > 4 * MIB ? 9 : 13);
#endif
}

void start()
{
    MUST(cudaDeviceSynchronize());
    if (counting)
        started_counts = um_counters_now();
    started_us = um_now_us();
}

void stop(const char *format, ...)
{
    sample now = {um_now_us() - started_us, {}};
    char name[96];
    va_list arguments;

    if (counting) {
        MUST(cudaDeviceSynchronize());
        now.counts = um_counters_difference(started_counts, um_counters_now());
    }
    if (!keeping)
        return;
    va_start(arguments, format);
    vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    for (cell &c : cells)
        if (c.name == name) {
            c.samples.push_back(now);
            return;
        }
    cells.push_back({name, {now}});
}

static void print_count(const char *between, int64_t count)
{
    if (count < 0)
        printf("%snull", between);
    else
        printf("%s%lld", between, (long long)count);
}

static void print_counts(const um_counters &c)
{
    print_count("[", c.cpu_faults);
    print_count(", ", c.gpu_fault_groups);
    print_count(", ", c.bytes_migrated_h2d);
    print_count(", ", c.bytes_migrated_d2h);
    print_count(", ", c.thrashing);
    print_count(", ", c.throttles);
    print_count(", ", c.remote_maps);
    printf("]");
}

static bool times_are_kept()
{
#ifdef UMLAB_SIM
    return true;
#else
    return !counting;
#endif
}

void print_cells()
{
    for (const cell &c : cells) {
        printf("{\"cell\": \"%s\"", c.name.c_str());
        if (times_are_kept()) {
            printf(", \"us\": [");
            for (size_t i = 0; i < c.samples.size(); i++)
                printf("%s%.2f", i ? ", " : "", c.samples[i].us);
            printf("]");
        }
        if (counting) {
            printf(", \"counts\": [");
            for (size_t i = 0; i < c.samples.size(); i++) {
                printf("%s", i ? ", " : "");
                print_counts(c.samples[i].counts);
            }
            printf("]");
        }
        printf("}\n");
    }
    fflush(stdout);
    cells.clear();
}

const char *size_text(size_t bytes)
{
    static char text[8][16];
    static int next;
    char *out = text[next++ % 8];

    snprintf(out, sizeof text[0], "%zu%s", bytes >= MIB ? bytes / MIB : bytes / KIB,
             bytes >= MIB ? "M" : "K");
    return out;
}

void pass_us(unsigned us)
{
#ifdef UMLAB_SIM
    umsim_host_work_ns(1000ull * us);
#else
    for (double end = um_now_us() + us; um_now_us() < end;)
        ;
#endif
}

/* The first touch of a page that came from elsewhere took 212 ns on the machine of the profile's figures, a
 * word in a walk over all 0.23 ns. */
void host_worked(size_t pages, size_t words)
{
#ifdef UMLAB_SIM
    umsim_host_work_ns((uint64_t)((double)pages * touch_ns + (double)words * 0.23));
#else
    (void)pages;
    (void)words;
#endif
}

int *managed(size_t bytes)
{
    int *p = NULL;
    MUST(cudaMallocManaged(&p, bytes < 2 * MIB ? 2 * MIB : bytes));
    return p;
}

void host_writes_pages(int *p, size_t bytes)
{
    for (size_t i = 0; i < bytes / sizeof *p; i += PAGE_WORDS)
        ((volatile int *)p)[i] = (int)i;
    host_worked(bytes / sizeof *p / PAGE_WORDS, 0);
}

int host_reads_pages(const int *p, size_t bytes)
{
    int sum = 0;
    for (size_t i = 0; i < bytes / sizeof *p; i += PAGE_WORDS)
        sum += ((const volatile int *)p)[i];
    return sum;
}

__global__ void add_one(int *p, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i]++;
}

__global__ void read_each(const int *p, size_t n, int *out)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && p[i] == -1)
        out[0] = 1;
}

void gpu_adds(int *p, size_t bytes)
{
    add_one<<<(unsigned)((bytes / sizeof *p + 255) / 256), 256>>>(p, bytes / sizeof *p);
}

void gpu_reads(const int *p, size_t bytes)
{
    read_each<<<(unsigned)((bytes / sizeof *p + 255) / 256), 256>>>(p, bytes / sizeof *p, sink);
}

static cudaMemLocation place(bool device)
{
    cudaMemLocation at = {};
    at.type = device ? cudaMemLocationTypeDevice : cudaMemLocationTypeHost;
    return at;
}

void advise(int *p, size_t bytes, cudaMemoryAdvise advice, bool device)
{
    MUST(cudaMemAdvise(p, bytes, advice, place(device)));
}

void prefetch(int *p, size_t bytes, bool to_device)
{
    MUST(cudaMemPrefetchAsync(p, bytes, place(to_device), 0, 0));
}

static void print_device()
{
    cudaDeviceProp device;
    int driver = 0, runtime = 0;
    MUST(cudaGetDeviceProperties(&device, 0));
    MUST(cudaDriverGetVersion(&driver));
    MUST(cudaRuntimeGetVersion(&runtime));
    printf("{\"device\": \"%s\", \"driver\": %d, \"runtime\": %d, \"pass\": \"%s\"}\n", device.name, driver,
           runtime, counting ? "counts" : "times");
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--only=", 7) == 0)
            only = argv[i] + 7;
#ifdef UMLAB_SIM
        if (strncmp(argv[i], "--touch-ns=", 11) == 0)
            touch_ns = strtod(argv[i] + 11, NULL);
#endif
        counting = counting || strcmp(argv[i], "--counts") == 0;
        quick = quick || strcmp(argv[i], "--quick") == 0;
    }
#ifndef UMLAB_SIM
    if (counting && !um_cupti_start()) {
        fprintf(stderr, "no counts here: %s\n", um_cupti_why());
        return 2;
    }
#endif
    MUST(cudaMalloc(&sink, 256 * MIB));
    print_device();
    if (is_asked("anchor"))
        cells_of_anchors();
    if (is_asked("turns"))
        cells_of_turns();
    if (is_asked("sparse"))
        cells_of_sparse_touches();
    if (is_asked("advice"))
        cells_of_advice();
    if (is_asked("walk") && times_are_kept())
        cells_of_walks();
    return 0;
}
