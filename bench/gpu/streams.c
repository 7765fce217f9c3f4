/**
 * @file streams.c
 * @brief Kernels on mapped host memory and on device memory, in several shapes.
 *
 * Which number of threads, loads under way and blocks is fastest depends on the machine and the size: each
 * shape has a short trial, and the best is then measured anew, so that what is told is no lucky sample. Its
 * name stands in the cell.
 *
 * Over much mapped memory a kernel goes several times in one launch, as nvbandwidth's does: a launch's
 * beginning and end, some 10 us, would be a thousandth of the time.
 */
#include "gpu.h"

#include <stdio.h>

#define MAPPED_KEY (512 * GPU_MIB)
#define DEVICE_KEY (256 * GPU_MIB) /* BabelStream's own: 2^25 doubles in an array */
#define MOST (1024 * GPU_MIB)
#define SEED 37
#define LAUNCHES 16u
#define DEVICE_TRIAL_LAUNCHES 4u
/* Mapped memory is read at the link's speed: smaller samples do, and the trials need not see all of it. */
#define MAPPED_SAMPLE_MOST (4096 * GPU_MIB)
#define MAPPED_TRIAL_MOST (64 * GPU_MIB)
#define MAPPED_TRIAL_LAUNCHES 2u

struct stream {
    enum gpu_op op;
    struct gpu_shape shape;
    double *c;
    const double *a, *b;
    size_t bytes;
    unsigned blocks;
};

static cudaError_t queue_stream(void *argument, cudaStream_t stream)
{
    struct stream *s = argument;
    return gpu_stream(s->op, &s->shape, s->c, s->a, s->b, s->bytes / sizeof(double), &s->blocks, stream);
}

/* The fastest shape; the first one when nothing could be measured, whose error then shows. With several
 * passes in a launch a block must not go over its one tile again and again: it would find it in the caches.
 */
static void choose_shape(const struct gpu_run *run, struct stream *s, bool mapped, bool several)
{
    struct gpu_shape shapes[GPU_SHAPES_MAX], best;
    const unsigned count = gpu_shapes(shapes, mapped);
    double best_us = -1;
    best = shapes[0];
    for (unsigned i = 0; several && best.blocks == 0 && i < count; i++)
        best = shapes[i];
    for (unsigned i = 0; i < count; i++) {
        double us;
        if (several && shapes[i].blocks == 0)
            continue;
        s->shape = shapes[i];
        us = gpu_trial(run, mapped ? MAPPED_TRIAL_LAUNCHES : DEVICE_TRIAL_LAUNCHES, queue_stream, s);
        if (us >= 0 && (best_us < 0 || us < best_us)) {
            best_us = us;
            best = shapes[i];
        }
    }
    s->shape = best;
}

static void name_shape(const struct gpu_shape *shape, char *text, size_t size)
{
    static const char *const hint[GPU_HINTS] = {"", ", uncached", ", 256 B along"};
    char grid[48] = "a block a tile", passes[32] = "";
    if (shape->blocks)
        snprintf(grid, sizeof grid, "%u blocks a multiprocessor", shape->blocks);
    if (shape->passes > 1)
        snprintf(passes, sizeof passes, ", %u passes a launch", shape->passes);
    snprintf(text, size, "%u threads, %u x 16 B, %s%s%s", shape->threads, shape->vectors, grid,
             hint[shape->hint], passes);
}

/* The sums of products are whole numbers, exact in any order. */
static bool dot_is_right(const struct stream *s)
{
    static double sums[1024];
    double due = 0, got = 0;
    const size_t words = s->bytes / sizeof(double);
    for (unsigned at = 0; at < s->blocks; at += sizeof sums / sizeof *sums) {
        const unsigned n = s->blocks - at < 1024 ? s->blocks - at : 1024;
        if (cudaMemcpy(sums, s->c + at, n * sizeof *sums, cudaMemcpyDeviceToHost) != cudaSuccess)
            return false;
        for (unsigned i = 0; i < n; i++)
            got += sums[i];
    }
    for (size_t i = 0; i < words; i++)
        due += gpu_value(SEED, i) * gpu_value(SEED + 1, i);
    return got == due;
}

static bool is_right(const struct gpu_run *run, const struct stream *s)
{
    if (s->op == GPU_DOT)
        return dot_is_right(s);
    return gpu_count_wrong(s->c, s->bytes / sizeof(double), s->op, SEED, false, run->wrong, run->stream) ==
               cudaSuccess &&
           gpu_take_wrong(run) == 0;
}

