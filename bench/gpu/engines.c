/**
 * @file engines.c
 * @brief The copy engines: pinned, write-combined and registered host memory each way, and copies within the
 * device.
 *
 * Sixteen copies (fewer of the largest) queued behind the spinning kernel, between two events: the link's own
 * speed, without what queueing costs.
 */
#include "gpu.h"

#include <stdlib.h>
#include <string.h>

#define KEY (512 * GPU_MIB)
#define MOST (1024 * GPU_MIB)
#define SEED 23
#define COPIES 16u
/* Samples of the largest sizes would take a third of a second each: so many bytes at most. */
#define SAMPLE_BYTES_MOST (8192 * GPU_MIB)

/* One kind of host memory. */
struct kind {
    const char *path[2]; /* to the device, back */
    cudaError_t (*get)(double **p, size_t bytes);
    void (*put)(double *p);
};

static cudaError_t get_pinned(double **p, size_t bytes)
{
    return cudaHostAlloc((void **)p, bytes, cudaHostAllocMapped);
}

static cudaError_t get_write_combined(double **p, size_t bytes)
{
    return cudaHostAlloc((void **)p, bytes, cudaHostAllocMapped | cudaHostAllocWriteCombined);
}

static void put_pinned(double *p)
{
    cudaFreeHost(p);
}

static cudaError_t get_registered(double **p, size_t bytes)
{
    cudaError_t error;
    *p = aligned_alloc(GPU_PAGE, bytes);
    if (!*p)
        return cudaErrorMemoryAllocation;
    memset(*p, 0, bytes);
    error = cudaHostRegister(*p, bytes, cudaHostRegisterMapped);
    if (error != cudaSuccess) {
        free(*p);
        *p = NULL;
    }
    return error;
}

static void put_registered(double *p)
{
    if (p)
        cudaHostUnregister(p);
    free(p);
}

static const struct kind kinds[] = {
    {{"pinned H2D", "pinned D2H"}, get_pinned, put_pinned},
    {{"write-combined H2D", "write-combined D2H"}, get_write_combined, put_pinned},
    {{"registered H2D", "registered D2H"}, get_registered, put_registered},
};

struct copy {
    double *to;
    const double *from;
    size_t bytes;
};

static cudaError_t queue_copy(void *argument, cudaStream_t stream)
{
    const struct copy *copy = argument;
    return cudaMemcpyAsync(copy->to, copy->from, copy->bytes, cudaMemcpyDefault, stream);
}

/* `to` and `from` are where kernels find the memory: they fill and check it, since the processor reads
 * write-combined memory at a crawl. */
static void measure(struct gpu_run *run, const char *path, struct copy *copy, double *to, double *from)
{
    static struct gpu_times times;
    const size_t words = copy->bytes / sizeof(double);
    struct gpu_cell cell = {.path = path, .bytes = copy->bytes, .repeats = COPIES};
    bool verified = false;
    cudaError_t error = gpu_fill(from, words, SEED, run->stream);
    if (copy->bytes * COPIES > SAMPLE_BYTES_MOST)
        cell.repeats = (unsigned)(SAMPLE_BYTES_MOST / copy->bytes);
    if (error == cudaSuccess)
        error = gpu_fill(to, words, SEED + 1, run->stream);
    if (error == cudaSuccess)
        error = gpu_time_queued(run, &cell, &times, queue_copy, copy);
    if (error == cudaSuccess)
        error = gpu_count_wrong(to, words, GPU_COPY, SEED, false, run->wrong, run->stream);
    if (error == cudaSuccess)
        verified = gpu_take_wrong(run) == 0;
    if (error == cudaSuccess)
        gpu_print(run, &cell, &times, verified);
    else
        gpu_print_error(run, &cell, error);
}

static void measure_kind(struct gpu_run *run, enum gpu_pass pass, const struct kind *kind, double *device,
                         size_t bytes)
{
    double *host = NULL, *mapped = NULL;
    cudaError_t error = kind->get(&host, bytes);
    if (error == cudaSuccess)
        error = cudaHostGetDevicePointer((void **)&mapped, host, 0);
    for (int back = 0; back < 2; back++) {
        const struct gpu_cell all = {.path = kind->path[back], .bytes = bytes};
        if (error != cudaSuccess)
            gpu_print_error(run, &all, error);
        for (size_t bytes = 0; error == cudaSuccess && gpu_next_size(run, pass, KEY, MOST, 4, &bytes);) {
            struct copy copy = {back ? host : device, back ? device : host, bytes};
            if (gpu_wanted(run, kind->path[back], bytes))
                measure(run, kind->path[back], &copy, back ? mapped : device, back ? device : mapped);
        }
    }
    if (host)
        kind->put(host);
}

static const char device_path[] = "device copy, engine";

static void measure_device(struct gpu_run *run, enum gpu_pass pass, double *device, size_t bytes)
{
    double *other = NULL;
    const cudaError_t error = cudaMalloc((void **)&other, bytes);
    const struct gpu_cell all = {.path = device_path, .bytes = bytes};
    if (error != cudaSuccess)
        gpu_print_error(run, &all, error);
    for (size_t bytes = 0; error == cudaSuccess && gpu_next_size(run, pass, KEY, MOST, 4, &bytes);) {
        struct copy copy = {other, device, bytes};
        if (gpu_wanted(run, device_path, bytes))
            measure(run, device_path, &copy, other, device);
    }
    cudaFree(other);
}

void gpu_engines(struct gpu_run *run, enum gpu_pass pass)
{
    const size_t most = pass == GPU_KEY ? KEY : MOST, bytes = most < run->largest ? most : run->largest;
    double *device = NULL;
    const cudaError_t error = cudaMalloc((void **)&device, bytes);
    if (error != cudaSuccess) {
        const struct gpu_cell all = {.path = kinds[0].path[0], .bytes = bytes};
        gpu_print_error(run, &all, error);
        return;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        measure_kind(run, pass, &kinds[i], device, bytes);
    measure_device(run, pass, device, bytes);
    cudaFree(device);
}
