/**
 * @file history.cu
 * @brief What the host and two devices do to one managed array, at random, as phases of a trace; after each
 * step a line says where its pages are.
 *
 *     history SEED STEPS
 *
 * It prints `PHASE BAR`, the bar of umsim_residency() with a character for each page. Simulator only.
 */
#include <cuda_runtime.h>
#include <umsim.h>

#include <cstdio>
#include <cstdlib>
#include <random>

static const size_t pages = (6 << 20) / UMSIM_PAGE_BYTES; /* three blocks of the driver's */
static const size_t page = UMSIM_PAGE_BYTES / sizeof(int), words = pages * page;
static std::mt19937 chance;

static unsigned any(unsigned below)
{
    return chance() % below;
}

static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        std::fprintf(stderr, "%s\n", cudaGetErrorName(error));
        std::exit(1);
    }
}

__global__ void visit(volatile int *p, size_t count, size_t stride, bool writes)
{
    const size_t i = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * stride;
    if (i >= count)
        return;
    if (writes)
        p[i] = 1;
    else
        (void)p[i];
}

static void touch(int *p, size_t count, int who, bool writes)
{
    const size_t stride = 1 << any(12);
    if (who < 0) {
        for (size_t i = 0; i < count; i += stride)
            if (writes)
                ((volatile int *)p)[i] = 1;
            else
                (void)((volatile int *)p)[i];
        return;
    }
    check(cudaSetDevice(who));
    const size_t threads = (count + stride - 1) / stride;
    visit<<<(unsigned)((threads + 127) / 128), 128>>>(p, count, stride, writes);
    check(cudaDeviceSynchronize());
}

static cudaMemLocation place(int who)
{
    cudaMemLocation location = {};
    location.type = who < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    location.id = who < 0 ? 0 : who;
    return location;
}

static void advise(int *p, size_t count, int who)
{
    static const cudaMemoryAdvise all[] = {
        cudaMemAdviseSetReadMostly,          cudaMemAdviseUnsetReadMostly, cudaMemAdviseSetPreferredLocation,
        cudaMemAdviseUnsetPreferredLocation, cudaMemAdviseSetAccessedBy,   cudaMemAdviseUnsetAccessedBy};
    check(cudaMemAdvise(p, count * sizeof *p, all[any(6)], place(who)));
}

int main(int count, char **arguments)
{
    static char bar[pages + 1];
    const int steps = count > 2 ? std::atoi(arguments[2]) : 40;
    int *array = nullptr;
    chance.seed(count > 1 ? (unsigned)std::atoi(arguments[1]) : 1);
    check(cudaMallocManaged(&array, words * sizeof *array));
    for (int step = 0; step < steps; step++) {
        char name[32];
        const size_t from = any(pages) * page, length = page * (1 + any((unsigned)((words - from) / page)));
        const int who = (int)any(3) - 1, kind = (int)any(10);
        std::snprintf(name, sizeof name, "step %d", step);
        umsim_trace_phase(name, "mixed");
        if (kind < 6)
            touch(array + from, length, who, any(2) != 0);
        else if (kind < 8)
            advise(array + from, length, who);
        else
            check(cudaMemPrefetchAsync(array + from, length * sizeof *array, place(who), 0, nullptr));
        for (int device = 0; device < 2; device++) {
            check(cudaSetDevice(device));
            check(cudaDeviceSynchronize());
        }
        umsim_trace_phase(name, nullptr);
        if (umsim_residency(array, words * sizeof *array, bar, pages) != pages)
            return 1;
        std::printf("%s %s\n", name, bar);
    }
    check(cudaFree(array));
    return 0;
}
