/**
 * @file pageable.c
 * @brief Ordinary host memory: cudaMemcpy() and um_pipe_copy(), in turns, by the host's clock.
 *
 * In turns, because their ratio is what counts: whatever slows the machine down slows both. Who begins
 * changes from sample to sample. Small copies go so many to a sample, with one synchronisation at its end,
 * that a sample is no shorter than the clock can tell. The host's buffer is the same each time, so that up to
 * the size of the processor's caches it comes from there.
 */
#include "gpu.h"

#include <stdlib.h>

#include "labs/lab9_choose/um_pipe.h"
#include "um_time.h"

#define KEY (512 * GPU_MIB)
#define MOST (1024 * GPU_MIB)
#define SEED 11

/* Copies in a sample: this many bytes together, but no more than SMALL_COPIES. */
#define SAMPLE_BYTES GPU_MIB
#define SMALL_COPIES 64u
/* Small sizes are decided by some percent of microseconds: many samples, which cost nothing. */
#define MANY_SAMPLES_UP_TO GPU_MIB

enum { DRIVER, PIPE, WAYS };

struct copies {
    struct um_pipe *pipe;
    double *host, *device;
};

/* One copy of a cell. */
struct direction {
    const char *path[WAYS];
    enum cudaMemcpyKind kind;
};

static const struct direction directions[] = {
    {{"pageable H2D", "pipelined H2D"}, cudaMemcpyHostToDevice},
    {{"pageable D2H", "pipelined D2H"}, cudaMemcpyDeviceToHost},
};

static cudaError_t copy(const struct copies *c, int way, const struct direction *d, size_t bytes)
{
    void *to = d->kind == cudaMemcpyHostToDevice ? c->device : c->host;
    const void *from = d->kind == cudaMemcpyHostToDevice ? c->host : c->device;
    if (way == PIPE)
        return um_pipe_copy(c->pipe, to, from, bytes, d->kind, 0);
    return cudaMemcpy(to, from, bytes, d->kind);
}

/* The source's words are right, the destination's wrong. */
static cudaError_t prepare(const struct gpu_run *run, const struct copies *c, const struct direction *d,
                           size_t bytes)
{
    const bool up = d->kind == cudaMemcpyHostToDevice;
    const size_t words = bytes / sizeof(double);
    cudaError_t error = gpu_fill(c->device, words, up ? SEED + 1 : SEED, run->stream);
    gpu_host_fill(run, c->host, words, up ? SEED : SEED + 1);
    return error == cudaSuccess ? cudaStreamSynchronize(run->stream) : error;
}

static bool right(const struct gpu_run *run, const struct copies *c, const struct direction *d, size_t bytes)
{
    const size_t words = bytes / sizeof(double);
    if (d->kind == cudaMemcpyDeviceToHost)
        return gpu_host_wrong(run, c->host, words, SEED) == 0;
    return gpu_count_wrong(c->device, words, GPU_COPY, SEED, false, run->wrong, run->stream) == cudaSuccess &&
           gpu_take_wrong(run) == 0;
}

/* Each way by itself, from wrong data to right. It is the warm-up, too. */
static cudaError_t try_each(const struct gpu_run *run, const struct copies *c, const struct direction *d,
                            size_t bytes, bool *verified)
{
    for (int way = 0; way < WAYS; way++) {
        cudaError_t error = prepare(run, c, d, bytes);
        if (error == cudaSuccess)
            error = copy(c, way, d, bytes);
        if (error == cudaSuccess)
            error = cudaDeviceSynchronize();
        if (error != cudaSuccess)
            return error;
        verified[way] = right(run, c, d, bytes);
    }
    return cudaSuccess;
}

static cudaError_t sample(const struct copies *c, int way, const struct direction *d, size_t bytes,
                          unsigned repeats, double *us)
{
    const double begun = um_now_us();
    cudaError_t error = cudaSuccess;
    for (unsigned i = 0; i < repeats && error == cudaSuccess; i++)
        error = copy(c, way, d, bytes);
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize(); /* small copies to the device return before they are done */
    *us = (um_now_us() - begun) / repeats;
    return error;
}

static cudaError_t in_turns(const struct gpu_run *run, const struct copies *c, const struct direction *d,
                            size_t bytes, unsigned repeats, struct gpu_times *times)
{
    const double begun = um_now_us();
    times[DRIVER].count = times[PIPE].count = 0;
    while (gpu_more(run, &times[DRIVER], begun)) {
        const unsigned n = times[DRIVER].count;
        for (int turn = 0; turn < WAYS; turn++) {
            const int way = (turn + (int)n) % WAYS;
            const cudaError_t error = sample(c, way, d, bytes, repeats, &times[way].us[n]);
            if (error != cudaSuccess)
                return error;
        }
        times[DRIVER].count = times[PIPE].count = n + 1;
    }
    return cudaSuccess;
}

static void measure(struct gpu_run *run, const struct copies *c, const struct direction *d, size_t bytes)
{
    static struct gpu_times times[WAYS];
    struct gpu_run patient = *run;
    bool verified[WAYS] = {false, false};
    const unsigned repeats = bytes >= SAMPLE_BYTES                 ? 1
                             : SAMPLE_BYTES / bytes < SMALL_COPIES ? (unsigned)(SAMPLE_BYTES / bytes)
                                                                   : SMALL_COPIES;
    cudaError_t error;
    if (bytes <= MANY_SAMPLES_UP_TO && run->samples > 10)
        patient.samples = GPU_SAMPLES_MAX;
    error = try_each(run, c, d, bytes, verified);
    if (error == cudaSuccess)
        error = in_turns(&patient, c, d, bytes, repeats, times);
    if (error == cudaSuccess && !right(run, c, d, bytes))
        verified[DRIVER] = verified[PIPE] = false;
    for (int way = 0; way < WAYS; way++) {
        const struct gpu_cell cell = {
            .path = d->path[way], .bytes = bytes, .clock = "host", .repeats = repeats};
        if (error == cudaSuccess)
            gpu_print(run, &cell, &times[way], verified[way]);
        else
            gpu_print_error(run, &cell, error);
    }
}

void gpu_pageable(struct gpu_run *run, enum gpu_pass pass)
{
    struct copies c = {NULL, NULL, NULL};
    const size_t most = pass == GPU_KEY ? KEY : MOST, bytes = most < run->largest ? most : run->largest;
    cudaError_t error = um_pipe_create(&c.pipe, NULL);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&c.device, bytes);
    c.host = malloc(bytes);
    if (error == cudaSuccess && !c.host)
        error = cudaErrorMemoryAllocation;
    for (size_t i = 0; i < sizeof directions / sizeof *directions; i++) {
        const struct direction *d = &directions[i];
        const struct gpu_cell all = {.path = d->path[PIPE], .bytes = bytes};
        if (error != cudaSuccess)
            gpu_print_error(run, &all, error);
        for (size_t bytes = 0; error == cudaSuccess && gpu_next_size(run, pass, KEY, MOST, 2, &bytes);) {
            const bool driver = gpu_wanted(run, d->path[DRIVER], bytes);
            if (gpu_wanted(run, d->path[PIPE], bytes) || driver)
                measure(run, &c, d, bytes);
        }
    }
    cudaFree(c.device);
    um_pipe_destroy(c.pipe);
    free(c.host);
}
