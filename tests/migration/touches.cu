/**
 * @file touches.cu
 * @brief Cells of sparse touches: one word in each 64 KiB or 2 MiB, random pages; and what other cells are
 * measured by, which the model knows well.
 */
#include "cells.h"

#include <vector>

/* Words that both sides touch. */
struct places {
    std::vector<unsigned> host;
    unsigned *device;
};

static places places_of(const std::vector<unsigned> &words)
{
    places p = {words, NULL};
    MUST(cudaMalloc(&p.device, words.size() * sizeof(unsigned)));
    MUST(cudaMemcpy(p.device, words.data(), words.size() * sizeof(unsigned), cudaMemcpyHostToDevice));
    return p;
}

static places one_in(size_t step, size_t bytes)
{
    std::vector<unsigned> words;
    for (size_t at = 0; at < bytes; at += step)
        words.push_back((unsigned)(at / sizeof(int)));
    return places_of(words);
}

/* The same pages on every machine. */
static places random_pages(size_t count, size_t bytes)
{
    std::vector<unsigned> words;
    uint64_t state = 1;
    for (size_t i = 0; i < count; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        words.push_back((unsigned)((state >> 33) % (bytes / 4096) * PAGE_WORDS));
    }
    return places_of(words);
}

__global__ void read_places(const int *p, const unsigned *at, unsigned n, int *out)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && p[at[i]] == -1)
        out[0] = 1;
}

__global__ void write_places(int *p, const unsigned *at, unsigned n, int value)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[at[i]] = value;
}

static void gpu_reads_places(const int *p, const places &at)
{
    const unsigned n = (unsigned)at.host.size();
    read_places<<<(n + 255) / 256, 256>>>(p, at.device, n, sink);
}

static void gpu_writes_places(int *p, const places &at)
{
    const unsigned n = (unsigned)at.host.size();
    write_places<<<(n + 255) / 256, 256>>>(p, at.device, n, 7);
}

static void host_writes_places(int *p, const places &at)
{
    for (unsigned word : at.host)
        ((volatile int *)p)[word + 1] = 8;
    host_worked(at.host.size(), 0);
}

/* The host has all of it; the GPU takes some, the host takes that back. */
static void some_of_the_hosts(const char *name, const places &at, size_t bytes)
{
    for (int write = 0; write < 2; write++)
        for (int i = 0; rounds(i, bytes); i++) {
            int *p = managed(bytes);
            host_writes_pages(p, bytes);
            start();
            if (write)
                gpu_writes_places(p, at);
            else
                gpu_reads_places(p, at);
            WAIT_AND_STOP("sparse/%s/gpu %s of host pages", name, write ? "write" : "read");
            start();
            gpu_reads_places(p, at);
            WAIT_AND_STOP("sparse/%s/gpu again", name);
            start();
            host_writes_places(p, at);
            stop("sparse/%s/host back", name);
            MUST(cudaFree(p));
        }
}

/* Nobody has had it. */
static void some_of_nobodys(const char *name, const places &at, size_t bytes)
{
    for (int i = 0; rounds(i, bytes); i++) {
        int *p = managed(bytes);
        start();
        gpu_writes_places(p, at);
        WAIT_AND_STOP("sparse/%s/gpu first", name);
        start();
        host_writes_places(p, at);
        stop("sparse/%s/host after gpu first", name);
        MUST(cudaFree(p));
        p = managed(bytes);
        start();
        host_writes_places(p, at);
        stop("sparse/%s/host first", name);
        start();
        gpu_writes_places(p, at);
        WAIT_AND_STOP("sparse/%s/gpu after host first", name);
        MUST(cudaFree(p));
    }
}

/* The GPU has all of it. */
static void some_of_the_gpus(const char *name, const places &at, size_t bytes)
{
    for (int i = 0; rounds(i, bytes); i++) {
        int *p = managed(bytes);
        prefetch(p, bytes, true);
        start();
        host_writes_places(p, at);
        stop("sparse/%s/host of gpu pages", name);
        MUST(cudaFree(p));
    }
}

