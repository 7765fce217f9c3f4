/**
 * @file copies.c
 * @brief Cells of copies: each kind of host memory, each way, each size; from the call to its return, and by
 * events.
 */
#include "cells.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cuda_runtime_api.h>

#include "um_check.h"
#include "um_time.h"

static const size_t sizes[] = {4 * KIB,   8 * KIB,   16 * KIB, 32 * KIB,  64 * KIB, 128 * KIB,
                               256 * KIB, 512 * KIB, MIB,      2 * MIB,   4 * MIB,  8 * MIB,
                               16 * MIB,  32 * MIB,  64 * MIB, 128 * MIB, 256 * MIB};
#define SIZES (sizeof sizes / sizeof sizes[0])

enum host_kind { PAGEABLE, PINNED, WRITE_COMBINED, REGISTERED, HOST_KINDS };
static const char *const host_names[] = {"pageable", "pinned", "write-combined", "registered"};

static char *host_memory(enum host_kind kind)
{
    void *p = NULL;

    if (kind == PINNED || kind == WRITE_COMBINED) {
        const unsigned flags = kind == PINNED ? cudaHostAllocDefault : cudaHostAllocWriteCombined;
        if (!UM_CHECK(cudaHostAlloc(&p, cell_largest(), flags)))
            return NULL;
    } else if (posix_memalign(&p, 2 * MIB, cell_largest()) != 0) {
        return NULL;
    }
    memset(p, 0x5a, cell_largest());
    if (kind == REGISTERED && !UM_CHECK(cudaHostRegister(p, cell_largest(), cudaHostRegisterDefault))) {
        free(p);
        return NULL;
    }
    return p;
}

static void host_free(enum host_kind kind, void *p)
{
    if (kind == PINNED || kind == WRITE_COMBINED) {
        (void)cudaFreeHost(p);
        return;
    }
    if (kind == REGISTERED)
        (void)cudaHostUnregister(p);
    free(p);
}

/* Both ways, from the call to its return; what comes back is what went. */
static bool synchronous(const char *kind, char *host, char *device, size_t bytes)
{
    const char *size = cell_size(bytes);
    bool right = true;

    for (struct cell_repeat r = cell_repeat(bytes); cell_next(&r);) {
        cell_start();
        UM_TRY(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice));
        cell_stop("copy/h2d/%s/call/%s", kind, size);
        UM_TRY(cudaDeviceSynchronize());
        host[0] = host[bytes - 1] = 0;
        cell_start();
        UM_TRY(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost));
        cell_stop("copy/d2h/%s/call/%s", kind, size);
        right = right && host[0] == 0x5a && host[bytes - 1] == 0x5a;
    }
    if (!right)
        fprintf(stderr, "fidelity: a copy of %s brought back something else\n", size);
    return right;
cleanup:
    return false;
}

/* One copy between two events; `from_call` is the call's own time. */
static bool between_events(const char *name, char *to, const char *from, size_t bytes,
                           enum cudaMemcpyKind kind)
{
    struct um_gpu_timer timer = {NULL, NULL};
    bool good = false;
    double us = 0;

    UM_TRY(um_gpu_timer_create(&timer));
    for (struct cell_repeat r = cell_repeat(bytes); cell_next(&r);) {
        UM_TRY(cudaDeviceSynchronize());
        UM_TRY(um_gpu_timer_start(&timer, 0));
        UM_TRY(cudaMemcpyAsync(to, from, bytes, kind, 0));
        UM_TRY(um_gpu_timer_stop(&timer, 0));
        UM_TRY(um_gpu_timer_us(&timer, &us));
        cell_time(us, "copy/%s/events/%s", name, cell_size(bytes));
    }
    good = true;
cleanup:
    um_gpu_timer_destroy(&timer);
    return good;
}

/* How long the host is held by a copy that it does not wait for, and until it has waited after all. */
static bool call_of_asynchronous(char *device, const char *host, size_t bytes)
{
    for (struct cell_repeat r = cell_repeat(bytes); cell_next(&r);) {
        cell_start();
        UM_TRY(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, 0));
        cell_stop("copy/h2d/pinned/async call/%s", cell_size(bytes));
        cell_start();
        UM_TRY(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, 0));
        UM_TRY(cudaStreamSynchronize(0));
        cell_stop("copy/h2d/pinned/async and wait/%s", cell_size(bytes));
    }
    return true;
cleanup:
    return false;
}

/* The host copies by itself, through the same call. */
static bool within_host(char *to, const char *from, size_t bytes)
{
    for (struct cell_repeat r = cell_repeat(bytes); cell_next(&r);) {
        cell_start();
        UM_TRY(cudaMemcpy(to, from, bytes, cudaMemcpyHostToHost));
        cell_stop("copy/h2h/call/%s", cell_size(bytes));
    }
    return true;
cleanup:
    return false;
}

static bool of_kind(enum host_kind kind, char *device)
{
    char *host = host_memory(kind), name[64];
    bool good = host != NULL;

    for (size_t i = 0; good && i < SIZES && sizes[i] <= cell_largest(); i++) {
        good = synchronous(host_names[kind], host, device, sizes[i]);
        if (good && kind != PAGEABLE) {
            snprintf(name, sizeof name, "h2d/%s", host_names[kind]);
            good = between_events(name, device, host, sizes[i], cudaMemcpyHostToDevice);
            snprintf(name, sizeof name, "d2h/%s", host_names[kind]);
            good = good && between_events(name, host, device, sizes[i], cudaMemcpyDeviceToHost);
        }
        if (good && kind == PAGEABLE && sizes[i] < cell_largest())
            good = within_host(host + cell_largest() / 2, host, sizes[i]);
        if (good && kind == PINNED)
            good = call_of_asynchronous(device, host, sizes[i]);
    }
    if (host)
        host_free(kind, host);
    return good;
}

static bool within_device(char *device, char *other)
{
    struct um_gpu_timer timer = {NULL, NULL};
    bool good = true;
    double us = 0;

    UM_TRY(um_gpu_timer_create(&timer));
    for (size_t i = 0; good && i < SIZES && sizes[i] <= cell_largest(); i++) {
        good = between_events("d2d", other, device, sizes[i], cudaMemcpyDeviceToDevice);
        for (struct cell_repeat r = cell_repeat(sizes[i]); good && cell_next(&r);) {
            UM_TRY(cudaDeviceSynchronize());
            UM_TRY(um_gpu_timer_start(&timer, 0));
            UM_TRY(cudaMemsetAsync(device, 0, sizes[i], 0));
            UM_TRY(um_gpu_timer_stop(&timer, 0));
            UM_TRY(um_gpu_timer_us(&timer, &us));
            cell_time(us, "set/device/events/%s", cell_size(sizes[i]));
        }
    }
    um_gpu_timer_destroy(&timer);
    return good;
cleanup:
    um_gpu_timer_destroy(&timer);
    return false;
}

bool cells_of_copies(void)
{
    char *device = NULL, *other = NULL;
    bool good = false;

    UM_TRY(cudaMalloc((void **)&device, cell_largest()));
    UM_TRY(cudaMalloc((void **)&other, cell_largest()));
    good = true;
    for (int kind = 0; good && kind < HOST_KINDS; kind++)
        good = of_kind((enum host_kind)kind, device);
    good = good && within_device(device, other);
cleanup:
    (void)cudaFree(device);
    (void)cudaFree(other);
    return good;
}
