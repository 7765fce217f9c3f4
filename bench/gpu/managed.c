/**
 * @file managed.c
 * @brief Managed memory: each sample makes its state anew, does one way's work, and checks what it left
 * behind.
 *
 * By the host's clock, from the call to the end of the wait: what a program feels. Before each sample every
 * page gets a new stamp from the side that has it; afterwards the other side looks for it. There is one
 * allocation at a time, of at most GPU_MANAGED_MOST bytes.
 */
#include "managed.h"

#include <string.h>

#include "um_backend.h"
#include "um_cuda_compat.h"
#include "um_time.h"

#define SEED 53
#define TRIAL_SAMPLES 2

/* All of it is on the GPU when reading it again takes no longer than the memory's own reading (at this rate,
 * far below any card's), a launch, and this part of the work's time. Large sizes tell small rests: a 64 KiB
 * piece that is missing costs tens of microseconds. */
#define AGAIN_PART(bytes) ((bytes) >= 16 * GPU_MIB ? 0.05 : 0.25)
#define AGAIN_US(bytes) (50 + (double)(bytes) / 1e6)

/* One sample's times: of the work, and of a plain read by the GPU after it. */
struct taken {
    double us, again_us;
};

static cudaError_t wait_for(const struct managed *m, cudaError_t error)
{
    return error == cudaSuccess ? cudaStreamSynchronize(m->run->stream) : error;
}

/* ---- the state before ---- */

static cudaError_t renew(struct managed *m)
{
    cudaError_t error = cudaFree(m->p);
    m->p = NULL;
    return error == cudaSuccess ? cudaMallocManaged((void **)&m->p, m->bytes, cudaMemAttachGlobal) : error;
}

static cudaError_t advise(struct managed *m, const struct managed_way *way)
{
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < 2 && way->advice[i] && error == cudaSuccess; i++) {
        const int device = way->advice[i] == cudaMemAdviseSetPreferredLocation ? cudaCpuDeviceId : 0;
        error = um_advise(m->p, m->bytes, way->advice[i], device);
    }
    return error;
}

static cudaError_t put_on_gpu(struct managed *m, uint32_t stamp)
{
    const cudaError_t error = managed_move(m, 0);
    return error == cudaSuccess ? wait_for(m, gpu_stamp(m->p, m->bytes, stamp, m->run->stream)) : error;
}

static cudaError_t before(struct managed *m, const struct managed_way *way)
{
    cudaError_t error;
    unsigned touches;
    m->stamp++;
    m->missed = 0;
    /* A copy's destination has another stamp than its source. */
    if (m->mirror)
        gpu_host_stamp(m->mirror, m->bytes, way->after == AFTER_MIRROR ? m->stamp + 1 : m->stamp,
                       m->run->threads);
    if (way->before == BEFORE_GPU)
        return put_on_gpu(m, m->mirror && way->after != AFTER_MIRROR ? m->stamp + 1 : m->stamp);
    error = way->before == BEFORE_HOST ? managed_move(m, cudaCpuDeviceId) : renew(m);
    if (error != cudaSuccess || way->before == BEFORE_FRESH)
        return error;
    gpu_host_stamp(m->p, m->bytes, m->stamp, m->run->threads);
    error = advise(m, way);
    if (error == cudaSuccess && way->before == BEFORE_SHARED)
        error = wait_for(m, gpu_touch(gpu_touches(&touches), m->p, m->bytes, m->stamp, m->run->stream));
    return error;
}

/* ---- what it left ---- */

static cudaError_t read_again(struct managed *m, double *us)
{
    unsigned touches;
    const double begun = um_now_us();
    const cudaError_t error =
        wait_for(m, gpu_touch(gpu_touches(&touches), m->p, m->bytes, m->stamp, m->run->stream));
    *us = um_now_us() - begun;
    return error;
}

static cudaError_t stamp_it(struct managed *m, const struct managed_way *way)
{
    if (way->after == AFTER_HOST)
        gpu_host_stamp(m->p, m->bytes, m->stamp, m->run->threads);
    else
        return wait_for(m, gpu_stamp(m->p, m->bytes, m->stamp, m->run->stream));
    return cudaSuccess;
}

/* Adds what is wrong: pages without the stamp, or words. */
static cudaError_t after(struct managed *m, const struct managed_way *way, unsigned long long *wrong)
{
    const struct gpu_run *run = m->run;
    cudaError_t error = way->moves_nothing ? stamp_it(m, way) : cudaSuccess;
    *wrong += m->missed;
    if (error != cudaSuccess)
        return error;
    if (way->after == AFTER_HOST || way->after == AFTER_MIRROR) {
        *wrong +=
            gpu_host_unstamped(way->after == AFTER_HOST ? m->p : m->mirror, m->bytes, m->stamp, run->threads);
        return cudaSuccess;
    }
    if (way->after == AFTER_WRITTEN)
        error = gpu_count_wrong(m->p, m->bytes / sizeof *m->p, GPU_COPY, MANAGED_WRITTEN, false, run->wrong,
                                run->stream);
    else
        error = gpu_count_unstamped(m->p, m->bytes, m->stamp, run->wrong, run->stream);
    *wrong += gpu_take_wrong(run);
    return error;
}

/* Whether all of it should be on the GPU now. */
static bool is_on_gpu(const struct managed_way *way)
{
    return way->after == AFTER_GPU || way->after == AFTER_WRITTEN;
}

