/**
 * @file play.c
 * @brief Implementation of play.h: plays a workload with one kind of memory, with its rounds and
 * verification.
 */
#include <math.h>

#include "play.h"

#define GPU 0

static bool is_copied(enum lab9_kind kind)
{
    return kind == LAB9_PAGEABLE || kind == LAB9_PINNED;
}

static bool is_managed(enum lab9_kind kind)
{
    return kind >= LAB9_MANAGED;
}

/* Place number i of a gather: multiples of 2^32 by the golden ratio fall far apart, and nowhere twice in a
 * row. */
static uint32_t gather_place(const struct play *play, size_t i)
{
    return (uint32_t)((uint64_t)((uint32_t)i * UINT32_C(2654435769)) * play->n >> 32);
}

/* Allocates the array. Memory from malloc is assumed to have its pages already. */
static cudaError_t get(struct play *play)
{
    const size_t bytes = play->work.bytes;
    cudaError_t error = cudaSuccess;

    if (play->kind == LAB9_PAGEABLE) {
        play->h = aligned_alloc(4096, bytes);
        if (!play->h)
            return cudaErrorMemoryAllocation;
        memset(play->h, 0, bytes);
    }
    um_phase(play->row, UM_PHASE_ALLOC);
    if (play->kind == LAB9_PINNED)
        error = cudaMallocHost((void **)&play->h, bytes);
    if (play->kind == LAB9_MAPPED)
        error = cudaHostAlloc((void **)&play->h, bytes, cudaHostAllocMapped);
    if (is_managed(play->kind))
        error = cudaMallocManaged((void **)&play->h, bytes, cudaMemAttachGlobal);
    play->d = play->h; /* one address for both sides; copies have another */
    if (is_copied(play->kind) && error == cudaSuccess)
        error = cudaMalloc((void **)&play->d, bytes);
    um_phase_end(play->row);
    return error;
}

/* Frees the array; CUDA's time for that is a part of the price. */
static void give_back(struct play *play)
{
    if (play->h)
        um_phase(play->row, UM_PHASE_ALLOC);
    if (is_copied(play->kind) && play->d != play->h)
        cudaFree(play->d);
    if (is_managed(play->kind))
        cudaFree(play->h);
    if (play->kind == LAB9_PINNED || play->kind == LAB9_MAPPED)
        cudaFreeHost(play->h);
    um_phase_end(play->row);
    if (play->kind == LAB9_PAGEABLE)
        free(play->h);
}

/* Waits, so that the time counts in this phase and not in the next. */
static cudaError_t prefetch(const struct play *play, int processor)
{
    const cudaError_t error = um_prefetch(play->h, play->work.bytes, processor, 0); /* cudaMemPrefetchAsync */

    return error != cudaSuccess ? error : cudaDeviceSynchronize();
}

/* The advice that is given once, when the host has written the array. */
static cudaError_t advise(const struct play *play)
{
    const size_t bytes = play->work.bytes;
    cudaError_t error = cudaSuccess;

    if (play->kind != LAB9_ADVISED)
        return cudaSuccess;
    um_phase(play->row, UM_PHASE_ADVICE);
    switch (play->advice) {
    case LAB9_DUPLICATE:
        error = um_advise(play->h, bytes, cudaMemAdviseSetReadMostly, GPU); /* cudaMemAdvise */
        um_phase(play->row, UM_PHASE_H2D);
        return error != cudaSuccess ? error : prefetch(play, GPU);
    case LAB9_STAY:
        return um_advise(play->h, bytes, cudaMemAdviseSetPreferredLocation, GPU);
    default:
        error = um_advise(play->h, bytes, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId);
        return error != cudaSuccess ? error : um_advise(play->h, bytes, cudaMemAdviseSetAccessedBy, GPU);
    }
}

