/**
 * @file allocations.c
 * @brief Cells of allocating, freeing and registering, by size; nothing else of the kind is alive then, and
 * the memory has not been used. And of small calls (`call/...`), each of which alone gives the model a
 * figure.
 */
#include "cells.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cuda_runtime_api.h>

#include "kernels.h"
#include "um_check.h"
#include "um_cuda_compat.h"
#include "um_time.h"

static const size_t sizes[] = {4 * KIB, 64 * KIB, 256 * KIB, MIB,      2 * MIB,   4 * MIB,
                               8 * MIB, 16 * MIB, 32 * MIB,  64 * MIB, 128 * MIB, 256 * MIB};
#define SIZES (sizeof sizes / sizeof sizes[0])

static bool of_device_memory(size_t bytes)
{
    void *p = NULL;

    for (struct cell_repeat r = cell_repeat(bytes); cell_next(&r);) {
        cell_start();
        UM_TRY(cudaMalloc(&p, bytes));
        cell_stop("alloc/device/malloc/%s", cell_size(bytes));
        cell_start();
        UM_TRY(cudaFree(p));
        cell_stop("alloc/device/free/%s", cell_size(bytes));
    }
    return true;
cleanup:
    return false;
}

static bool of_pinned_memory(size_t bytes)
{
    void *p = NULL;

    for (struct cell_repeat r = cell_repeat(bytes); cell_next(&r);) {
        cell_start();
        UM_TRY(cudaMallocHost(&p, bytes));
        cell_stop("alloc/pinned/malloc/%s", cell_size(bytes));
        cell_start();
        UM_TRY(cudaFreeHost(p));
        cell_stop("alloc/pinned/free/%s", cell_size(bytes));
    }
    return true;
cleanup:
    return false;
}

static bool of_managed_memory(size_t bytes)
{
    void *p = NULL;

    for (struct cell_repeat r = cell_repeat(bytes); cell_next(&r);) {
        cell_start();
        UM_TRY(cudaMallocManaged(&p, bytes, cudaMemAttachGlobal));
        cell_stop("alloc/managed/malloc/%s", cell_size(bytes));
        cell_start();
        UM_TRY(cudaFree(p));
        cell_stop("alloc/managed/free/%s", cell_size(bytes));
    }
    return true;
cleanup:
    return false;
}

static bool of_registering(size_t bytes)
{
    void *p = NULL;
    bool good = false;

    if (posix_memalign(&p, PAGE_BYTES, bytes) != 0)
        return false;
    memset(p, 1, bytes);
    for (struct cell_repeat r = cell_repeat(bytes); cell_next(&r);) {
        cell_start();
        UM_TRY(cudaHostRegister(p, bytes, cudaHostRegisterDefault));
        cell_stop("alloc/registered/register/%s", cell_size(bytes));
        cell_start();
        UM_TRY(cudaHostUnregister(p));
        cell_stop("alloc/registered/unregister/%s", cell_size(bytes));
    }
    good = true;
cleanup:
    free(p);
    return good;
}

