/**
 * @file managed.c
 * @brief Cells of managed memory: who touches it first, who next, by pattern and size; prefetch; advice.
 *
 * The host's touches are one word a page, so that its own work is little beside the faults. Times are the
 * host's clock, from the call (or the first touch) to the end of the wait.
 */
#include "cells.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cuda_runtime_api.h>

#include "kernels.h"
#include "um_check.h"
#include "um_cuda_compat.h"

#ifdef UMLAB_SIM
#include "umsim.h"
#endif

static const size_t sizes[] = {64 * KIB, MIB, 4 * MIB, 16 * MIB, 64 * MIB, 256 * MIB};
#define SIZES (sizeof sizes / sizeof sizes[0])

/** Random touches: one in so many pages, on average. */
#define RANDOM_PART 4
#define RANDOM_MOST (cell_largest() / PAGE_BYTES / RANDOM_PART)

/** The host's word in a page: the first; its second visit writes the one after the next. */
#define WORDS_A_PAGE (PAGE_BYTES / sizeof(uint32_t))
#define SECOND_WORD 2

struct pattern {
    const char *name;
    size_t stride; /* 0: all of it on the GPU, each page on the host */
    bool random;
    bool host_too; /* whether the host's touches are cells: not where they equal those of `dense` */
};

static const struct pattern patterns[] = {
    {"dense", 0, false, true},
    {"stride 4K", 4 * KIB, false, false},
    {"stride 64K", 64 * KIB, false, true},
    {"stride 2M", 2 * MIB, false, true},
    {"random", 0, true, true},
};

/* Device memory for kernels that read: what they read, and where to look. */
static float *out;
static uint32_t *device_index, *host_index;

static size_t touches(const struct pattern *pattern, size_t bytes)
{
    size_t stride = pattern->stride ? pattern->stride : PAGE_BYTES;
    size_t count = bytes / stride;

    if (!pattern->random)
        return count;
    return count / RANDOM_PART ? count / RANDOM_PART : 1;
}

/* The word that the k-th touch goes to. */
static size_t word_of(const struct pattern *pattern, size_t k)
{
    if (pattern->random)
        return host_index[k];
    return k * (pattern->stride ? pattern->stride : PAGE_BYTES) / sizeof(uint32_t);
}

static void host_write(const struct pattern *pattern, uint32_t *p, size_t bytes, size_t word)
{
    volatile uint32_t *q = p + word;
    const size_t count = touches(pattern, bytes);

    for (size_t k = 0; k < count; k++)
        q[word_of(pattern, k)] = (uint32_t)(word_of(pattern, k) / WORDS_A_PAGE % 200);
    cell_host_touched(count);
}

static cudaError_t gpu_touch(const struct pattern *pattern, uint32_t *p, size_t bytes)
{
    if (pattern->random)
        return um_gather(out, (const void *)p, device_index, touches(pattern, bytes), 0);
    if (pattern->stride == 0)
        return um_add_one((int *)p, bytes / sizeof(int), 0);
    return um_page_write((unsigned char *)p, bytes, pattern->stride, 201, 0);
}

/* After the host's first touch and two of the GPU's. */
static bool right(const struct pattern *pattern, const uint32_t *p, size_t bytes)
{
    const size_t count = touches(pattern, bytes);

    for (size_t k = 0; k < count; k++) {
        const size_t word = word_of(pattern, k);
        const uint32_t first = (uint32_t)(word / WORDS_A_PAGE % 200);
        const uint32_t due = pattern->random ? first : pattern->stride == 0 ? first + 2 : 201;
        if (p[word] == due)
            continue;
        fprintf(stderr, "fidelity: managed, %s: word %zu is %u, not %u\n", pattern->name, word, p[word], due);
        return false;
    }
    return true;
}

static cudaError_t gpu_touch_and_wait(const struct pattern *pattern, uint32_t *p, size_t bytes)
{
    cudaError_t error = gpu_touch(pattern, p, bytes);

    return error == cudaSuccess ? cudaDeviceSynchronize() : error;
}

#define NAME "managed/%s/%s/%s"

/* Host, GPU, GPU, host. */
static bool there_and_back(const struct pattern *pattern, size_t bytes)
{
    const char *size = cell_size(bytes);
    uint32_t *p = NULL;
    bool good = false;

    for (struct cell_repeat r = cell_repeat(bytes); cell_next(&r);) {
        UM_TRY(cudaMallocManaged((void **)&p, bytes, cudaMemAttachGlobal));
        cell_start();
        host_write(pattern, p, bytes, 0);
        if (pattern->host_too)
            cell_stop(NAME, pattern->name, "host first touch", size);
        cell_start();
        UM_TRY(gpu_touch_and_wait(pattern, p, bytes));
        cell_stop(NAME, pattern->name, "GPU touch of host pages", size);
        cell_start();
        UM_TRY(gpu_touch_and_wait(pattern, p, bytes));
        cell_stop(NAME, pattern->name, "GPU touch again", size);
        cell_start();
        host_write(pattern, p, bytes, SECOND_WORD);
        if (pattern->host_too)
            cell_stop(NAME, pattern->name, "host touch of GPU pages", size);
        if (!right(pattern, p, bytes))
            goto cleanup;
        cell_start();
        UM_TRY(cudaFree(p));
        p = NULL;
        if (pattern->stride == 0 && !pattern->random)
            cell_stop("call/free of populated managed memory/%s", size);
    }
    good = true;
cleanup:
    (void)cudaFree(p);
    return good;
}