/* Whether the array is prefetched to the side whose turn it is. */
static bool is_prefetched(const struct play *play)
{
    return play->kind == LAB9_PREFETCH || (play->kind == LAB9_ADVISED && play->advice == LAB9_STAY);
}

/* Before the GPU's turn. What the host has not changed need not be copied again. */
static cudaError_t to_gpu(const struct play *play, unsigned round)
{
    if (is_copied(play->kind) && (round == 0 || !play->work.read_only))
        return cudaMemcpy(play->d, play->h, play->work.bytes, cudaMemcpyHostToDevice);
    return is_prefetched(play) ? prefetch(play, GPU) : cudaSuccess;
}

/* Before the host's turn; all kernels have been waited for. */
static cudaError_t to_host(const struct play *play)
{
    if (is_copied(play->kind) && !play->work.read_only)
        return cudaMemcpy(play->h, play->d, play->work.bytes, cudaMemcpyDeviceToHost);
    return is_prefetched(play) ? prefetch(play, cudaCpuDeviceId) : cudaSuccess;
}

static cudaError_t launch(const struct play *play)
{
    if (!play->work.read_only)
        return um_strided_touch(play->d, play->n, play->work.stride, 0);
    if (play->work.stride > 1)
        return um_gather(play->found, play->d, play->index, play->used, 0);
    return um_sum(play->sum, play->sum + 1, play->d, play->n, 0);
}

/* The host's turn: it accesses a float in each page. @return their sum, so that no compiler removes the
 * reads */
static double host_turn(const struct play *play)
{
    volatile float *x = play->h;
    double sum = 0;

    for (size_t i = 0; i < play->n; i += LAB9_HOST_STRIDE) {
        sum += x[i];
        if (!play->work.read_only)
            x[i] += 1;
    }
    return sum;
}

/* All rounds: what is timed. */
static cudaError_t rounds(const struct play *play)
{
    cudaError_t error;

    error = advise(play);
    for (unsigned round = 0; round < play->work.rounds && error == cudaSuccess; round++) {
        um_phase(play->row, UM_PHASE_H2D);
        error = to_gpu(play, round);
        um_phase(play->row, UM_PHASE_KERNEL);
        for (unsigned pass = 0; pass < play->work.passes && error == cudaSuccess; pass++) {
            error = launch(play);
        }
        if (error == cudaSuccess)
            error = cudaDeviceSynchronize();
        um_phase(play->row, UM_PHASE_D2H);
        if (error == cudaSuccess)
            error = to_host(play);
        um_phase(play->row, UM_PHASE_HOST);
        if (error == cudaSuccess)
            (void)host_turn(play);
    }
    um_phase_end(play->row);
    return error;
}

/* ---- what the kernels need beside the array, the same for all kinds: made and freed outside of the phases
 * ---- */

/* Allocates device memory that shares no chunk of the driver's with a small array: sharing would make the
 * array cheaper to allocate. */
static cudaError_t beside_malloc(void **p, size_t bytes)
{
    const size_t chunk = (size_t)2 << 20;

    return cudaMalloc(p, bytes < chunk ? chunk : bytes);
}

static cudaError_t beside_get(struct play *play)
{
    uint32_t *places = NULL;
    cudaError_t error = cudaSuccess;

    if (!play->work.read_only)
        return cudaSuccess;
    if (play->work.stride == 1)
        return beside_malloc((void **)&play->sum, (1 + UM_SUM_BLOCKS) * sizeof(double));
    places = malloc(play->used * sizeof *places);
    if (!places)
        return cudaErrorMemoryAllocation;
    for (size_t i = 0; i < play->used; i++) {
        places[i] = gather_place(play, i);
    }
    error = beside_malloc((void **)&play->index, play->used * sizeof *places);
    if (error == cudaSuccess)
        error = beside_malloc((void **)&play->found, play->used * sizeof *play->found);
    if (error == cudaSuccess)
        error = cudaMemcpy(play->index, places, play->used * sizeof *places, cudaMemcpyHostToDevice);
    free(places);
    return error;
}

