/**
 * @file main.cu
 * @brief The differential test of managed memory: threads, regions, random operations, and what went wrong.
 *
 *     differential --seed 7 --seconds 600 [--threads 4] [--regions 200] [--operations N] [--spoil N]
 *
 * The simulator's schedule is UMSIM_SCHED's. Prints how often each kind of operation was done. Exit 1 on the
 * first difference, with its seed, operation, region, offset, what was expected and what was found. One
 * thread and a number of operations repeat exactly. --spoil N changes a bit of a region at each N-th
 * operation, behind the model's back: that has to be found. (One bit alone may be written over unseen.)
 */
#include "differential.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <thread>
#include <time.h>
#include <unistd.h>

settings asked;
int devices;
cudaStream_t streams[DEVICES_MAX * STREAMS];
std::vector<region> regions;

enum { KINDS_MAX = 64 };
static std::vector<kind> kinds;
static unsigned weights;
static std::atomic<unsigned long long> operations{0}, counts[KINDS_MAX];

static double seconds_now()
{
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void gather_kinds()
{
    for (const kind *list : {host_kinds, device_kinds, rule_kinds, several_kinds})
        for (const bool wanted = list != several_kinds || devices > 1; wanted && list->name; list++) {
            kinds.push_back(*list);
            weights += list->weight;
        }
}

static size_t any_kind(worker *w)
{
    unsigned at = (unsigned)below(w, weights);
    size_t k = 0;

    while (at >= kinds[k].weight)
        at -= kinds[k++].weight;
    return k;
}

static void spoil(worker *w, region *r)
{
    const std::lock_guard<std::mutex> mine(r->lock);

    for_the_host(w, r);
    r->p[below(w, r->bytes)] ^= 0x10;
}

/* Locks in order of the regions' numbers, so that nobody waits for a circle. */
static void one_operation(worker *w)
{
    const size_t k = any_kind(w), i = below(w, regions.size());
    size_t j = below(w, regions.size() - 1);

    j += j >= i;
    w->operation = ++operations;
    w->name = kinds[k].name;
    counts[k]++;
    if (asked.spoil && w->operation % asked.spoil == 0)
        spoil(w, &regions[i]);
    if (!kinds[k].two) {
        const std::lock_guard<std::mutex> mine(regions[i].lock);
        kinds[k].run(w, &regions[i], NULL);
        return;
    }
    const std::lock_guard<std::mutex> first(regions[i < j ? i : j].lock), second(regions[i < j ? j : i].lock);
    kinds[k].run(w, &regions[i], &regions[j]);
}

static void work(worker *w, double end)
{
    w->pageable = (unsigned char *)malloc(SCRATCH);
    CALL(w, NULL, cudaMallocHost((void **)&w->pinned, SCRATCH));
    for (int device = 0; device < devices; device++) {
        CALL(w, NULL, cudaSetDevice(device));
        CALL(w, NULL, cudaMalloc((void **)&w->device[device], SCRATCH));
    }
    w->file = memfd_create("differential", MFD_CLOEXEC);
    while (operations < asked.operations && seconds_now() < end)
        one_operation(w);
}

static void begin(worker *w)
{
    volatile unsigned long long *found = NULL;

    w->name = "beginning";
    for (int device = 0; device < devices; device++) {
        cudaStream_t *its = &streams[device * STREAMS];
        CALL(w, NULL, cudaSetDevice(device));
        CALL(w, NULL, cudaStreamCreate(&its[1]));
        CALL(w, NULL, cudaStreamCreateWithFlags(&its[2], cudaStreamNonBlocking));
    }
    CALL(w, NULL, cudaMallocHost((void **)&found, sizeof *found * SUMS * regions.size()));
    for (size_t i = 0; i < regions.size(); i++) {
        regions[i].number = (int)i;
        regions[i].found = found + i * SUMS;
        allocate(w, &regions[i]);
    }
}

static void end(worker *w)
{
    w->name = "the end";
    for (region &r : regions) {
        for_the_host(w, &r);
        host_compares(w, &r, {0, r.bytes});
    }
    CALL(w, NULL, cudaDeviceSynchronize());
    for (size_t k = 0; k < kinds.size(); k++)
        printf("%9llu  %s\n", counts[k].load(), kinds[k].name);
    printf(
        "%llu operations of %zu kinds by %d threads on %d regions in %d streams of %d devices, seed %llu: no "
        "mismatch\n",
        operations.load(), kinds.size(), asked.threads, asked.regions, devices * STREAMS, devices,
        asked.seed);
}

static bool take_arguments(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        const double value = atof(argv[i + 1]);
        if (strcmp(argv[i], "--seed") == 0)
            asked.seed = (unsigned long long)value;
        else if (strcmp(argv[i], "--seconds") == 0)
            asked.seconds = value;
        else if (strcmp(argv[i], "--operations") == 0)
            asked.operations = (unsigned long long)value;
        else if (strcmp(argv[i], "--spoil") == 0)
            asked.spoil = (unsigned long long)value;
        else if (strcmp(argv[i], "--threads") == 0)
            asked.threads = (int)value;
        else if (strcmp(argv[i], "--regions") == 0)
            asked.regions = (int)value;
        else
            return false;
    }
    return argc % 2 == 1 && asked.threads >= 1 && asked.threads <= THREADS_MAX && asked.regions >= 2;
}

int main(int argc, char **argv)
{
    std::vector<std::thread> threads;
    static worker workers[THREADS_MAX + 1];
    int concurrent = 0;

    if (!take_arguments(argc, argv)) {
        fprintf(stderr,
                "usage: differential [--seed N] [--seconds S] [--operations N] [--threads 1..%d] "
                "[--regions 2...] [--spoil N]\n",
                THREADS_MAX);
        return 2;
    }
    if (cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0) != cudaSuccess ||
        !concurrent) {
        printf("SKIP: it needs a device with concurrentManagedAccess\n");
        return 2;
    }
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices > DEVICES_MAX)
        return 2;
    gather_kinds();
    regions = std::vector<region>((size_t)asked.regions);
    for (int t = 0; t <= asked.threads; t++) {
        workers[t].number = t;
        workers[t].state = asked.seed * 1000003 + (uint64_t)t + 1;
    }
    begin(&workers[asked.threads]);
    for (int t = 0; t < asked.threads; t++)
        threads.emplace_back(work, &workers[t], seconds_now() + asked.seconds);
    for (std::thread &thread : threads)
        thread.join();
    end(&workers[asked.threads]);
    return 0;
}
