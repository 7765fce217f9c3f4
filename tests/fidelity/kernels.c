/**
 * @file kernels.c
 * @brief Cells of kernels on device memory and on mapped host memory: dense, strided, random, dependent; by
 * events.
 */
#include "cells.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime_api.h>

#include "kernels.h"
#include "um_check.h"
#include "um_time.h"

static const size_t sizes[] = {64 * KIB, MIB, 4 * MIB, 16 * MIB, 64 * MIB, 256 * MIB};
#define SIZES (sizeof sizes / sizeof sizes[0])

/** A random gather asks for one element in so many: on average each piece of 64 bytes once. */
#define GATHER_PART 16
/** Steps of a chase, and the bytes of the nodes it goes through. */
#define CHASE_STEPS ((size_t)4000)
#define CHASE_NODE ((size_t)128)

/* What all kernels work with; device memory except `x`, which is either. */
static struct {
    const char *where;
    void *x, *y;
    uint32_t *index;
    struct um_gpu_timer timer;
} work;

#define BETWEEN_EVENTS(launch, bytes, ...)                                                                   \
    for (struct cell_repeat r = cell_repeat(bytes); cell_next(&r);) {                                        \
        double us = NAN;                                                                                     \
        UM_TRY(cudaDeviceSynchronize());                                                                     \
        UM_TRY(um_gpu_timer_start(&work.timer, 0));                                                          \
        UM_TRY(launch);                                                                                      \
        UM_TRY(um_gpu_timer_stop(&work.timer, 0));                                                           \
        UM_TRY(um_gpu_timer_us(&work.timer, &us));                                                           \
        cell_time(us, __VA_ARGS__);                                                                          \
    }

static bool dense(size_t bytes)
{
    const size_t n = bytes / sizeof(float);
    const char *size = cell_size(bytes);

    BETWEEN_EVENTS(um_fill(work.x, 1, n, 0), bytes, "kernel/%s/dense write/%s", work.where, size);
    BETWEEN_EVENTS(um_saxpy(work.y, 2, work.x, n, 0), bytes, "kernel/%s/dense read/%s", work.where, size);
    BETWEEN_EVENTS(um_add_one(work.x, n, 0), bytes, "kernel/%s/dense read and write/%s", work.where, size);
    for (struct cell_repeat r = cell_repeat(bytes); cell_next(&r);) {
        cell_start();
        UM_TRY(um_fill(work.x, 1, n, 0));
        UM_TRY(cudaDeviceSynchronize());
        cell_stop("kernel/%s/dense write and wait/%s", work.where, size);
    }
    return true;
cleanup:
    return false;
}

static bool strided(size_t bytes, size_t stride)
{
    unsigned char *out = work.y, *in = work.x;

    if (bytes < 2 * stride)
        return true;
    BETWEEN_EVENTS(um_page_read(out, in, bytes, stride, 0), bytes, "kernel/%s/stride %s read/%s", work.where,
                   cell_size(stride), cell_size(bytes));
    return true;
cleanup:
    return false;
}

static bool gathered(size_t bytes)
{
    const size_t all = bytes / sizeof(float), n = all / GATHER_PART;
    uint32_t *index = malloc(n * sizeof *index);
    bool good = false;

    UM_NEED(index);
    for (size_t i = 0; i < n; i++)
        index[i] = cell_random((unsigned)all);
    UM_TRY(cudaMemcpy(work.index, index, n * sizeof *index, cudaMemcpyHostToDevice));
    BETWEEN_EVENTS(um_gather(work.y, work.x, work.index, n, 0), bytes, "kernel/%s/random read/%s", work.where,
                   cell_size(bytes));
    good = true;
cleanup:
    free(index);
    return good;
}

static bool chased(size_t bytes)
{
    const size_t nodes = bytes / CHASE_NODE, words = CHASE_NODE / sizeof(uint64_t);
    uint64_t *next = malloc(bytes), *last = work.y;
    bool good = false;

    UM_NEED(next && cell_cycle(next, nodes, words));
    UM_TRY(cudaMemcpy(work.x, next, bytes, cudaMemcpyDefault));
    for (struct cell_repeat r = cell_repeat(MIB); cell_next(&r);) {
        double us = NAN;
        /* Else the nodes stand in the second-level cache from the round before. */
        UM_TRY(cudaMemset((char *)work.y + PAGE_BYTES, 0, cell_largest() - PAGE_BYTES));
        UM_TRY(um_gpu_timer_start(&work.timer, 0));
        UM_TRY(um_pointer_chase(last, work.x, 0, CHASE_STEPS, 0));
        UM_TRY(um_gpu_timer_stop(&work.timer, 0));
        UM_TRY(um_gpu_timer_us(&work.timer, &us));
        cell_time(us, "kernel/%s/chase/%s", work.where, cell_size(bytes));
    }
    good = true;
cleanup:
    free(next);
    return good;
}

static bool on_memory(const char *where, float *x)
{
    static const size_t strides[] = {4 * KIB, 64 * KIB, 2 * MIB};
    bool good = true;

    cell_random_start();
    work.where = where;
    work.x = x;
    for (size_t i = 0; good && i < SIZES && sizes[i] <= cell_largest(); i++) {
        good = dense(sizes[i]) && gathered(sizes[i]);
        for (size_t k = 0; good && k < sizeof strides / sizeof strides[0]; k++)
            good = strided(sizes[i], strides[k]);
        if (good && sizes[i] >= MIB && sizes[i] <= 16 * MIB)
            good = chased(sizes[i]);
    }
    return good;
}

/* The data are right: x holds what dense() left there last, the sum of floats of one. */
static bool verified(size_t bytes)
{
    const size_t n = bytes / sizeof(float);
    double *partials = work.y, sum = 0;

    UM_TRY(um_fill(work.x, 1, n, 0));
    UM_TRY(um_sum(partials + UM_SUM_BLOCKS, partials, work.x, n, 0));
    UM_TRY(cudaMemcpy(&sum, partials + UM_SUM_BLOCKS, sizeof sum, cudaMemcpyDefault));
    if (sum == (double)n)
        return true;
    fprintf(stderr, "fidelity: the kernels on %s memory left %.0f where %zu was due\n", work.where, sum, n);
cleanup:
    return false;
}

bool cells_of_kernels(void)
{
    float *device = NULL, *mapped = NULL;
    bool good = false;

    UM_TRY(um_gpu_timer_create(&work.timer));
    UM_TRY(cudaMalloc((void **)&device, cell_largest()));
    UM_TRY(cudaMalloc(&work.y, cell_largest()));
    UM_TRY(cudaMalloc((void **)&work.index, cell_largest() / GATHER_PART));
    UM_TRY(cudaHostAlloc((void **)&mapped, cell_largest(), cudaHostAllocMapped));
    UM_TRY(cudaMemset(work.y, 0, cell_largest()));
    good = on_memory("device", device) && verified(cell_largest()) && on_memory("mapped", mapped) &&
           verified(cell_largest());
cleanup:
    um_gpu_timer_destroy(&work.timer);
    (void)cudaFree(device);
    (void)cudaFree(work.y);
    (void)cudaFree(work.index);
    (void)cudaFreeHost(mapped);
    return good;
}