/* Stream-ordered; the pool keeps what is freed, so all but the first are warm. */
static bool of_the_pool(size_t bytes)
{
    cudaMemPool_t pool;
    unsigned long long keep = ~0ull;
    void *p = NULL;

    UM_TRY(cudaDeviceGetDefaultMemPool(&pool, 0));
    UM_TRY(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
    UM_TRY(cudaMallocAsync(&p, bytes, 0));
    UM_TRY(cudaFreeAsync(p, 0));
    for (struct cell_repeat r = cell_repeat(bytes); cell_next(&r);) {
        cell_start();
        UM_TRY(cudaMallocAsync(&p, bytes, 0));
        cell_stop("alloc/pool/malloc/%s", cell_size(bytes));
        cell_start();
        UM_TRY(cudaFreeAsync(p, 0));
        cell_stop("alloc/pool/free/%s", cell_size(bytes));
    }
    UM_TRY(cudaDeviceSynchronize());
    UM_TRY(cudaMemPoolTrimTo(pool, 0));
    return true;
cleanup:
    return false;
}

bool cells_of_allocations(void)
{
    bool good = true;

    for (size_t i = 0; good && i < SIZES && sizes[i] <= cell_largest(); i++)
        good = of_device_memory(sizes[i]) && of_pinned_memory(sizes[i]) && of_managed_memory(sizes[i]) &&
               of_registering(sizes[i]) && of_the_pool(sizes[i]);
    return good;
}

/* ---- small calls ---- */

#define CALL(name, call)                                                                                     \
    do {                                                                                                     \
        cell_start();                                                                                        \
        UM_TRY(call);                                                                                        \
        cell_stop("call/" name);                                                                             \
    } while (0)

static void CUDART_CB nothing(void *unused)
{
    (void)unused;
}

/* One thing of each kind, in a stream that is idle. */
static bool one_of_each(int *device)
{
    cudaStream_t stream = NULL;
    cudaEvent_t event = NULL;
    struct cudaPointerAttributes attributes;
    bool good = false;

    CALL("stream create", cudaStreamCreate(&stream));
    CALL("event create", cudaEventCreate(&event));
    CALL("event record", cudaEventRecord(event, stream));
    UM_TRY(cudaStreamSynchronize(stream));
    CALL("stream query", cudaStreamQuery(stream));
    CALL("stream wait event", cudaStreamWaitEvent(stream, event, 0));
    CALL("pointer attributes", cudaPointerGetAttributes(&attributes, device));
    CALL("launch", um_add_one(device, 1, stream));
    UM_TRY(cudaStreamSynchronize(stream));
    CALL("host function", cudaLaunchHostFunc(stream, nothing, NULL));
    UM_TRY(cudaStreamSynchronize(stream));
    cell_start();
    UM_TRY(cudaLaunchHostFunc(stream, nothing, NULL));
    UM_TRY(cudaStreamSynchronize(stream));
    cell_stop("call/host function and wait");
    CALL("synchronize idle", cudaDeviceSynchronize());
    CALL("event destroy", cudaEventDestroy(event));
    CALL("stream destroy", cudaStreamDestroy(stream));
    good = true;
cleanup:
    return good;
}

/* Launches that do next to nothing: waited for, in a row, between events. */
static bool launches(int *device)
{
    struct um_gpu_timer timer = {NULL, NULL};
    bool good = false;
    double us = 0;

    UM_TRY(um_gpu_timer_create(&timer));
    for (struct cell_repeat r = cell_repeat(0); cell_next(&r);) {
        cell_start();
        UM_TRY(um_add_one(device, 1, 0));
        UM_TRY(cudaDeviceSynchronize());
        cell_stop("launch/one and wait");
        cell_start();
        for (int i = 0; i < 100; i++)
            UM_TRY(um_add_one(device, 1, 0));
        UM_TRY(cudaDeviceSynchronize());
        cell_stop("launch/100 and wait");
        UM_TRY(um_gpu_timer_start(&timer, 0));
        UM_TRY(um_gpu_timer_stop(&timer, 0));
        UM_TRY(um_gpu_timer_us(&timer, &us));
        cell_time(us, "launch/nothing between events");
        UM_TRY(um_gpu_timer_start(&timer, 0));
        UM_TRY(um_add_one(device, 1, 0));
        UM_TRY(um_gpu_timer_stop(&timer, 0));
        UM_TRY(um_gpu_timer_us(&timer, &us));
        cell_time(us, "launch/one between events");
        UM_TRY(um_gpu_timer_start(&timer, 0));
        for (int i = 0; i < 20; i++)
            UM_TRY(um_add_one(device, 1, 0));
        UM_TRY(um_gpu_timer_stop(&timer, 0));
        UM_TRY(um_gpu_timer_us(&timer, &us));
        cell_time(us, "launch/20 between events");
    }
    good = true;
cleanup:
    um_gpu_timer_destroy(&timer);
    return good;
}

/** So many of a page each, in a chunk of 2 MiB that another one keeps. */
#define SMALL_ONES 100

static bool small_allocations(void)
{
    void *p[SMALL_ONES] = {NULL};
    bool good = false;

    for (struct cell_repeat r = cell_repeat(0); cell_next(&r);) {
        double start = um_now_us(), middle;
        for (int i = 0; i < SMALL_ONES; i++)
            UM_TRY(cudaMalloc(&p[i], PAGE_BYTES));
        middle = um_now_us();
        for (int i = 0; i < SMALL_ONES; i++) {
            UM_TRY(cudaFree(p[i]));
            p[i] = NULL;
        }
        cell_time((middle - start) / SMALL_ONES, "call/small malloc");
        cell_time((um_now_us() - middle) / SMALL_ONES, "call/small free");
    }
    good = true;
cleanup:
    for (int i = 0; i < SMALL_ONES; i++)
        (void)cudaFree(p[i]);
    return good;
}

bool cells_of_calls(void)
{
    int *device = NULL;
    bool good = false;

    UM_TRY(cudaMalloc((void **)&device, PAGE_BYTES));
    good = true;
    for (struct cell_repeat r = cell_repeat(0); good && cell_next(&r);)
        good = one_of_each(device);
    good = good && launches(device) && small_allocations();
cleanup:
    (void)cudaFree(device);
    return good;
}