static bool gpu_first(const struct pattern *pattern, size_t bytes)
{
    const char *size = cell_size(bytes);
    uint32_t *p = NULL;

    for (struct cell_repeat r = cell_repeat(bytes); cell_next(&r);) {
        UM_TRY(cudaMallocManaged((void **)&p, bytes, cudaMemAttachGlobal));
        cell_start();
        UM_TRY(gpu_touch_and_wait(pattern, p, bytes));
        cell_stop(NAME, pattern->name, "GPU first touch", size);
        cell_start();
        host_write(pattern, p, bytes, SECOND_WORD);
        if (pattern->host_too)
            cell_stop(NAME, pattern->name, "host touch after GPU first", size);
        UM_TRY(cudaFree(p));
        p = NULL;
    }
    return true;
cleanup:
    (void)cudaFree(p);
    return false;
}

static cudaError_t prefetch_and_wait(const void *p, size_t bytes, int device)
{
    cudaError_t error = um_prefetch(p, bytes, device, 0);

    return error == cudaSuccess ? cudaDeviceSynchronize() : error;
}

#define PREFETCH(where, name)                                                                                \
    do {                                                                                                     \
        cell_start();                                                                                        \
        UM_TRY(prefetch_and_wait(p, bytes, where));                                                          \
        cell_stop(NAME, "prefetch", name, size);                                                             \
    } while (0)

static bool prefetched(size_t bytes)
{
    const struct pattern *dense = &patterns[0];
    const char *size = cell_size(bytes);
    uint32_t *p = NULL;
    bool good = false;

    for (struct cell_repeat r = cell_repeat(bytes); cell_next(&r);) {
        UM_TRY(cudaMallocManaged((void **)&p, bytes, cudaMemAttachGlobal));
        PREFETCH(0, "fresh to device");
        UM_TRY(cudaFree(p));
        UM_TRY(cudaMallocManaged((void **)&p, bytes, cudaMemAttachGlobal));
        host_write(dense, p, bytes, 0);
        PREFETCH(0, "to device");
        PREFETCH(0, "to device again");
        cell_start();
        UM_TRY(gpu_touch_and_wait(dense, p, bytes));
        cell_stop(NAME, "prefetch", "GPU touch", size);
        PREFETCH(cudaCpuDeviceId, "to host");
        cell_start();
        host_write(dense, p, bytes, SECOND_WORD);
        cell_stop("call/host touches moved pages/%s", size);
        cell_stop_counts(NAME, "prefetch", "host touch", size);
        cell_start();
        host_write(dense, p, bytes, SECOND_WORD);
        cell_stop("call/host touches resident pages/%s", size);
        UM_TRY(gpu_touch(dense, p, bytes));
        UM_TRY(cudaDeviceSynchronize());
        if (!right(dense, p, bytes))
            goto cleanup;
        UM_TRY(cudaFree(p));
        p = NULL;
    }
    good = true;
cleanup:
    (void)cudaFree(p);
    return good;
}

/* ---- advice ---- */

static cudaError_t gpu_read_and_wait(const uint32_t *p, size_t bytes)
{
    cudaError_t error = um_saxpy(out, 0, (const void *)p, bytes / sizeof(float), 0);

    return error == cudaSuccess ? cudaDeviceSynchronize() : error;
}

static uint32_t host_read(const uint32_t *p, size_t bytes)
{
    const volatile uint32_t *q = p;
    uint32_t sum = 0;

    for (size_t word = 0; word < bytes / sizeof *p; word += WORDS_A_PAGE)
        sum += q[word];
    return sum;
}

#define GPU_READ(advice, name)                                                                               \
    do {                                                                                                     \
        cell_start();                                                                                        \
        UM_TRY(gpu_read_and_wait(p, bytes));                                                                 \
        cell_stop(NAME, advice, name, size);                                                                 \
    } while (0)

static bool read_mostly(size_t bytes)
{
    const char *size = cell_size(bytes);
    uint32_t *p = NULL, before, after;
    bool good = false;

    for (struct cell_repeat r = cell_repeat(bytes); cell_next(&r);) {
        UM_TRY(cudaMallocManaged((void **)&p, bytes, cudaMemAttachGlobal));
        host_write(&patterns[0], p, bytes, 0);
        before = host_read(p, bytes);
        cell_start();
        UM_TRY(um_advise(p, bytes, cudaMemAdviseSetReadMostly, 0));
        cell_stop(NAME, "ReadMostly", "advise", size);
        GPU_READ("ReadMostly", "GPU read");
        GPU_READ("ReadMostly", "GPU read again");
        cell_start();
        after = host_read(p, bytes);
        cell_stop_counts(NAME, "ReadMostly", "host read", size);
        cell_start();
        if (bytes <= 64 * MIB) {
            host_write(&patterns[0], p, bytes, SECOND_WORD);
            cell_stop(NAME, "ReadMostly", "host write", size);
        }
        if (before != after) {
            fprintf(stderr, "fidelity: ReadMostly changed the data\n");
            goto cleanup;
        }
        UM_TRY(cudaFree(p));
        p = NULL;
    }
    good = true;
cleanup:
    (void)cudaFree(p);
    return good;
}

