/**
 * @file advice.cu
 * @brief Cells of advice: reading and writing what prefers the host, prefetches of what is read mostly, and
 * what is read after them.
 */
#include "cells.h"

#define LOOP_BLOCKS 1056

__global__ void read_loop(const int *p, size_t n, int *out)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        if (p[i] == -1)
            out[0] = 1;
}

__global__ void read_wide(const int4 *p, size_t n, int *out)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && p[i].x + p[i].w == -1)
        out[0] = 1;
}

__global__ void write_each(int *p, size_t n, int value)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] = value;
}

enum kernel { EACH, LOOP, WIDE, WRITE, KERNELS };
static const char *const kernel_names[KERNELS] = {"read", "read by a loop", "read wide", "write"};

static void run(int kernel, int *p, size_t bytes)
{
    const size_t n = bytes / sizeof *p;

    if (kernel == EACH)
        gpu_reads(p, bytes);
    else if (kernel == LOOP)
        read_loop<<<LOOP_BLOCKS, 256>>>(p, n, sink);
    else if (kernel == WIDE)
        read_wide<<<(unsigned)(n / 4 / 256), 256>>>((const int4 *)p, n / 4, sink);
    else
        write_each<<<(unsigned)(n / 256), 256>>>(p, n, 7);
}

/* The GPU maps it by faults and reads it over the link. */
static void prefers_host(size_t bytes)
{
    for (int kernel = 0; kernel < KERNELS; kernel++)
        for (int i = 0; rounds(i, bytes); i++) {
            int *p = managed(bytes);
            host_writes_pages(p, bytes);
            advise(p, bytes, cudaMemAdviseSetPreferredLocation, false);
            start();
            run(kernel, p, bytes);
            WAIT_AND_STOP("advice/prefers host/gpu %s/%s", kernel_names[kernel], size_text(bytes));
            start();
            run(kernel, p, bytes);
            WAIT_AND_STOP("advice/prefers host/gpu %s again/%s", kernel_names[kernel], size_text(bytes));
            start();
            host_writes_pages(p, bytes);
            stop("advice/prefers host/host after/%s", size_text(bytes));
            MUST(cudaFree(p));
        }
}

/* ... what nobody has had, and what the GPU has. */
static void prefers_host_otherwise(size_t bytes)
{
    for (int i = 0; rounds(i, bytes); i++) {
        int *p = managed(bytes);
        advise(p, bytes, cudaMemAdviseSetPreferredLocation, false);
        start();
        run(WRITE, p, bytes);
        WAIT_AND_STOP("advice/prefers host/gpu first write/%s", size_text(bytes));
        MUST(cudaFree(p));
        p = managed(bytes);
        prefetch(p, bytes, true);
        advise(p, bytes, cudaMemAdviseSetPreferredLocation, false);
        start();
        host_writes_pages(p, bytes);
        stop("advice/prefers host/host of gpu pages/%s", size_text(bytes));
        start();
        gpu_reads(p, bytes);
        WAIT_AND_STOP("advice/prefers host/gpu read after the move/%s", size_text(bytes));
        MUST(cudaFree(p));
    }
}

static void accessed_by(size_t bytes)
{
    for (int i = 0; rounds(i, bytes); i++) {
        int *p = managed(bytes);
        host_writes_pages(p, bytes);
        advise(p, bytes, cudaMemAdviseSetAccessedBy, true);
        start();
        gpu_reads(p, bytes);
        WAIT_AND_STOP("advice/accessed by gpu/gpu read/%s", size_text(bytes));
        MUST(cudaFree(p));
    }
}

static void read_mostly_by_faults(size_t bytes)
{
    for (int i = 0; rounds(i, bytes); i++) {
        int *p = managed(bytes);
        host_writes_pages(p, bytes);
        advise(p, bytes, cudaMemAdviseSetReadMostly, true);
        start();
        gpu_reads(p, bytes);
        WAIT_AND_STOP("advice/read mostly/gpu read/%s", size_text(bytes));
        start();
        gpu_adds(p, bytes);
        WAIT_AND_STOP("advice/read mostly/gpu write/%s", size_text(bytes));
        start();
        host_reads_pages(p, bytes);
        stop("advice/read mostly/host read of gpu pages/%s", size_text(bytes));
        if (bytes <= 64 * MIB) {
            start();
            host_writes_pages(p, bytes);
            stop("advice/read mostly/host write/%s", size_text(bytes));
        }
        MUST(cudaFree(p));
    }
}

static void prefetched(size_t bytes, bool read_mostly)
{
    const char *kind = read_mostly ? "read mostly" : "plain";

    for (int i = 0; rounds(i, bytes); i++) {
        int *p = managed(bytes);
        host_writes_pages(p, bytes);
        if (read_mostly)
            advise(p, bytes, cudaMemAdviseSetReadMostly, true);
        start();
        prefetch(p, bytes, true);
        WAIT_AND_STOP("advice/prefetch/%s/to gpu/%s", kind, size_text(bytes));
        start();
        prefetch(p, bytes, true);
        WAIT_AND_STOP("advice/prefetch/%s/to gpu again/%s", kind, size_text(bytes));
        start();
        gpu_reads(p, bytes);
        WAIT_AND_STOP("advice/prefetch/%s/gpu read/%s", kind, size_text(bytes));
        start();
        gpu_reads(p, bytes);
        WAIT_AND_STOP("advice/prefetch/%s/gpu read again/%s", kind, size_text(bytes));
        start();
        prefetch(p, bytes, false);
        WAIT_AND_STOP("advice/prefetch/%s/to host/%s", kind, size_text(bytes));
        start();
        host_reads_pages(p, bytes);
        stop("advice/prefetch/%s/host read/%s", kind, size_text(bytes));
        MUST(cudaFree(p));
    }
}

void cells_of_advice()
{
    for (size_t bytes : {MIB, 4 * MIB, 16 * MIB, 64 * MIB, 256 * MIB}) {
        prefers_host(bytes);
        prefers_host_otherwise(bytes);
        accessed_by(bytes);
        read_mostly_by_faults(bytes);
        prefetched(bytes, false);
        prefetched(bytes, true);
        print_cells();
    }
}
