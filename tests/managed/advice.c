/**
 * @file advice.c
 * @brief Advice, step by step: what each step of a program moves that prefetches or advises, as an H200
 * counted it (driver 580, CUDA 13.0, 64 MiB allocations). Bytes and CPU faults are exact, and so is where no
 * GPU fault is.
 */
#include "moves.h"

#define SIZE (64 * MiB)
#define WALK 192 /* CPU faults: six for each 2 MiB */
#define A_FAULT_A_PAGE (SIZE / PAGE)
#define HOST cudaCpuDeviceId
#define DEVICE 0

static void freed(void *p)
{
    CU_ASSERT_EQUAL(cudaFree(p), cudaSuccess);
}

static void fresh_walk(void)
{
    void *p = managed(SIZE);

    MOVES(0, 0, WALK, 0, host_writes(p, SIZE));
    freed(p);
}

static void prefetching(void)
{
    void *p = managed_on_host(SIZE);

    MOVES(SIZE, 0, 0, 0, prefetch(p, SIZE, DEVICE));
    MOVES(0, 0, 0, 0, prefetch(p, SIZE, DEVICE));
    MOVES(0, 0, 0, 0, gpu_reads(p, SIZE));
    MOVES(0, SIZE / 2, 0, 0, prefetch(p, SIZE / 2, HOST));
    MOVES(0, SIZE / 2, WALK / 2, 0, host_writes(p, SIZE));
    freed(p);
}

static void copying_and_setting(void)
{
    void *p = managed_on_host(SIZE), *d_to = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaMalloc(&d_to, 4), cudaSuccess);
    MOVES(65536, 0, 0, 1, CU_ASSERT_EQUAL(cudaMemcpy(d_to, p, 4, cudaMemcpyDefault), cudaSuccess));
    MOVES(SIZE - 65536, 0, 0, SOME, CU_ASSERT_EQUAL(cudaMemset(p, 0, SIZE), cudaSuccess));
    CU_ASSERT_EQUAL(cudaFree(d_to), cudaSuccess);
    freed(p);
}

static void preferred_host(void)
{
    void *p = managed_on_device(SIZE);

    MOVES(0, 0, 0, 0, advise(p, SIZE, cudaMemAdviseSetPreferredLocation, HOST));
    MOVES(0, SIZE, WALK, 0, host_writes(p, SIZE));
    MOVES(0, 0, 0, SOME, gpu_reads(p, SIZE));
    MOVES(0, 0, 0, 0, gpu_reads(p, SIZE));
    MOVES(0, 0, 0, 0, gpu_writes(p, SIZE));
    MOVES(0, 0, 0, 0, host_writes(p, SIZE));
    freed(p);
}

static void preferred_host_accessed_by_device(void)
{
    void *p = managed_on_device(SIZE);

    MOVES(0, 0, 0, 0, advise(p, SIZE, cudaMemAdviseSetPreferredLocation, HOST));
    MOVES(0, 0, 0, 0, advise(p, SIZE, cudaMemAdviseSetAccessedBy, DEVICE));
    MOVES(0, SIZE, WALK, 0, host_writes(p, SIZE));
    MOVES(0, 0, 0, 0, gpu_reads(p, SIZE));
    MOVES(0, 0, 0, 0, gpu_writes(p, SIZE));
    MOVES(0, 0, 0, 0, host_writes(p, SIZE));
    freed(p);
}

static void accessed_by_device(void)
{
    void *p = managed_on_host(SIZE);

    MOVES(0, 0, 0, 0, advise(p, SIZE, cudaMemAdviseSetAccessedBy, DEVICE));
    MOVES(0, 0, 0, 0, gpu_reads(p, SIZE));
    MOVES(0, 0, 0, 0, host_writes(p, SIZE));
    freed(p);
}

static void accessed_by_host(void)
{
    void *p = managed_on_device(SIZE);

    MOVES(0, 0, 0, 0, advise(p, SIZE, cudaMemAdviseSetAccessedBy, HOST));
    MOVES(0, SIZE, WALK, 0, host_writes(p, SIZE));
    freed(p);
}

static void read_mostly(void)
{
    void *p = managed_on_host(SIZE);

    MOVES(0, 0, 0, 0, advise(p, SIZE, cudaMemAdviseSetReadMostly, DEVICE));
    MOVES(SIZE, 0, 0, SOME, gpu_reads(p, SIZE));
    MOVES(0, 0, 0, 0, host_reads(p, SIZE));
    MOVES(0, 0, A_FAULT_A_PAGE, 0, host_writes(p, SIZE));
    MOVES(0, 0, 0, 0, host_writes(p, SIZE));
    MOVES(SIZE, 0, 0, SOME, gpu_reads(p, SIZE));
    MOVES(0, 0, 0, SOME, gpu_writes(p, SIZE));
    MOVES(0, SIZE, WALK, 0, host_reads(p, SIZE));
    MOVES(0, 0, 0, 0, advise(p, SIZE, cudaMemAdviseUnsetReadMostly, DEVICE));
    MOVES(0, 0, A_FAULT_A_PAGE, 0, host_writes(p, SIZE));
    freed(p);
}

