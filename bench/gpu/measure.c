/**
 * @file measure.c
 * @brief How a time is taken, and how it is told.
 */
#include "gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "um_check.h"
#include "um_time.h"

#define LEAST_SAMPLES(run) ((run)->quick ? 3u : 5u)

/* Samples that the spinning kernel let go too early: so many, and there is something else wrong. */
#define LOST_MOST 3

/* ---- the run ---- */

static cudaError_t nothing(void *argument, cudaStream_t stream)
{
    (void)argument, (void)stream;
    return cudaSuccess;
}

/* Whether a stream can be held while work is queued behind it. Where launches block, the kernel would give
 * up. */
static bool can_be_held(struct gpu_run *run)
{
    struct gpu_cell cell = {.path = "spin", .repeats = 1};
    struct gpu_times times;
    const unsigned samples = run->samples;
    cudaError_t error;
    run->spin = true;
    run->samples = 1;
    error = gpu_time_queued(run, &cell, &times, nothing, NULL);
    run->samples = samples;
    return error == cudaSuccess;
}

bool gpu_run_open(struct gpu_run *run)
{
    void *flags = NULL;
    UM_TRY(cudaStreamCreateWithFlags(&run->stream, cudaStreamNonBlocking));
    UM_TRY(cudaEventCreate(&run->start));
    UM_TRY(cudaEventCreate(&run->stop));
    UM_TRY(cudaHostAlloc(&flags, 2 * sizeof *run->flags, cudaHostAllocMapped));
    run->flags = flags;
    UM_TRY(cudaMalloc((void **)&run->wrong, sizeof *run->wrong));
    UM_TRY(cudaMemset(run->wrong, 0, sizeof *run->wrong));
    UM_TRY(cudaDeviceSynchronize());
    run->spin = can_be_held(run);
    (void)cudaGetLastError();
    return true;
cleanup:
    gpu_run_close(run);
    return false;
}

void gpu_run_close(struct gpu_run *run)
{
    cudaFree(run->wrong);
    cudaFreeHost(run->flags);
    if (run->stop)
        cudaEventDestroy(run->stop);
    if (run->start)
        cudaEventDestroy(run->start);
    if (run->stream)
        cudaStreamDestroy(run->stream);
}

unsigned long long gpu_take_wrong(const struct gpu_run *run)
{
    unsigned long long wrong = 0;
    if (UM_CHECK(cudaStreamSynchronize(run->stream)) &&
        UM_CHECK(cudaMemcpy(&wrong, run->wrong, sizeof wrong, cudaMemcpyDeviceToHost)) &&
        UM_CHECK(cudaMemset(run->wrong, 0, sizeof wrong)) && UM_CHECK(cudaDeviceSynchronize()))
        return wrong;
    return ~0ULL;
}

/* ---- taking times ---- */

bool gpu_more(const struct gpu_run *run, const struct gpu_times *times, double begun_us)
{
    const unsigned least = LEAST_SAMPLES(run) < run->samples ? LEAST_SAMPLES(run) : run->samples;
    if (times->count >= run->samples)
        return false;
    return times->count < least || um_now_us() - begun_us < run->cell_us;
}

static cudaError_t queue_all(const struct gpu_run *run, unsigned warm, unsigned repeats, gpu_work work,
                             void *argument)
{
    cudaError_t error = cudaSuccess;
    for (unsigned i = 0; i < warm && error == cudaSuccess; i++)
        error = work(argument, run->stream);
    if (error == cudaSuccess)
        error = cudaEventRecord(run->start, run->stream);
    for (unsigned i = 0; i < repeats && error == cudaSuccess; i++)
        error = work(argument, run->stream);
    if (error == cudaSuccess)
        error = cudaEventRecord(run->stop, run->stream);
    return error;
}

/* One sample, microseconds of one operation. `*lost`: the stream was let go before all was queued. */
static cudaError_t sample(const struct gpu_run *run, unsigned warm, unsigned repeats, gpu_work work,
                          void *argument, double *us, bool *lost)
{
    volatile unsigned *flags = run->flags;
    float ms = 0;
    cudaError_t error = cudaSuccess, waited;
    flags[0] = flags[1] = 0;
    if (run->spin)
        error = gpu_spin(run->flags, run->stream);
    if (error == cudaSuccess)
        error = queue_all(run, warm, repeats, work, argument);
    __sync_synchronize();
    flags[0] = 1; /* whatever happened: nothing may hang on it */
    waited = cudaStreamSynchronize(run->stream);
    if (error == cudaSuccess)
        error = waited;
    if (error == cudaSuccess)
        error = cudaEventElapsedTime(&ms, run->start, run->stop);
    *lost = flags[1] != 0;
    *us = (double)ms * 1e3 / repeats;
    return error;
}

