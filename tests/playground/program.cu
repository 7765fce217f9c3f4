/**
 * @file program.cu
 * @brief A scenario of the site's playground (docs/playground/scenario.h) as a CUDA program: it allocates the
 * array, touches it from both sides, gives advice and prefetches, and prints what was counted.
 *
 *     program 'array 16M;host write walk;gpu read walk'
 *
 * The line that it prints is what docs/playground/main.c prints of the same scenario; nothing of that file's
 * is in it but the reader of the text, and which bytes a step touches. Simulator only: it asks for its
 * counts.
 */
#include "scenario.h"

#include <cuda_runtime.h>
#include <umsim.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static scenario what;
static char *array;
static bool is_begun, is_first = true;

/* Ends like a program that looks at each result. */
static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        printf("%s%s{\"error\": \"%s\"}]\n", is_begun ? "" : "[", is_first ? "" : ", ",
               cudaGetErrorName(error));
        exit(0);
    }
}

static __host__ __device__ void touch(char *p, bool is_write, bool is_byte)
{
    if (is_byte && is_write)
        *(volatile char *)p = 1;
    else if (is_byte)
        (void)*(volatile char *)p;
    else if (is_write)
        *(volatile int *)p = 1;
    else
        (void)*(volatile int *)p;
}

__global__ void access(char *array, scenario_step step, uint64_t touches)
{
    const uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < touches)
        touch(array + scenario_touch(&step, i), step.is_write, step.pattern == SCENARIO_BYTE);
}

static void on_host(const scenario_step &step)
{
    const uint64_t touches = scenario_touches(&step);
    for (uint64_t i = 0; i < touches; i++)
        touch(array + scenario_touch(&step, i), step.is_write, step.pattern == SCENARIO_BYTE);
}

static void on_gpu(const scenario_step &step)
{
    const uint64_t touches = scenario_touches(&step);
    if (step.is_write)
        umsim_kernel_writes(array, scenario_bytes(&step));
    else
        umsim_kernel_reads(array, scenario_bytes(&step));
    access<<<(touches + SCENARIO_THREADS - 1) / SCENARIO_THREADS, SCENARIO_THREADS>>>(array, step, touches);
    check(cudaDeviceSynchronize());
}

static cudaMemLocation place(scenario_side side)
{
    cudaMemLocation location = {};
    location.type = side == SCENARIO_HOST ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    location.id = side == SCENARIO_GPU_1;
    return location;
}

static void run(const scenario_step &step)
{
    static const cudaMemoryAdvise advice[] = {
        cudaMemAdviseSetReadMostly,          cudaMemAdviseUnsetReadMostly, cudaMemAdviseSetPreferredLocation,
        cudaMemAdviseUnsetPreferredLocation, cudaMemAdviseSetAccessedBy,   cudaMemAdviseUnsetAccessedBy};
    switch (step.kind) {
    case SCENARIO_ACCESS:
        (step.side == SCENARIO_HOST ? on_host : on_gpu)(step);
        break;
    case SCENARIO_TURNS:
        for (uint64_t turn = 0; turn < step.count; turn++) {
            on_host(step);
            on_gpu(step);
        }
        break;
    case SCENARIO_ADVISE:
        check(cudaMemAdvise(array + step.from, step.length, advice[step.advice], place(step.side)));
        break;
    default:
        check(cudaMemPrefetchAsync(array + step.from, step.length, place(step.side), 0, nullptr));
        check(cudaDeviceSynchronize());
    }
}

static void print_pages()
{
    const size_t pages = (what.array + UMSIM_PAGE_BYTES - 1) / UMSIM_PAGE_BYTES;
    std::vector<char> bar(pages + 1);
    if (umsim_residency(array, what.array, bar.data(), pages) != pages)
        exit(1);
    for (size_t first = 0, end; first < pages; first = end) {
        for (end = first; end < pages && bar[end] == bar[first]; end++)
            ;
        printf("%s%c%zu", first ? " " : "", bar[first], end - first);
    }
}

/* What was counted between two readings. */
static void print_counts(uint64_t ns, const umsim_counters &from, const umsim_counters &to)
{
    static const char *const causes[] = {"user", "coherence", "prefetch", "eviction"};
    const auto one = [](const char *name, uint64_t value) { printf("\"%s\": %" PRIu64 ", ", name, value); };
    one("time_ns", ns);
    one("cpu_faults", to.cpu_page_faults - from.cpu_page_faults);
    one("gpu_fault_groups", to.gpu_fault_groups - from.gpu_fault_groups);
    one("htod", to.bytes_migrated_htod - from.bytes_migrated_htod);
    for (int cause = 0; cause < UMSIM_CAUSES; cause++)
        printf("\"htod_%s\": %" PRIu64 ", ", causes[cause],
               to.bytes_htod_by_cause[cause] - from.bytes_htod_by_cause[cause]);
    one("dtoh", to.bytes_migrated_dtoh - from.bytes_migrated_dtoh);
    for (int cause = 0; cause < UMSIM_CAUSES; cause++)
        printf("\"dtoh_%s\": %" PRIu64 ", ", causes[cause],
               to.bytes_dtoh_by_cause[cause] - from.bytes_dtoh_by_cause[cause]);
    one("dtod", to.bytes_migrated_dtod - from.bytes_migrated_dtod);
    for (int cause = 0; cause < UMSIM_CAUSES; cause++)
        printf("\"dtod_%s\": %" PRIu64 ", ", causes[cause],
               to.bytes_dtod_by_cause[cause] - from.bytes_dtod_by_cause[cause]);
    one("evictions", to.evictions - from.evictions);
    one("duplicates", to.read_duplicates - from.read_duplicates);
    one("invalidated", to.read_duplicates_invalidated - from.read_duplicates_invalidated);
    one("remote_maps", to.remote_maps - from.remote_maps);
    one("thrashing", to.thrashing - from.thrashing);
    one("throttles", to.throttles - from.throttles);
}

static void make_current(int device)
{
    static int current;
    if (device != current)
        check(cudaSetDevice(device));
    current = device;
}

int main(int count, char **arguments)
{
    char error[256];
    if (count != 2 || !scenario_read(arguments[1], &what, error, sizeof error)) {
        fprintf(stderr, "%s\n", count == 2 ? error : "usage: program SCENARIO");
        return 2;
    }
    check(cudaMallocManaged(&array, what.array));
    printf("[");
    is_begun = true;
    for (unsigned i = 0; i < what.steps; i++) {
        umsim_counters before, after;
        make_current((int)scenario_device(&what.step[i]));
        umsim_counters_read(&before);
        const uint64_t begin_ns = umsim_time_ns();
        run(what.step[i]);
        const uint64_t ns = umsim_time_ns() - begin_ns;
        umsim_counters_read(&after);
        printf("%s{", i ? ", " : "");
        is_first = false;
        print_counts(ns, before, after);
        printf("\"pages\": \"");
        print_pages();
        printf("\"}");
    }
    printf("]\n");
    return 0;
}