static cudaError_t sample(struct managed *m, const struct managed_way *way, struct taken *taken,
                          unsigned long long *wrong)
{
    cudaError_t error = before(m, way);
    double begun;
    taken->again_us = 0;
    if (error != cudaSuccess)
        return error;
    begun = um_now_us();
    error = way->work(m, way);
    taken->us = um_now_us() - begun;
    if (error == cudaSuccess && is_on_gpu(way))
        error = read_again(m, &taken->again_us);
    return error == cudaSuccess ? after(m, way, wrong) : error;
}

/* ---- a cell ---- */

/* The words that no stamp covers are the same from the first sample to the last. */
static bool rest_is_right(struct managed *m)
{
    return gpu_count_wrong(m->p, m->bytes / sizeof *m->p, GPU_COPY, SEED, true, m->run->wrong,
                           m->run->stream) == cudaSuccess &&
           gpu_take_wrong(m->run) == 0;
}

static bool is_filled(const struct managed_way *way)
{
    return way->before == BEFORE_HOST || way->before == BEFORE_GPU;
}

static cudaError_t fill(struct managed *m)
{
    if (m->mirror) /* copied in and out: the same words there */
        gpu_host_fill(m->run, m->mirror, m->bytes / sizeof *m->p, SEED);
    return wait_for(m, gpu_fill(m->p, m->bytes / sizeof *m->p, SEED, m->run->stream));
}

static bool all_moved(const struct managed *m, double us, double again_us)
{
    return again_us <= us * AGAIN_PART(m->bytes) + AGAIN_US(m->bytes);
}

static cudaError_t take_samples(struct managed *m, const struct managed_way *way, struct gpu_cell *cell,
                                struct gpu_times *times, bool *verified)
{
    static struct gpu_times again;
    const double begun = um_now_us();
    unsigned long long wrong = 0;
    struct taken taken;
    cudaError_t error = sample(m, way, &taken, &wrong); /* warm-up */
    times->count = again.count = 0;
    while (error == cudaSuccess && gpu_more(m->run, times, begun)) {
        error = sample(m, way, &taken, &wrong);
        times->us[times->count++] = taken.us;
        again.us[again.count++] = taken.again_us;
    }
    cell->incomplete = !all_moved(m, gpu_median(times), gpu_median(&again));
    *verified = wrong == 0 && (!is_filled(way) || rest_is_right(m));
    return error;
}

/* The best of the `count` ways of one path: the shortest of two samples each. */
static const struct managed_way *choose(struct managed *m, const struct managed_way *ways, unsigned count)
{
    const struct managed_way *best = ways;
    double best_us = -1;
    for (unsigned i = 0; i < count && count > 1; i++) {
        for (int n = 0; n < TRIAL_SAMPLES; n++) {
            struct taken taken;
            unsigned long long wrong = 0;
            if (sample(m, &ways[i], &taken, &wrong) != cudaSuccess || wrong)
                break;
            if (!all_moved(m, taken.us, taken.again_us))
                break;
            if (best_us < 0 || taken.us < best_us) {
                best_us = taken.us;
                best = &ways[i];
            }
        }
    }
    return best;
}

static void measure(struct gpu_run *run, struct managed *m, const struct managed_way *ways, unsigned count)
{
    static struct gpu_times times;
    struct gpu_cell cell = {.path = ways->path, .bytes = m->bytes, .clock = "host", .repeats = 1};
    const bool mirrored = strstr(ways->path, "pinned") != NULL;
    bool verified = false;
    cudaError_t error = renew(m);
    if (error == cudaSuccess && mirrored)
        error = cudaMallocHost((void **)&m->mirror, m->bytes);
    if (error == cudaSuccess)
        error = fill(m);
    if (error == cudaSuccess) {
        const struct managed_way *way = choose(m, ways, count);
        cell.shape = way->shape;
        error = take_samples(m, way, &cell, &times, &verified);
    }
    if (error == cudaSuccess)
        gpu_print(run, &cell, &times, verified);
    else
        gpu_print_error(run, &cell, error);
    cudaFreeHost(m->mirror);
    m->mirror = NULL;
    cudaFree(m->p);
    m->p = NULL;
}

static const char *why_not(const struct gpu_run *run)
{
    const size_t most = run->largest < GPU_MANAGED_MOST ? run->largest : GPU_MANAGED_MOST;
    if (!um_device()->managed)
        return "this device has no managed memory";
    if (!um_device()->concurrent_managed)
        return "this device does not move managed memory by faults (concurrentManagedAccess is 0)";
    return um_managed_allowed(most) ? NULL : "too much of the free device memory (see stderr)";
}

void gpu_managed(struct gpu_run *run, enum gpu_pass pass)
{
    static struct managed_way ways[MANAGED_WAYS_MAX];
    struct managed m = {.run = run};
    const unsigned count = managed_ways(ways);
    const char *why = why_not(run);
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < MANAGED_STREAMS && error == cudaSuccess; i++)
        error = cudaStreamCreateWithFlags(&m.streams[i], cudaStreamNonBlocking);
    for (unsigned i = 0, same; i < count; i += same) {
        const struct gpu_cell all = {.path = ways[i].path};
        for (same = 1; i + same < count && strcmp(ways[i + same].path, ways[i].path) == 0;)
            same++;
        if (error != cudaSuccess)
            gpu_print_error(run, &all, error);
        else if (why && pass == GPU_KEY)
            gpu_print_skip(ways[i].path, 0, why);
        m.bytes = 0;
        while (!why && error == cudaSuccess &&
               gpu_next_size(run, pass, GPU_MANAGED_MOST, GPU_MANAGED_MOST, 4, &m.bytes)) {
            if (gpu_wanted(run, ways[i].path, m.bytes))
                measure(run, &m, &ways[i], same);
        }
    }
    for (int i = 0; i < MANAGED_STREAMS && m.streams[i]; i++)
        cudaStreamDestroy(m.streams[i]);
}
