/**
 * @file pair.c
 * @brief Implementation of pair.h: finds two devices, opens and closes access between them, counts bytes.
 */
#include "pair.h"

struct side side[DEVICES];

static bool reaches, enabled;
static const char *lacks_managed;

bool pair_reaches(void)
{
    return reaches;
}

const char *pair_lacks_managed(void)
{
    return lacks_managed;
}

cudaError_t pair_on(int device)
{
    return cudaSetDevice(device);
}

cudaError_t pair_wait(void)
{
    cudaError_t error = cudaSuccess;

    for (int d = DEVICES - 1; d >= 0 && error == cudaSuccess; d--) {
        error = pair_on(d);
        if (error == cudaSuccess)
            error = cudaDeviceSynchronize();
    }
    return error;
}

cudaError_t pair_after(cudaStream_t stream, cudaEvent_t event)
{
    return cudaStreamWaitEvent(stream, event, 0);
}

cudaError_t pair_malloc(int device, void **p, size_t bytes)
{
    cudaError_t error = pair_on(device);

    return error == cudaSuccess ? cudaMalloc(p, bytes) : error;
}

/* Access is one-way: each device asks for the other's memory. */
static cudaError_t access_both(bool on)
{
    cudaError_t error = cudaSuccess;

    if (on == enabled)
        return error;
    for (int d = DEVICES - 1; d >= 0 && error == cudaSuccess; d--) {
        error = pair_on(d);
        if (error == cudaSuccess)
            error = on ? cudaDeviceEnablePeerAccess(1 - d, 0) : cudaDeviceDisablePeerAccess(1 - d);
    }
    enabled = on;
    return error;
}

/* A page of managed memory is asked for, and whether both devices may touch it while the host does. */
static void look_for_managed(void)
{
    void *p = NULL;

    for (int d = 0; d < DEVICES; d++) {
        if (um_attribute(cudaDevAttrConcurrentManagedAccess, d, 0) == 0)
            lacks_managed = "concurrentManagedAccess is 0: this driver does not move pages by faults";
    }
    if (lacks_managed)
        return;
    if (cudaMallocManaged(&p, 1, cudaMemAttachGlobal) != cudaSuccess) {
        (void)cudaGetLastError();
        lacks_managed = um_is_sim() ? "the simulator has no managed memory of several devices yet"
                                    : "cudaMallocManaged() fails on this machine";
        return;
    }
    (void)cudaFree(p);
}

static bool make_streams(void)
{
    for (int d = DEVICES - 1; d >= 0; d--) {
        UM_TRY(pair_on(d));
        UM_TRY(cudaStreamCreateWithFlags(&side[d].kernels, cudaStreamNonBlocking));
        UM_TRY(cudaStreamCreateWithFlags(&side[d].copies, cudaStreamNonBlocking));
    }
    return true;
cleanup:
    return false;
}

bool pair_open(void)
{
    int count = 0, there[DEVICES] = {0, 0};

    if (!UM_CHECK(cudaGetDeviceCount(&count)))
        return false;
    if (count < DEVICES) {
        fprintf(stderr, "lab10: two GPUs are needed, and there is %d here; %s\n", count,
                um_is_sim() ? "make lab10 PROFILE=h200-nvlink2 simulates two"
                            : "make lab10 BACKEND=sim PROFILE=h200-nvlink2 runs it without a GPU");
        return false;
    }
    for (int d = 0; d < DEVICES; d++)
        (void)cudaDeviceCanAccessPeer(&there[d], d, 1 - d);
    reaches = there[0] && there[1];
    look_for_managed();
    return make_streams();
}

void pair_close(void)
{
    for (int d = 0; d < DEVICES; d++) {
        if (side[d].kernels)
            (void)cudaStreamDestroy(side[d].kernels);
        if (side[d].copies)
            (void)cudaStreamDestroy(side[d].copies);
    }
}

struct um_row *pair_begin(struct um_run *run, unsigned needs)
{
    struct um_row *row = um_row(run, NULL);

    if ((needs & NEEDS_ACCESS) && !reaches) {
        um_row_skip(row, "these devices cannot reach each other's memory (cudaDeviceCanAccessPeer says 0)");
        return NULL;
    }
    if ((needs & NEEDS_MANAGED) && lacks_managed) {
        um_row_skip(row, "%s", lacks_managed);
        return NULL;
    }
    if (!UM_CHECK(access_both((needs & NEEDS_ACCESS) != 0)) || !UM_CHECK(pair_on(0)))
        return NULL;
    return row;
}

void pair_end(void)
{
    (void)UM_CHECK(access_both(false));
    (void)UM_CHECK(pair_on(0));
}

/* A column of bytes: those of copies, and those of pages. What is not counted counts as nothing, unless none
 * is. */
static void column(struct um_row *row, const char *key, const char *title, int64_t copied, int64_t migrated)
{
    const int64_t bytes = (copied > 0 ? copied : 0) + (migrated > 0 ? migrated : 0);

    if (copied != UM_NONE || migrated != UM_NONE)
        um_extra_number(row, key, title, "MiB", um_mib((double)bytes), 2);
}

void pair_tell(struct um_row *row, double far_bytes)
{
    const struct um_counters *moved = &row->counters;

    column(row, "to_devices_mib", "to GPUs", moved->bytes_h2d, moved->bytes_migrated_h2d);
    column(row, "to_host_mib", "to host", moved->bytes_d2h, moved->bytes_migrated_d2h);
    column(row, "between_mib", "between", moved->bytes_d2d, moved->bytes_migrated_d2d);
    /* Devices that reach nothing of each other's: managed pages came instead. */
    um_extra_number(row, "far_mib", "far", "MiB", um_mib(reaches ? far_bytes : 0), 2);
}
