/**
 * @file atomics.cu
 * @brief Atomic updates of both sides to the same words while kernels run, and plain updates to neighbours.
 */
#include "robust.h"

#include <atomic>
#include <thread>
#include <vector>

enum { WORDS = 64 };

__global__ void add_system_wide(unsigned long long *x, int rounds)
{
    for (int i = 0; i < rounds; i++)
        atomicAdd_system(&x[(threadIdx.x + i) % WORDS], 1ull);
}

__global__ void exchange_system_wide(unsigned *x, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        unsigned old = x[0], seen;
        while ((seen = atomicCAS_system(&x[0], old, old + 1)) != old)
            old = seen;
    }
}

/* The host's threads add while kernels do; the sum holds each addition. */
static void both_add(unsigned long long *x, unsigned long long *on_gpu)
{
    enum { THREADS = 3, BLOCKS = 4, SIZE = 32, ROUNDS = 50 };
    std::atomic<bool> stop{false};
    std::atomic<unsigned long long> added{0};
    std::vector<std::thread> threads;
    unsigned long long sum = 0;
    int launches = 0;

    for (int t = 0; t < THREADS; t++)
        threads.emplace_back([&, t] {
            unsigned long long mine = 0;
            for (; !stop || mine < 1000; mine++)
                __atomic_fetch_add(&x[(mine + (unsigned)t) % WORDS], 1, __ATOMIC_RELAXED);
            added += mine;
        });
    for (; launches < robust_times(50, 1000); launches++) {
        add_system_wide<<<BLOCKS, SIZE>>>(on_gpu, ROUNDS);
        NEED(cudaDeviceSynchronize());
    }
    stop = true;
    for (std::thread &thread : threads)
        thread.join();
    for (int i = 0; i < WORDS; i++)
        sum += x[i];
    const unsigned long long expected = added + (unsigned long long)launches * BLOCKS * SIZE * ROUNDS;
    HOLDS(sum == expected, "%llu, not %llu", sum, expected);
}

static void in_managed_memory()
{
    unsigned long long *x = NULL;

    NEED(cudaMallocManaged((void **)&x, WORDS * sizeof *x));
    memset(x, 0, WORDS * sizeof *x);
    both_add(x, x);
}

static void in_mapped_memory()
{
    unsigned long long *x = NULL, *on_gpu = NULL;

    NEED(cudaHostAlloc((void **)&x, WORDS * sizeof *x, cudaHostAllocMapped));
    memset(x, 0, WORDS * sizeof *x);
    NEED(cudaHostGetDevicePointer((void **)&on_gpu, x, 0));
    both_add(x, on_gpu);
}

static void compare_and_swap()
{
    unsigned *x = (unsigned *)managed_ints(1024);
    unsigned host = 0;
    int launches = 0;
    std::atomic<bool> stop{false};
    std::thread thread([&] {
        for (; !stop || host < 1000; host++) {
            unsigned old = __atomic_load_n(x, __ATOMIC_RELAXED);
            while (
                !__atomic_compare_exchange_n(x, &old, old + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            }
        }
    });

    for (; launches < 50; launches++) {
        exchange_system_wide<<<2, 16>>>(x, 20);
        NEED(cudaDeviceSynchronize());
    }
    stop = true;
    thread.join();
    HOLDS(*x == host + 50u * 2 * 16 * 20, "%u after %u of the host's", *x, host);
}

__global__ void add_to_every_other(int *x, int count)
{
    const int i = 2 * (int)(blockIdx.x * blockDim.x + threadIdx.x);

    if (i < count)
        x[i] += 1;
}

/* Both sides write plain words, but never the same: on one page, in one cache line. */
static void neighbours_without_atomics()
{
    enum { COUNT = 1 << 16 };
    int *x = managed_ints(COUNT), launches = 0, turns = 0;
    std::atomic<bool> stop{false};
    std::thread thread([&] {
        for (; !stop; turns++)
            for (int i = 1; i < COUNT; i += 2)
                *(volatile int *)&x[i] += 1;
    });

    for (; launches < 100; launches++) {
        add_to_every_other<<<COUNT / 512, 256>>>(x, COUNT);
        NEED(cudaDeviceSynchronize());
    }
    stop = true;
    thread.join();
    for (int i = 0; i < COUNT; i++)
        HOLDS(x[i] == (i % 2 ? turns : launches), "element %d: %d after %d launches and %d turns", i, x[i],
              launches, turns);
}

ROBUST_CASES({"in-managed-memory", in_managed_memory}, {"in-mapped-memory", in_mapped_memory},
             {"compare-and-swap", compare_and_swap}, {"neighbours", neighbours_without_atomics})
