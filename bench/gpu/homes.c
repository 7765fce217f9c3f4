/**
 * @file homes.c
 * @brief Managed memory with two homes (common/um_homes.h), copied by a kernel: nothing migrates.
 *
 * By the host's clock, from the launch to the end of the wait, like the migrations that it is compared with.
 * The pair is twice the size of a cell: 512 MiB of managed memory, and nothing else meanwhile.
 */
#include "gpu.h"

#include "kernels.h"
#include "um_backend.h"
#include "um_homes.h"
#include "um_time.h"

#define SEED 71

/* One direction. */
struct direction {
    const char *path;
    bool up;
};

static const struct direction directions[] = {{"two homes to device", true}, {"two homes to host", false}};

/* The source gets the stamp; what the destination has is older. */
static cudaError_t stamp(const struct gpu_run *run, const struct um_homes *x, bool up, uint32_t value)
{
    if (up) {
        gpu_host_stamp(x->host, x->bytes, value, run->threads);
        return cudaSuccess;
    }
    const cudaError_t error = gpu_stamp(x->device, x->bytes, value, run->stream);
    return error == cudaSuccess ? cudaStreamSynchronize(run->stream) : error;
}

static cudaError_t count_unstamped(const struct gpu_run *run, const struct um_homes *x, bool up,
                                   uint32_t value, unsigned long long *wrong)
{
    cudaError_t error = cudaSuccess;
    if (up) {
        error = gpu_count_unstamped(x->device, x->bytes, value, run->wrong, run->stream);
        *wrong += gpu_take_wrong(run);
    } else
        *wrong += gpu_host_unstamped(x->host, x->bytes, value, run->threads);
    return error;
}

static cudaError_t sample(const struct gpu_run *run, const struct um_homes *x, bool up, double *us)
{
    const double begun = um_now_us();
    cudaError_t error =
        um_copy_by_kernel(up ? x->device : x->host, up ? x->host : x->device, x->bytes, run->stream);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(run->stream);
    *us = um_now_us() - begun;
    return error;
}

/* The words that no stamp covers are the source's. */
static bool rest_is_right(const struct gpu_run *run, const struct um_homes *x, bool up)
{
    return gpu_count_wrong(up ? x->device : x->host, x->bytes / sizeof(double), GPU_COPY, SEED, true,
                           run->wrong, run->stream) == cudaSuccess &&
           gpu_take_wrong(run) == 0;
}

static cudaError_t fill(const struct gpu_run *run, const struct um_homes *x, bool up)
{
    const size_t words = x->bytes / sizeof(double);
    const cudaError_t error = gpu_fill(x->device, words, up ? SEED + 1 : SEED, run->stream);
    gpu_host_fill(run, x->host, words, up ? SEED : SEED + 1);
    return error == cudaSuccess ? cudaStreamSynchronize(run->stream) : error;
}

static cudaError_t take_samples(const struct gpu_run *run, const struct um_homes *x, bool up,
                                struct gpu_times *times, bool *verified)
{
    const double begun = um_now_us();
    unsigned long long wrong = 0;
    bool warm = false;
    uint32_t value = 1;
    cudaError_t error = fill(run, x, up);
    times->count = 0;
    for (; error == cudaSuccess && gpu_more(run, times, begun); value++) {
        double us = 0;
        error = stamp(run, x, up, value);
        if (error == cudaSuccess)
            error = sample(run, x, up, &us);
        if (error == cudaSuccess)
            error = count_unstamped(run, x, up, value, &wrong);
        if (warm)
            times->us[times->count++] = us;
        warm = true;
    }
    *verified = error == cudaSuccess && wrong == 0 && rest_is_right(run, x, up);
    return error;
}

static void measure(struct gpu_run *run, const struct direction *d, size_t bytes)
{
    static struct gpu_times times;
    const struct gpu_cell cell = {.path = d->path, .bytes = bytes, .clock = "host", .repeats = 1};
    struct um_homes x;
    bool verified = false;
    cudaError_t error = um_homes_create(&x, bytes);
    if (error == cudaSuccess)
        error = take_samples(run, &x, d->up, &times, &verified);
    if (error == cudaSuccess)
        gpu_print(run, &cell, &times, verified);
    else
        gpu_print_error(run, &cell, error);
    um_homes_destroy(&x);
}

void gpu_homes(struct gpu_run *run, enum gpu_pass pass)
{
    const size_t most = run->largest < GPU_MANAGED_MOST ? run->largest : GPU_MANAGED_MOST;
    const bool possible = um_device()->concurrent_managed && um_managed_allowed(2 * most);
    for (size_t i = 0; i < sizeof directions / sizeof *directions; i++) {
        const struct direction *d = &directions[i];
        if (!possible && pass == GPU_KEY)
            gpu_print_skip(d->path, 0,
                           um_device()->concurrent_managed ? "too much of the free device memory (see stderr)"
                                                           : "this device has no concurrent managed access");
        for (size_t bytes = 0;
             possible && gpu_next_size(run, pass, GPU_MANAGED_MOST, GPU_MANAGED_MOST, 4, &bytes);) {
            if (gpu_wanted(run, d->path, bytes))
                measure(run, d, bytes);
        }
    }
}