static void touches(const char *kind, places at, size_t bytes)
{
    char name[48];

    snprintf(name, sizeof name, "%s/%s", kind, size_text(bytes));
    some_of_the_hosts(name, at, bytes);
    some_of_nobodys(name, at, bytes);
    some_of_the_gpus(name, at, bytes);
    MUST(cudaFree(at.device));
    print_cells();
}

void cells_of_sparse_touches()
{
    static const size_t sizes[] = {MIB, 4 * MIB, 16 * MIB, 64 * MIB, 256 * MIB};

    for (size_t bytes : sizes) {
        touches("64K", one_in(64 * KIB, bytes), bytes);
        if (bytes >= 4 * MIB)
            touches("100 random", random_pages(100, bytes), bytes);
        if (bytes >= 16 * MIB) {
            touches("2M", one_in(2 * MIB, bytes), bytes);
            touches("1000 random", random_pages(1000, bytes), bytes);
        }
    }
    touches("10000 random", random_pages(10000, 256 * MIB), 256 * MIB);
}

/* Every page of the host's by a fault, and back. */
static void all_of_the_hosts(size_t bytes)
{
    for (int i = 0; rounds(i, bytes); i++) {
        int *p = managed(bytes);
        start();
        host_writes_pages(p, bytes);
        stop("anchor/host first/%s", size_text(bytes));
        start();
        gpu_adds(p, bytes);
        WAIT_AND_STOP("anchor/gpu of host pages/%s", size_text(bytes));
        start();
        host_writes_pages(p, bytes);
        stop("anchor/host of gpu pages/%s", size_text(bytes));
        start();
        host_writes_pages(p, bytes);
        stop("anchor/host again/%s", size_text(bytes));
        MUST(cudaFree(p));
        p = managed(bytes);
        start();
        gpu_adds(p, bytes);
        WAIT_AND_STOP("anchor/gpu first/%s", size_text(bytes));
        MUST(cudaFree(p));
    }
}

static void of_no_page()
{
    void *pinned = NULL;

    MUST(cudaMallocHost(&pinned, 64 * MIB));
    for (int i = 0; rounds(i, MIB); i++) {
        start();
        gpu_adds(sink, sizeof(int));
        WAIT_AND_STOP("anchor/launch and wait");
        start();
        MUST(cudaMemcpy(sink, pinned, 64 * MIB, cudaMemcpyHostToDevice));
        stop("anchor/pinned copy/64M");
        start();
        MUST(cudaMemcpy(sink, pinned, 4, cudaMemcpyHostToDevice));
        stop("anchor/pinned copy/4");
    }
    MUST(cudaFreeHost(pinned));
}

/* One page, after so long without a GPU fault. */
static void one_page(unsigned pause_us)
{
    for (int i = 0; rounds(i, 0); i++) {
        int *p = managed(64 * KIB);
        *p = 1;
        gpu_adds(p + 512 * PAGE_WORDS / 2, sizeof(int));
        MUST(cudaDeviceSynchronize());
        pass_us(pause_us);
        start();
        gpu_adds(p, sizeof(int));
        WAIT_AND_STOP("anchor/gpu fault after %u us", pause_us);
        start();
        ((volatile int *)p)[1] = 1;
        stop("anchor/host fault after %u us", pause_us);
        MUST(cudaFree(p));
    }
}

void cells_of_anchors()
{
    static const unsigned pauses[] = {0, 50, 200, 5000};

    of_no_page();
    for (unsigned pause : pauses)
        one_page(pause);
    for (size_t bytes : {64 * KIB, MIB, 4 * MIB, 16 * MIB, 64 * MIB, 256 * MIB})
        all_of_the_hosts(bytes);
    print_cells();
}
