/**
 * @file counters.c
 * @brief Counts by cause and by allocation.
 */
#include <string.h>

#include "again.h"
#include "kernels.h"
#include "moves.h"

#define SIZE (8 * MiB)

static struct umsim_counters counters_of(const void *p)
{
    struct umsim_counters counters;

    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    UM_EQUAL(umsim_counters_of(p, &counters), 1);
    return counters;
}

static uint64_t total(const uint64_t bytes[UMSIM_CAUSES])
{
    uint64_t sum = 0;

    for (int cause = 0; cause < UMSIM_CAUSES; cause++)
        sum += bytes[cause];
    return sum;
}

static void bytes_are_counted_by_what_moved_them(void)
{
    char *p = managed_on_host(SIZE);
    struct umsim_counters counters;

    prefetch(p, SIZE, 0);
    counters = counters_of(p);
    UM_EQUAL(counters.bytes_htod_by_cause[UMSIM_CAUSE_USER], SIZE);
    UM_EQUAL(total(counters.bytes_htod_by_cause), SIZE);
    UM_EQUAL(total(counters.bytes_dtoh_by_cause), 0);
    host_reads(p, 1); /* a page, and its neighbours in 64 KiB */
    counters = counters_of(p);
    UM_EQUAL(counters.bytes_dtoh_by_cause[UMSIM_CAUSE_COHERENCE], PAGE);
    UM_EQUAL(counters.bytes_dtoh_by_cause[UMSIM_CAUSE_PREFETCH], 64 * KiB - PAGE);
    host_reads(p, SIZE);
    counters = counters_of(p);
    UM_EQUAL(counters.bytes_dtoh_by_cause[UMSIM_CAUSE_COHERENCE], 24 * PAGE); /* each fault its page */
    UM_EQUAL(total(counters.bytes_dtoh_by_cause), SIZE);
    UM_EQUAL(counters.bytes_migrated_dtoh, SIZE);
    UM_EQUAL(counters.cpu_page_faults, 24 + 24);
    CU_ASSERT_EQUAL(cudaFree(p), cudaSuccess);
}

static void duplicates_and_remote_mappings_are_counted_for_their_allocation(void)
{
    char *p = managed_on_host(SIZE), *q = managed_on_host(SIZE);
    struct umsim_counters counters;

    advise(p, SIZE, cudaMemAdviseSetReadMostly, 0);
    advise(q, SIZE, cudaMemAdviseSetAccessedBy, 0);
    gpu_reads(p, SIZE);
    counters = counters_of(p);
    UM_EQUAL(counters.read_duplicates, SIZE / PAGE);
    UM_EQUAL(counters.read_duplicates_invalidated, 0);
    UM_EQUAL(counters.remote_maps, 0);
    CU_ASSERT(counters.gpu_fault_groups > 0);
    host_writes(p, SIZE);
    counters = counters_of(p);
    UM_EQUAL(counters.read_duplicates_invalidated, SIZE / PAGE);
    counters = counters_of(q);
    UM_EQUAL(counters.remote_maps, SIZE / PAGE);
    UM_EQUAL(counters.gpu_fault_groups, 0);
    UM_EQUAL(counters.read_duplicates, 0);
    CU_ASSERT_EQUAL(cudaFree(p), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFree(q), cudaSuccess);
}

static void fight(unsigned char *p, int rounds)
{
    for (int round = 0; round < rounds; round++) {
        *(volatile unsigned char *)p = 1;
        CU_ASSERT_EQUAL(um_page_write(p, 1, 1, 2, 0), cudaSuccess);
        CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    }
}

static void thrashing_and_throttling_are_counted_for_their_allocation(void)
{
    unsigned char *p = managed(SIZE), *quiet = managed_on_device(SIZE);
    const struct umsim_counters before = counters_now();

    fight(p, 60);
    const struct umsim_counters after = counters_now(), all = counters_between(&before, &after);
    const struct umsim_counters its = counters_of(p), none = counters_of(quiet);
    CU_ASSERT(all.thrashing >= 64 * KiB / PAGE && all.throttles >= 10);
    UM_EQUAL(its.thrashing, all.thrashing);
    UM_EQUAL(its.throttles, all.throttles);
    UM_EQUAL(its.gpu_fault_groups, all.gpu_fault_groups);
    UM_EQUAL(none.thrashing + none.throttles, 0);
    CU_ASSERT_EQUAL(cudaFree(p), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFree(quiet), cudaSuccess);
}

static void add(struct umsim_counters *sum, const struct umsim_counters *more)
{
    uint64_t *s = (uint64_t *)sum;
    const uint64_t *m = (const uint64_t *)more;

    for (size_t i = 0; i < sizeof *sum / sizeof *s; i++)
        s[i] += m[i];
}

/* Everything that is counted for an allocation; launches and copies are nobody's. */
static struct umsim_counters of_allocations(struct umsim_counters counters)
{
    counters.memcpy_htod_bytes = counters.memcpy_dtoh_bytes = counters.memcpy_dtod_bytes = 0;
    counters.memcpy_calls = counters.launches = counters.synchronizations = counters.contended = 0;
    return counters;
}

