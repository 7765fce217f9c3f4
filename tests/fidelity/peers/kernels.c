/**
 * @file kernels.c
 * @brief Cells of kernels on device 0 that read and write memory of device 1: dense, strided, random,
 * dependent, atomic, by events; and of kernels on both devices at once. Some are done on device 0's own
 * memory, too, under the same name with "own".
 */
#include "peers.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "../cells.h"
#include "kernels.h"
#include "um_check.h"
#include "um_time.h"

static const size_t sizes[] = {64 * KIB, MIB, 4 * MIB, 16 * MIB, 64 * MIB, 256 * MIB};
#define SIZES (sizeof sizes / sizeof sizes[0])
/** Atomics are as many as words of such an array. */
#define ATOMICS_LARGEST (16 * MIB)
/** A random gather asks for one element in so many. */
#define GATHER_PART 16
/** Steps of a chase, and the bytes of its nodes. */
#define CHASE_STEPS ((size_t)4000)
#define CHASE_NODE ((size_t)128)
/** A stride within a page: a line of the cache by itself. */
#define LINE_FLOATS 32

static struct um_gpu_timer timer;

#define BETWEEN_EVENTS(launch, ...)                                                                          \
    for (struct cell_repeat r = cell_repeat(bytes); cell_next(&r);) {                                        \
        double us = NAN;                                                                                     \
        cell_wait();                                                                                         \
        UM_TRY(um_gpu_timer_start(&timer, 0));                                                               \
        UM_TRY(launch);                                                                                      \
        UM_TRY(um_gpu_timer_stop(&timer, 0));                                                                \
        UM_TRY(um_gpu_timer_us(&timer, &us));                                                                \
        cell_time(us, __VA_ARGS__);                                                                          \
    }

static bool dense(size_t bytes)
{
    const size_t n = bytes / sizeof(float);
    const char *size = cell_size(bytes);
    void *far = peer[1].memory, *own = peer[0].other;

    BETWEEN_EVENTS(um_fill(far, 1, n, 0), "peers/kernel/dense write/%s", size);
    BETWEEN_EVENTS(um_saxpy(own, 2, far, n, 0), "peers/kernel/dense read/%s", size);
    BETWEEN_EVENTS(um_add_one(far, n, 0), "peers/kernel/dense read and write/%s", size);
    BETWEEN_EVENTS(um_copy_by_kernel(own, far, bytes, 0), "peers/kernel/copied by kernel, read/%s", size);
    BETWEEN_EVENTS(um_copy_by_kernel(far, own, bytes, 0), "peers/kernel/copied by kernel, written/%s", size);
    return true;
cleanup:
    return false;
}

static bool strided(size_t bytes)
{
    static const size_t strides[] = {4 * KIB, 64 * KIB};
    unsigned char *far = (unsigned char *)peer[1].memory, *own = (unsigned char *)peer[0].other;
    const char *size = cell_size(bytes), *stride;

    for (size_t i = 0; i < sizeof strides / sizeof strides[0]; i++) {
        if (bytes < 2 * strides[i])
            continue;
        stride = cell_size(strides[i]);
        BETWEEN_EVENTS(um_page_read(own, far, bytes, strides[i], 0), "peers/kernel/stride %s read/%s", stride,
                       size);
        BETWEEN_EVENTS(um_page_write(far, bytes, strides[i], 7, 0), "peers/kernel/stride %s write/%s", stride,
                       size);
    }
    BETWEEN_EVENTS(um_strided_touch((void *)far, bytes / sizeof(float), LINE_FLOATS, 0),
                   "peers/kernel/stride 128 read and write/%s", size);
    return true;
cleanup:
    return false;
}

static bool gathered(size_t bytes)
{
    const size_t all = bytes / sizeof(float), n = all / GATHER_PART;
    uint32_t *index = malloc(n * sizeof *index);
    void *far = peer[1].memory, *own = peer[0].other, *device_index = peer[0].memory;
    bool good = false;

    UM_NEED(index);
    for (size_t i = 0; i < n; i++)
        index[i] = cell_random((unsigned)all);
    UM_TRY(cudaMemcpy(device_index, index, n * sizeof *index, cudaMemcpyHostToDevice));
    BETWEEN_EVENTS(um_gather(own, far, device_index, n, 0), "peers/kernel/random read/%s", cell_size(bytes));
    good = true;
cleanup:
    free(index);
    return good;
}