static void preferred_device(void)
{
    void *p = managed_on_host(SIZE);

    MOVES(0, 0, 0, 0, advise(p, SIZE, cudaMemAdviseSetPreferredLocation, DEVICE));
    MOVES(SIZE, 0, 0, SOME, gpu_reads(p, SIZE));
    MOVES(0, SIZE, WALK, 0, host_writes(p, SIZE));
    MOVES(SIZE, 0, 0, SOME, gpu_reads(p, SIZE));
    freed(p);
}

static void fresh_preferred_device(void)
{
    void *p = managed(SIZE);

    advise(p, SIZE, cudaMemAdviseSetPreferredLocation, DEVICE);
    MOVES(0, 0, WALK, 0, host_writes(p, SIZE));
    MOVES(SIZE, 0, 0, SOME, gpu_reads(p, SIZE));
    freed(p);
}

static void fresh_preferred_host(void)
{
    void *p = managed(SIZE);

    advise(p, SIZE, cudaMemAdviseSetPreferredLocation, HOST);
    MOVES(0, 0, 0, SOME, gpu_writes(p, SIZE));
    MOVES(0, 0, SIZE / BLOCK, 0, host_writes(p, SIZE));
    freed(p);
}

static int attribute(const void *p, size_t bytes, enum cudaMemRangeAttribute which)
{
    int value = -99;

    CU_ASSERT_EQUAL(cudaMemRangeGetAttribute(&value, sizeof value, which, p, bytes), cudaSuccess);
    return value;
}

static void attributes_of(const char *p, size_t bytes, int read_mostly_, int preferred, int by,
                          int prefetched)
{
    int accessed_by = -99;

    CU_ASSERT_EQUAL(
        cudaMemRangeGetAttribute(&accessed_by, sizeof accessed_by, cudaMemRangeAttributeAccessedBy, p, bytes),
        cudaSuccess);
    UM_EQUAL(attribute(p, bytes, cudaMemRangeAttributeReadMostly), read_mostly_);
    UM_EQUAL(attribute(p, bytes, cudaMemRangeAttributePreferredLocation), preferred);
    UM_EQUAL(accessed_by, by);
    UM_EQUAL(attribute(p, bytes, cudaMemRangeAttributeLastPrefetchLocation), prefetched);
}

/* What holds for all pages of the stretch that is asked about. */
static void attributes(void)
{
    char *p = managed(8 * MiB);

    attributes_of(p, 8 * MiB, 0, cudaInvalidDeviceId, cudaInvalidDeviceId, cudaInvalidDeviceId);
    advise(p, 8 * MiB, cudaMemAdviseSetReadMostly, DEVICE);
    advise(p, 2 * MiB, cudaMemAdviseSetPreferredLocation, HOST);
    advise(p + 2 * MiB, 6 * MiB, cudaMemAdviseSetAccessedBy, DEVICE);
    prefetch(p, 4 * MiB, DEVICE);
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    attributes_of(p, 2 * MiB, 1, HOST, cudaInvalidDeviceId, DEVICE);
    attributes_of(p + 2 * MiB, 2 * MiB, 1, cudaInvalidDeviceId, DEVICE, DEVICE);
    attributes_of(p + 4 * MiB, 4 * MiB, 1, cudaInvalidDeviceId, DEVICE, cudaInvalidDeviceId);
    attributes_of(p, 8 * MiB, 1, cudaInvalidDeviceId, cudaInvalidDeviceId, cudaInvalidDeviceId);
    advise(p + 3 * MiB, 4 * KiB, cudaMemAdviseUnsetReadMostly, DEVICE);
    attributes_of(p + 2 * MiB, 2 * MiB, 0, cudaInvalidDeviceId, DEVICE, DEVICE);
    host_writes(p, 8 * MiB); /* pages that move keep what was advised */
    attributes_of(p, 2 * MiB, 1, HOST, cudaInvalidDeviceId, DEVICE);
    freed(p);
}

UM_TESTS("advice, step by step", {"fresh memory: walk", fresh_walk},
         {"prefetch to the device, again, GPU read, half back, walk", prefetching},
         {"copying 4 bytes, then cudaMemset of all", copying_and_setting},
         {"PreferredLocation=host: walk, GPU reads and writes in place, walk", preferred_host},
         {"PreferredLocation=host and AccessedBy=device: nothing faults but the first walk",
          preferred_host_accessed_by_device},
         {"AccessedBy=device on the host's pages: GPU read, walk", accessed_by_device},
         {"AccessedBy=host on the device's pages: they migrate all the same", accessed_by_host},
         {"ReadMostly: reads duplicate, writes take copies away page by page", read_mostly},
         {"PreferredLocation=device: pages go to and fro", preferred_device},
         {"PreferredLocation=device, fresh: walk, GPU read", fresh_preferred_device},
         {"PreferredLocation=host, fresh: the GPU's write populates host memory", fresh_preferred_host},
         {"a stretch's attributes are those that all its pages share", attributes});