static void beside_give_back(const struct play *play)
{
    cudaFree(play->sum);
    cudaFree(play->index);
    cudaFree(play->found);
}

/* ---- is it right? ---- */

/* Float i of the array, when all is done. */
static float expected_float(const struct play *play, size_t i, uint64_t seed)
{
    const struct lab9_workload *work = &play->work;
    float value = (float)um_value(seed, i);

    if (!work->read_only && i % work->stride == 0)
        value += (float)(work->passes * work->rounds);
    if (!work->read_only && i % LAB9_HOST_STRIDE == 0)
        value += (float)work->rounds;
    return value;
}

static bool right_array(const struct play *play, uint64_t seed)
{
    for (size_t i = 0; i < play->n; i++) {
        const float expected = expected_float(play, i, seed);

        if (play->h[i] != expected) {
            fprintf(stderr, "%s: x[%zu] is %g instead of %g\n", play->row->strategy, i, (double)play->h[i],
                    (double)expected);
            return false;
        }
    }
    return true;
}

static bool right_sum(const struct play *play, uint64_t seed)
{
    double got = NAN, expected = 0;

    for (size_t i = 0; i < play->n; i++) {
        expected += um_value(seed, i);
    }
    UM_TRY(cudaMemcpy(&got, play->sum, sizeof got, cudaMemcpyDeviceToHost));
cleanup:
    return um_verify_number(play->row->strategy, got, expected);
}

static bool right_found(const struct play *play, uint64_t seed)
{
    float *got = malloc(play->used * sizeof *got);
    size_t wrong = play->used;

    UM_NEED(got);
    UM_TRY(cudaMemcpy(got, play->found, play->used * sizeof *got, cudaMemcpyDeviceToHost));
    wrong = 0;
    for (size_t i = 0; i < play->used; i++) {
        wrong += got[i] != (float)um_value(seed, gather_place(play, i));
    }
cleanup:
    free(got);
    return um_verify_number(play->row->strategy, (double)wrong, 0);
}

bool can_play(struct um_run *run, enum lab9_kind kind)
{
    const struct um_device *device = um_device();

    if (kind == LAB9_MAPPED && !device->can_map_host)
        um_row_skip(um_row(run, NULL), "this device maps no host memory (cudaDevAttrCanMapHostMemory is 0)");
    else if (is_managed(kind) && !device->managed)
        um_row_skip(um_row(run, NULL), "this device has no managed memory (managedMemory is 0)");
    else if (kind > LAB9_MANAGED && !device->concurrent_managed)
        um_row_skip(um_row(run, NULL), "concurrentManagedAccess is 0: this driver takes no such hints");
    else
        return true;
    return false;
}

void play(struct um_run *run, enum lab9_kind kind, const struct lab9_workload *work, const char *name,
          bool unlisted)
{
    struct play it = {
        .work = *work, .kind = kind, .advice = lab9_advice(work), .n = work->bytes / sizeof(float)};

    it.used = (it.n - 1) / work->stride + 1;
    it.row = um_row(run, name);
    it.row->size_bytes = work->bytes;
    it.row->unlisted = unlisted;
    UM_TRY(beside_get(&it));
    UM_TRY(get(&it));
    um_fill_floats(it.h, it.n, run->seed);
    UM_TRY(cudaDeviceSynchronize());
    UM_TRY(rounds(&it));
    um_row_verified(it.row, right_array(&it, run->seed));
    if (it.sum)
        um_row_verified(it.row, right_sum(&it, run->seed));
    if (it.found)
        um_row_verified(it.row, right_found(&it, run->seed));
    um_extra_number(it.row, "work_us", "work", "us", round(1e3 * (it.row->total_us - it.row->alloc_us)) / 1e3,
                    1);
cleanup:
    um_phase_end(it.row);
    give_back(&it);
    beside_give_back(&it);
}