static void the_sums_over_all_allocations_are_the_totals(void)
{
    const struct umsim_counters before = counters_now();
    char *a = managed(SIZE), *b = managed(3 * MiB + 5), *small = managed(100), *other = managed(1000);
    struct umsim_counters sum = {0};

    host_writes(a, SIZE);
    gpu_writes(b, 3 * MiB);
    gpu_reads(a, SIZE);
    host_reads(b, 3 * MiB);
    prefetch(b, MiB, 0);
    advise(a, SIZE / 2, cudaMemAdviseSetReadMostly, 0);
    host_reads(a, SIZE);
    gpu_reads(a, SIZE / 4);
    host_writes(a, SIZE);
    advise(b, 3 * MiB, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId);
    host_writes(b, 3 * MiB);
    gpu_reads(b, 3 * MiB);
    fight((unsigned char *)small, 30);
    host_writes(other, 1000);
    const struct umsim_counters after = counters_now();
    struct umsim_counters all = of_allocations(counters_between(&before, &after));
    struct umsim_counters of[] = {counters_of(a), counters_of(b), counters_of(small)};

    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        add(&sum, &of[i]);
    CU_ASSERT(memcmp(&sum, &all, sizeof all) == 0);
    UM_EQUAL(sum.cpu_page_faults, all.cpu_page_faults);
    UM_EQUAL(sum.gpu_fault_groups, all.gpu_fault_groups);
    UM_EQUAL(sum.bytes_migrated_htod, all.bytes_migrated_htod);
    CU_ASSERT(all.cpu_page_faults > 0 && all.bytes_migrated_dtoh > 0 && all.read_duplicates > 0 &&
              all.remote_maps > 0 && all.thrashing > 0 && all.read_duplicates_invalidated > 0);
    UM_EQUAL(total(all.bytes_htod_by_cause), all.bytes_migrated_htod);
    UM_EQUAL(total(all.bytes_dtoh_by_cause), all.bytes_migrated_dtoh);
    /* the two small ones share a block, and its counts */
    const struct umsim_counters shared = counters_of(other);
    CU_ASSERT(memcmp(&shared, &of[2], sizeof shared) == 0);
    CU_ASSERT_EQUAL(cudaFree(a), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFree(b), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFree(small), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFree(other), cudaSuccess);
}

static void freed_memory_starts_anew(void)
{
    char *p = managed_on_device(SIZE);
    const struct umsim_counters none = {0};
    struct umsim_counters counters;

    CU_ASSERT(counters_of(p).cpu_page_faults > 0);
    CU_ASSERT_EQUAL(cudaFree(p), cudaSuccess);
    UM_EQUAL(umsim_counters_of(p, &counters), 0);
    char *again = managed(SIZE);
    CU_ASSERT_PTR_EQUAL(again, p); /* the lowest place that is free */
    counters = counters_of(again);
    CU_ASSERT(memcmp(&counters, &none, sizeof none) == 0);
    CU_ASSERT_EQUAL(cudaFree(again), cudaSuccess);
}

static void what_is_not_managed_has_no_counts(void)
{
    static const struct umsim_counters none;
    struct umsim_counters counters;
    void *d_p = NULL;
    int local = 0;

    CU_ASSERT_EQUAL_FATAL(cudaMalloc(&d_p, 100), cudaSuccess);
    memset(&counters, 1, sizeof counters);
    UM_EQUAL(umsim_counters_of(d_p, &counters), 0);
    CU_ASSERT(memcmp(&counters, &none, sizeof none) == 0);
    UM_EQUAL(umsim_counters_of(&local, &counters), 0);
    UM_EQUAL(umsim_counters_of(NULL, &counters), 0);
    CU_ASSERT_EQUAL(cudaFree(d_p), cudaSuccess);
}

/* Evictions: on a device with little memory, in a process of its own. */
static void evicting(void)
{
    enum { COUNT = 3 };
    char *p[COUNT];
    struct umsim_counters counters, sum = {0}, totals;

    for (int i = 0; i < COUNT; i++)
        SCENE_CALL(cudaMallocManaged((void **)&p[i], 32 * MiB, cudaMemAttachGlobal));
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < COUNT; i++)
            SCENE_CALL(um_page_write((unsigned char *)p[i], 32 * MiB, PAGE, 1, 0));
    SCENE_CALL(cudaDeviceSynchronize());
    for (int i = 0; i < COUNT; i++) {
        SCENE_NEED(umsim_counters_of(p[i], &counters) == 1, "allocation %d", i);
        SCENE_NEED(counters.evictions > 0, "allocation %d", i);
        SCENE_NEED(counters.bytes_dtoh_by_cause[UMSIM_CAUSE_EVICTION] == counters.bytes_migrated_dtoh,
                   "allocation %d", i);
        add(&sum, &counters);
    }
    umsim_counters_read(&totals);
    totals = of_allocations(totals);
    SCENE_NEED(memcmp(&sum, &totals, sizeof sum) == 0, "%llu evictions of %llu",
               (unsigned long long)sum.evictions, (unsigned long long)totals.evictions);
}
SCENE("evicting", evicting)

static void evictions_are_counted_for_the_allocation_that_had_to_go(void)
{
    struct again run = {.scene = "evicting", .settings = {"UMSIM_PROFILE=tiny"}};

    again(&run);
    again_ended_well(&run);
}

UM_TESTS("counters", {"bytes are counted by what moved them", bytes_are_counted_by_what_moved_them},
         {"duplicates and remote mappings are counted for their allocation",
          duplicates_and_remote_mappings_are_counted_for_their_allocation},
         {"thrashing and throttling are counted for their allocation",
          thrashing_and_throttling_are_counted_for_their_allocation},
         {"the sums over all allocations are the totals", the_sums_over_all_allocations_are_the_totals},
         {"freed memory starts anew", freed_memory_starts_anew},
         {"what is not managed has no counts", what_is_not_managed_has_no_counts},
         {"evictions are counted for the allocation that had to go",
          evictions_are_counted_for_the_allocation_that_had_to_go});