/* In memory of either device. */
static bool chased(const char *name, char *nodes_memory, size_t bytes)
{
    const size_t nodes = bytes / CHASE_NODE, words = CHASE_NODE / sizeof(uint64_t);
    uint64_t *next = malloc(bytes), *last = (uint64_t *)(void *)peer[0].other;
    bool good = false;

    UM_NEED(next && cell_cycle(next, nodes, words));
    UM_TRY(cudaMemcpy(nodes_memory, next, bytes, cudaMemcpyDefault));
    for (struct cell_repeat r = cell_repeat(MIB); cell_next(&r);) {
        double us = NAN;
        /* Else the nodes stand in a second-level cache from the round before. */
        UM_TRY(cudaMemset(peer[0].other + PAGE_BYTES, 0, cell_largest() - PAGE_BYTES));
        UM_TRY(peers_set(1, peer[1].other, 0));
        cell_wait();
        UM_TRY(um_gpu_timer_start(&timer, 0));
        UM_TRY(um_pointer_chase(last, (void *)nodes_memory, 0, CHASE_STEPS, 0));
        UM_TRY(um_gpu_timer_stop(&timer, 0));
        UM_TRY(um_gpu_timer_us(&timer, &us));
        cell_time(us, "peers/kernel/%s/%s", name, cell_size(bytes));
    }
    good = true;
cleanup:
    free(next);
    return good;
}

/* Each thread its own word, each warp one word, all one word. */
static bool atomics(const char *of, char *memory, size_t bytes)
{
    const size_t n = bytes / sizeof(int);
    const char *size = cell_size(bytes);
    int *x = (int *)(void *)memory;

    BETWEEN_EVENTS(peers_atomic_add(x, n, n, 0), "peers/kernel/atomics, %s words/%s", of, size);
    BETWEEN_EVENTS(peers_atomic_add(x, 4096, n, 0), "peers/kernel/atomics, %s 16K/%s", of, size);
    if (bytes <= MIB)
        BETWEEN_EVENTS(peers_atomic_add(x, 1, n, 0), "peers/kernel/atomics, %s one word/%s", of, size);
    return true;
cleanup:
    return false;
}

static cudaError_t copy_on(int device, void *to, const void *from, size_t bytes)
{
    cudaError_t error = peers_on(device);

    return error == cudaSuccess ? um_copy_by_kernel(to, from, bytes, peer[device].stream[0]) : error;
}

/* Kernels on both devices: from the first launch to the end of both. */
static bool both(size_t bytes)
{
    const char *size = cell_size(bytes);

    for (struct cell_repeat r = cell_repeat(bytes); cell_next(&r);) {
        cell_start();
        UM_TRY(copy_on(1, peer[1].other, peer[1].memory, bytes));
        UM_TRY(copy_on(0, peer[0].other, peer[0].memory, bytes));
        UM_TRY(peers_wait());
        cell_stop("peers/kernel/both copy their own/%s", size);
        cell_start();
        UM_TRY(copy_on(1, peer[1].other, peer[0].memory, bytes));
        UM_TRY(copy_on(0, peer[0].other, peer[1].memory, bytes));
        UM_TRY(peers_wait());
        cell_stop("peers/kernel/each reads the other's/%s", size);
        cell_start();
        UM_TRY(copy_on(1, peer[0].other, peer[1].memory, bytes));
        UM_TRY(copy_on(0, peer[1].other, peer[0].memory, bytes));
        UM_TRY(peers_wait());
        cell_stop("peers/kernel/each writes the other's/%s", size);
        cell_start();
        UM_TRY(copy_on(0, peer[0].other, peer[1].memory, bytes));
        UM_TRY(peers_wait());
        cell_stop("peers/kernel/0 reads 1, and wait/%s", size);
    }
    return true;
cleanup:
    return false;
}

/* What both() copied, and what the atomics added up to. */
static bool verified(size_t bytes)
{
    int counted = 0;

    if (!(UM_CHECK(peers_set(0, peer[0].memory, 93)) && UM_CHECK(peers_set(1, peer[1].memory, 94)) &&
          both(bytes) && peers_hold("a kernel's copy", peer[0].other, bytes, 94) &&
          peers_hold("a kernel's copy", peer[1].other, bytes, 93)))
        return false;
    UM_TRY(peers_set(1, peer[1].memory, 0));
    UM_TRY(peers_atomic_add((int *)(void *)peer[1].memory, 1, MIB, 0));
    UM_TRY(cudaMemcpy(&counted, peer[1].memory, sizeof counted, cudaMemcpyDefault));
    if (counted == MIB)
        return true;
    fprintf(stderr, "fidelity-peers: atomics in the peer's memory came to %d, not %zu\n", counted, MIB);
cleanup:
    return false;
}

bool cells_of_peer_kernels(void)
{
    bool good = false;

    cell_random_start();
    UM_TRY(peers_on(0));
    UM_TRY(um_gpu_timer_create(&timer));
    good = true;
    for (size_t i = 0; good && i < SIZES && sizes[i] <= cell_largest(); i++) {
        good = dense(sizes[i]) && strided(sizes[i]) && gathered(sizes[i]) && verified(sizes[i]);
        if (good && sizes[i] >= MIB && sizes[i] <= 16 * MIB)
            good =
                chased("chase", peer[1].memory, sizes[i]) && chased("chase, own", peer[0].memory, sizes[i]);
        if (good && sizes[i] <= ATOMICS_LARGEST)
            good = atomics("peer's", peer[1].memory, sizes[i]) && atomics("own", peer[0].memory, sizes[i]);
    }
cleanup:
    um_gpu_timer_destroy(&timer);
    return good;
}
