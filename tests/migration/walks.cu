/**
 * @file walks.cu
 * @brief Cells of host walks whose own work counts: every word or line is written or read, by one thread.
 * The same walks over ordinary memory and over pages that stay tell the work from the faults.
 */
#include "cells.h"

#include <sys/mman.h>

#include <cstring>

enum walk { PAGES, LINES, WORDS, SUM, MEMSET, WALKS };
static const char *const walk_names[WALKS] = {"a word a page", "a word a line", "every word",
                                              "reads every word", "memset"};

static void go(int walk, int *p, size_t bytes)
{
    const size_t n = bytes / sizeof *p;
    volatile int *q = p;
    int sum = 0;

    if (walk == PAGES)
        host_writes_pages(p, bytes);
    else if (walk == LINES)
        for (size_t i = 0; i < n; i += 16)
            q[i] = 1;
    else if (walk == WORDS)
        for (size_t i = 0; i < n; i++)
            q[i] = 1;
    else if (walk == SUM)
        for (size_t i = 0; i < n; i++)
            sum += q[i];
    else
        memset(p, 1, bytes);
    q[0] = sum;
}

static void of_managed_memory(int walk, size_t bytes)
{
    const char *name = walk_names[walk], *size = size_text(bytes);

    for (int i = 0; rounds(i, bytes); i++) {
        int *p = managed(bytes);
        start();
        go(walk, p, bytes);
        stop("walk/%s/first/%s", name, size);
        start();
        go(walk, p, bytes);
        stop("walk/%s/stays/%s", name, size);
        gpu_adds(p, bytes);
        start();
        go(walk, p, bytes);
        stop("walk/%s/back/%s", name, size);
        prefetch(p, bytes, true);
        prefetch(p, bytes, false);
        start();
        go(walk, p, bytes);
        stop("walk/%s/prefetched/%s", name, size);
        MUST(cudaFree(p));
    }
}

/* Fresh pages from the system each time. */
static void of_ordinary_memory(int walk, size_t bytes)
{
    for (int i = 0; rounds(i, bytes); i++) {
        int *p = (int *)mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED)
            exit(1);
        start();
        go(walk, p, bytes);
        stop("walk/%s/ordinary first/%s", walk_names[walk], size_text(bytes));
        start();
        go(walk, p, bytes);
        stop("walk/%s/ordinary stays/%s", walk_names[walk], size_text(bytes));
        munmap(p, bytes);
    }
}

void cells_of_walks()
{
    for (size_t bytes : {4 * MIB, 16 * MIB, 80 * MIB}) {
        for (int walk = 0; walk < WALKS; walk++) {
            of_managed_memory(walk, bytes);
            of_ordinary_memory(walk, bytes);
        }
        print_cells();
    }
}