cudaError_t gpu_time_queued(const struct gpu_run *run, struct gpu_cell *cell, struct gpu_times *times,
                            gpu_work work, void *argument)
{
    const double begun = um_now_us();
    unsigned lost_samples = 0;
    cell->clock = run->spin ? "spin" : "events";
    times->count = 0;
    while (gpu_more(run, times, begun)) {
        double us;
        bool lost;
        const cudaError_t error = sample(run, 2, cell->repeats, work, argument, &us, &lost);
        if (error != cudaSuccess)
            return error;
        if (!lost)
            times->us[times->count++] = us;
        else if (++lost_samples == LOST_MOST)
            return cudaErrorLaunchTimeout;
    }
    return cudaSuccess;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double gpu_median(const struct gpu_times *times)
{
    struct gpu_times sorted = *times;
    const unsigned n = sorted.count;
    if (n == 0)
        return 0;
    qsort(sorted.us, n, sizeof *sorted.us, compare);
    return n % 2 ? sorted.us[n / 2] : (sorted.us[n / 2 - 1] + sorted.us[n / 2]) / 2;
}

double gpu_trial(const struct gpu_run *run, unsigned repeats, gpu_work work, void *argument)
{
    struct gpu_times times = {.count = 0};
    while (times.count < 3) {
        double us;
        bool lost;
        if (sample(run, 1, repeats, work, argument, &us, &lost) != cudaSuccess || lost)
            return -1;
        times.us[times.count++] = us;
    }
    return gpu_median(&times);
}

/* ---- telling ---- */

static void begin(const char *path, size_t bytes)
{
    printf("{\"path\": \"%s\"", path);
    if (bytes)
        printf(", \"bytes\": %zu", bytes);
}

static void end(void)
{
    printf("}\n");
    fflush(stdout); /* what is measured stays, should the rest be cut off */
}

void gpu_print(struct gpu_run *run, const struct gpu_cell *cell, const struct gpu_times *times, bool verified)
{
    begin(cell->path, cell->bytes);
    if (cell->shape)
        printf(", \"shape\": \"%s\"", cell->shape);
    if (cell->incomplete)
        printf(", \"incomplete\": true");
    printf(", \"arrays\": %u, \"clock\": \"%s\", \"repeats\": %u, \"verified\": %s, \"us\": [",
           cell->arrays ? cell->arrays : 1, cell->clock, cell->repeats, verified ? "true" : "false");
    for (unsigned i = 0; i < times->count; i++)
        printf("%s%.6g", i ? ", " : "", times->us[i]);
    printf("]");
    end();
    if (!verified) {
        fprintf(stderr, "gpu: %s, %zu bytes: the data is wrong\n", cell->path, cell->bytes);
        run->failed++;
    }
}

void gpu_print_error(struct gpu_run *run, const struct gpu_cell *cell, cudaError_t error)
{
    (void)cudaGetLastError();
    if (error == cudaErrorMemoryAllocation || error == cudaErrorNotSupported) {
        gpu_print_skip(cell->path, cell->bytes,
                       error == cudaErrorNotSupported ? "not supported here" : "no memory for it");
        return;
    }
    begin(cell->path, cell->bytes);
    printf(", \"error\": \"%s\"", cudaGetErrorName(error));
    end();
    fprintf(stderr, "gpu: %s, %zu bytes: %s\n", cell->path, cell->bytes, cudaGetErrorName(error));
    run->failed++;
}

void gpu_print_skip(const char *path, size_t bytes, const char *why)
{
    begin(path, bytes);
    printf(", \"skipped\": \"%s\"", why);
    end();
}

/* ---- what is measured ---- */

bool gpu_wanted(struct gpu_run *run, const char *path, size_t bytes)
{
    char why[64];
    if (run->only && !strstr(path, run->only))
        return false;
    if (um_now_us() < run->end_us)
        return true;
    snprintf(why, sizeof why, "the %.0f s are over", run->seconds);
    gpu_print_skip(path, bytes, why);
    return false;
}

bool gpu_next_size(const struct gpu_run *run, enum gpu_pass pass, size_t key, size_t most, unsigned factor,
                   size_t *bytes)
{
    if (most > run->largest)
        most = run->largest;
    if (key > most)
        key = most;
    if (pass == GPU_KEY) {
        const bool first = *bytes == 0;
        *bytes = key;
        return first;
    }
    if (run->quick)
        factor *= factor;
    do
        *bytes = *bytes ? *bytes * factor : GPU_PAGE;
    while (*bytes == key);
    return *bytes <= most;
}