static cudaError_t fill(const struct gpu_run *run, const struct stream *s)
{
    const size_t words = s->bytes / sizeof(double);
    cudaError_t error = gpu_fill((double *)s->a, words, SEED, run->stream);
    if (error == cudaSuccess && s->b)
        error = gpu_fill((double *)s->b, words, SEED + 1, run->stream);
    if (error == cudaSuccess)
        error = gpu_fill(s->c, words, SEED + 2, run->stream);
    return error == cudaSuccess ? cudaStreamSynchronize(run->stream) : error;
}

static void measure(struct gpu_run *run, struct gpu_cell *cell, struct stream *s, bool mapped)
{
    static struct gpu_times times;
    static char name[96];
    cudaError_t error;
    const unsigned passes = mapped && cell->bytes > MAPPED_TRIAL_MOST ? cell->repeats : 1;
    s->bytes = passes > 1 ? MAPPED_TRIAL_MOST : cell->bytes;
    choose_shape(run, s, mapped, passes > 1);
    s->bytes = cell->bytes;
    s->shape.passes = passes;
    if (passes > 1)
        cell->repeats = 1;
    name_shape(&s->shape, name, sizeof name);
    cell->shape = name;
    error = fill(run, s); /* after the trials: what is checked is what the chosen shape wrote */
    if (error == cudaSuccess)
        error = gpu_time_queued(run, cell, &times, queue_stream, s);
    for (unsigned i = 0; passes > 1 && i < times.count; i++)
        times.us[i] /= passes;
    if (passes > 1)
        cell->repeats = passes;
    if (error == cudaSuccess)
        gpu_print(run, cell, &times, is_right(run, s));
    else
        gpu_print_error(run, cell, error);
}

static size_t bytes_of(const struct gpu_run *run, enum gpu_pass pass, size_t key)
{
    const size_t most = pass == GPU_KEY ? key : MOST;
    return most < run->largest ? most : run->largest;
}

void gpu_mapped(struct gpu_run *run, enum gpu_pass pass)
{
    static const char *const path[2] = {"mapped read", "mapped write"};
    const size_t bytes = bytes_of(run, pass, MAPPED_KEY);
    double *device = NULL, *host = NULL, *mapped = NULL;
    cudaError_t error = cudaMalloc((void **)&device, bytes);
    if (error == cudaSuccess)
        error = cudaHostAlloc((void **)&host, bytes, cudaHostAllocMapped);
    if (error == cudaSuccess)
        error = cudaHostGetDevicePointer((void **)&mapped, host, 0);
    for (int writes = 0; writes < 2; writes++) {
        for (size_t bytes = 0; gpu_next_size(run, pass, MAPPED_KEY, MOST, 4, &bytes);) {
            struct gpu_cell cell = {.path = path[writes], .bytes = bytes, .repeats = LAUNCHES};
            struct stream s = {.op = GPU_COPY, .c = writes ? mapped : device, .a = writes ? device : mapped};
            if (bytes * LAUNCHES > MAPPED_SAMPLE_MOST)
                cell.repeats = (unsigned)(MAPPED_SAMPLE_MOST / bytes);
            if (error != cudaSuccess)
                gpu_print_error(run, &cell, error);
            else if (gpu_wanted(run, cell.path, bytes))
                measure(run, &cell, &s, true);
        }
    }
    cudaFreeHost(host);
    cudaFree(device);
}

void gpu_device(struct gpu_run *run, enum gpu_pass pass)
{
    static const struct {
        const char *path;
        unsigned arrays;
    } op[GPU_OPS] = {
        {"device copy", 2}, {"device mul", 2}, {"device add", 3}, {"device triad", 3}, {"device dot", 2}};
    const size_t bytes = bytes_of(run, pass, DEVICE_KEY);
    double *array[3] = {NULL, NULL, NULL};
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < 3 && error == cudaSuccess; i++)
        error = cudaMalloc((void **)&array[i], bytes);
    for (int i = 0; i < GPU_OPS; i++) {
        for (size_t bytes = 0; gpu_next_size(run, pass, DEVICE_KEY, MOST, 4, &bytes);) {
            struct gpu_cell cell = {
                .path = op[i].path, .bytes = bytes, .arrays = op[i].arrays, .repeats = LAUNCHES};
            struct stream s = {.op = (enum gpu_op)i, .c = array[2], .a = array[0], .b = array[1]};
            if (error != cudaSuccess)
                gpu_print_error(run, &cell, error);
            else if (gpu_wanted(run, cell.path, bytes))
                measure(run, &cell, &s, false);
        }
    }
    for (int i = 0; i < 3; i++)
        cudaFree(array[i]);
}
