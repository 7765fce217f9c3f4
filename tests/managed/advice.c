/**
 * @file advice.c
 * @brief Advice, step by step: what each step of a program moves that prefetches or advises, as an H200
 * counted it (driver 580, CUDA 13.0, 64 MiB allocations). Bytes and CPU faults are exact, and so is where no
 * GPU fault is.
 */
#include "kernels_here.h"
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

static void a_walk_of_fresh_memory_faults_and_moves_nothing(void)
{
    void *p = managed(SIZE);

    MOVES(0, 0, WALK, 0, host_writes(p, SIZE));
    freed(p);
}

static void what_was_prefetched_is_read_without_faults_and_only(void)
{
    void *p = managed_on_host(SIZE);

    MOVES(SIZE, 0, 0, 0, prefetch(p, SIZE, DEVICE));
    MOVES(0, 0, 0, 0, prefetch(p, SIZE, DEVICE));
    MOVES(0, 0, 0, 0, gpu_reads(p, SIZE));
    MOVES(0, SIZE / 2, 0, 0, prefetch(p, SIZE / 2, HOST));
    MOVES(0, SIZE / 2, WALK / 2, 0, host_writes(p, SIZE));
    freed(p);
}

static void copying_4_bytes_moves_64_KiB_and_cudaMemset_of_all_the_rest(void)
{
    void *p = managed_on_host(SIZE), *d_to = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaMalloc(&d_to, 4), cudaSuccess);
    MOVES(65536, 0, 0, 1, CU_ASSERT_EQUAL(cudaMemcpy(d_to, p, 4, cudaMemcpyDefault), cudaSuccess));
    MOVES(SIZE - 65536, 0, 0, SOME, CU_ASSERT_EQUAL(cudaMemset(p, 0, SIZE), cudaSuccess));
    CU_ASSERT_EQUAL(cudaFree(d_to), cudaSuccess);
    freed(p);
}

static void with_PreferredLocation_host_the_GPU_reads_and_writes_in_place(void)
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

static void with_PreferredLocation_host_and_AccessedBy_device_nothing(void)
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

static void with_AccessedBy_device_the_GPU_reads_the_hosts_pages_where_they(void)
{
    void *p = managed_on_host(SIZE);

    MOVES(0, 0, 0, 0, advise(p, SIZE, cudaMemAdviseSetAccessedBy, DEVICE));
    MOVES(0, 0, 0, 0, gpu_reads(p, SIZE));
    MOVES(0, 0, 0, 0, host_writes(p, SIZE));
    freed(p);
}

static void with_AccessedBy_host_the_devices_pages_migrate_all_the_same(void)
{
    void *p = managed_on_device(SIZE);

    MOVES(0, 0, 0, 0, advise(p, SIZE, cudaMemAdviseSetAccessedBy, HOST));
    MOVES(0, SIZE, WALK, 0, host_writes(p, SIZE));
    freed(p);
}

static struct umsim_counters counts_of_update(enum here_operation operation, bool apart)
{
    int *p = managed_on_host(SIZE);
    advise((char *)p, SIZE, cudaMemAdviseSetReadMostly, DEVICE);
    const struct umsim_counters before = counters_now();
    CU_ASSERT_EQUAL(here_update(p, SIZE / sizeof *p, PAGE / sizeof *p, operation, apart), cudaSuccess);
    const struct umsim_counters after = counters_now();
    CU_ASSERT_EQUAL(cudaFree(p), cudaSuccess);
    return counters_between(&before, &after);
}

static void with_ReadMostly_an_update_is_a_read_and_a_write(void)
{
    for (int operation = 0; operation < HERE_OPERATIONS; operation++) {
        const struct umsim_counters apart = counts_of_update((enum here_operation)operation, true),
                                    once = counts_of_update((enum here_operation)operation, false);
        CU_ASSERT_TRUE(apart.read_duplicates > 0);
        UM_EQUAL(once.read_duplicates, apart.read_duplicates);
        UM_EQUAL(once.read_duplicates_invalidated, apart.read_duplicates_invalidated);
        UM_EQUAL(once.gpu_fault_groups, apart.gpu_fault_groups);
    }
}

static void with_ReadMostly_reads_duplicate_and_writes_take_copies_away(void)
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

static void with_PreferredLocation_device_pages_go_to_and_fro(void)
{
    void *p = managed_on_host(SIZE);

    MOVES(0, 0, 0, 0, advise(p, SIZE, cudaMemAdviseSetPreferredLocation, DEVICE));
    MOVES(SIZE, 0, 0, SOME, gpu_reads(p, SIZE));
    MOVES(0, SIZE, WALK, 0, host_writes(p, SIZE));
    MOVES(SIZE, 0, 0, SOME, gpu_reads(p, SIZE));
    freed(p);
}

static void with_PreferredLocation_device_fresh_pages_are_made_where_they(void)
{
    void *p = managed(SIZE);

    advise(p, SIZE, cudaMemAdviseSetPreferredLocation, DEVICE);
    MOVES(0, 0, WALK, 0, host_writes(p, SIZE));
    MOVES(SIZE, 0, 0, SOME, gpu_reads(p, SIZE));
    freed(p);
}

static void with_PreferredLocation_host_the_GPUs_write_to_fresh_memory(void)
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

/* What holds for all pages of the range that is asked about. */
static void a_stretchs_attributes_are_those_that_all_its_pages_share(void)
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

UM_TESTS("advice, step by step",
         {"a walk of fresh memory faults and moves nothing", a_walk_of_fresh_memory_faults_and_moves_nothing},
         {"what was prefetched is read without faults, and only what is away comes back",
          what_was_prefetched_is_read_without_faults_and_only},
         {"copying 4 bytes moves 64 KiB, and cudaMemset of all the rest",
          copying_4_bytes_moves_64_KiB_and_cudaMemset_of_all_the_rest},
         {"with PreferredLocation=host the GPU reads and writes in place",
          with_PreferredLocation_host_the_GPU_reads_and_writes_in_place},
         {"with PreferredLocation=host and AccessedBy=device nothing faults but the first walk",
          with_PreferredLocation_host_and_AccessedBy_device_nothing},
         {"with AccessedBy=device the GPU reads the host's pages where they are",
          with_AccessedBy_device_the_GPU_reads_the_hosts_pages_where_they},
         {"with AccessedBy=host the device's pages migrate all the same",
          with_AccessedBy_host_the_devices_pages_migrate_all_the_same},
         {"with ReadMostly an update is a read and a write, also in one instruction",
          with_ReadMostly_an_update_is_a_read_and_a_write},
         {"with ReadMostly reads duplicate, and writes take copies away page by page",
          with_ReadMostly_reads_duplicate_and_writes_take_copies_away},
         {"with PreferredLocation=device pages go to and fro",
          with_PreferredLocation_device_pages_go_to_and_fro},
         {"with PreferredLocation=device fresh pages are made where they are touched",
          with_PreferredLocation_device_fresh_pages_are_made_where_they},
         {"with PreferredLocation=host the GPU's write to fresh memory populates the host's",
          with_PreferredLocation_host_the_GPUs_write_to_fresh_memory},
         {"a range's attributes are those that all its pages share",
          a_stretchs_attributes_are_those_that_all_its_pages_share});