static bool preferred_on_host(size_t bytes)
{
    const char *size = cell_size(bytes);
    uint32_t *p = NULL;

    for (struct cell_repeat r = cell_repeat(bytes); cell_next(&r);) {
        UM_TRY(cudaMallocManaged((void **)&p, bytes, cudaMemAttachGlobal));
        cell_start();
        UM_TRY(um_advise(p, bytes, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId));
        cell_stop(NAME, "PreferredLocation=host", "advise fresh", size);
        host_write(&patterns[0], p, bytes, 0);
        GPU_READ("PreferredLocation=host", "GPU read");
        GPU_READ("PreferredLocation=host", "GPU read again");
        UM_TRY(cudaFree(p));
        p = NULL;
    }
    return true;
cleanup:
    (void)cudaFree(p);
    return false;
}

static bool accessed_by_device(size_t bytes)
{
    const char *size = cell_size(bytes);
    uint32_t *p = NULL;

    for (struct cell_repeat r = cell_repeat(bytes); cell_next(&r);) {
        UM_TRY(cudaMallocManaged((void **)&p, bytes, cudaMemAttachGlobal));
        host_write(&patterns[0], p, bytes, 0);
        cell_start();
        UM_TRY(um_advise(p, bytes, cudaMemAdviseSetAccessedBy, 0));
        cell_stop(NAME, "AccessedBy=device", "advise", size);
        GPU_READ("AccessedBy=device", "GPU read");
        UM_TRY(cudaFree(p));
        p = NULL;
    }
    return true;
cleanup:
    (void)cudaFree(p);
    return false;
}

/* ---- a pause ---- */

/** So long after the last GPU fault the driver's handler is asleep for certain (sim/model/README.md). */
#define PAUSE_US 5000

static void pause_host(void)
{
#ifdef UMLAB_SIM
    umsim_host_work_ns(UINT64_C(1000) * PAUSE_US);
#else
    usleep(PAUSE_US);
#endif
}

/* One page of 64 KiB that the GPU takes from the host, after nothing has happened for a while. */
static bool after_a_pause(void)
{
    const size_t bytes = 64 * KIB;
    uint32_t *p = NULL;

    for (struct cell_repeat r = cell_repeat(bytes); cell_next(&r);) {
        UM_TRY(cudaMallocManaged((void **)&p, bytes, cudaMemAttachGlobal));
        *p = 1;
        UM_TRY(cudaDeviceSynchronize());
        pause_host();
        cell_start();
        UM_TRY(um_page_write((unsigned char *)p, bytes, bytes, 201, 0));
        UM_TRY(cudaDeviceSynchronize());
        cell_stop("call/GPU fault after a pause");
        UM_TRY(cudaFree(p));
        p = NULL;
    }
    return true;
cleanup:
    (void)cudaFree(p);
    return false;
}

/* ---- all of it ---- */

/* Where the random touches go, the same for host and GPU. */
static bool choose_random(size_t bytes)
{
    const size_t count = touches(&patterns[4], bytes);

    for (size_t k = 0; k < count; k++)
        host_index[k] = cell_random((unsigned)(bytes / PAGE_BYTES)) * (unsigned)WORDS_A_PAGE;
    return UM_CHECK(cudaMemcpy(device_index, host_index, count * sizeof *host_index, cudaMemcpyHostToDevice));
}

static bool of_size(size_t bytes)
{
    bool good = choose_random(bytes);

    for (size_t i = 0; good && i < sizeof patterns / sizeof patterns[0]; i++) {
        if (bytes < 2 * patterns[i].stride)
            continue;
        good = there_and_back(&patterns[i], bytes) && gpu_first(&patterns[i], bytes);
    }
    return good && prefetched(bytes) && read_mostly(bytes) && preferred_on_host(bytes) &&
           accessed_by_device(bytes);
}

bool cells_of_managed_memory(void)
{
    bool good = false;

    cell_random_start();
    UM_TRY(cudaMalloc((void **)&out, cell_largest()));
    UM_TRY(cudaMalloc((void **)&device_index, RANDOM_MOST * sizeof *device_index));
    UM_NEED(host_index = malloc(RANDOM_MOST * sizeof *host_index));
    UM_TRY(cudaMemset(out, 0, cell_largest()));
    good = after_a_pause();
    for (size_t i = 0; good && i < SIZES && sizes[i] <= cell_largest(); i++)
        good = of_size(sizes[i]);
cleanup:
    (void)cudaFree(out);
    (void)cudaFree(device_index);
    free(host_index);
    return good;
}
