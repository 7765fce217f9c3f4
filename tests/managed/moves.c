/**
 * @file moves.c
 * @brief See moves.h.
 */
#include "moves.h"

#include <stdio.h>

#include "kernels.h"

/* Every counter, so that adding and printing them cannot forget one. */
static const struct {
    const char *name;
    size_t offset;
} names[] = {
#define COUNTER(name)                                                                                        \
    {                                                                                                        \
#name, offsetof(struct umsim_counters, name)                                                         \
    }
    COUNTER(memcpy_htod_bytes),
    COUNTER(memcpy_dtoh_bytes),
    COUNTER(memcpy_dtod_bytes),
    COUNTER(memcpy_calls),
    COUNTER(launches),
    COUNTER(synchronizations),
    COUNTER(cpu_page_faults),
    COUNTER(gpu_fault_groups),
    COUNTER(bytes_migrated_htod),
    COUNTER(bytes_migrated_dtoh),
    COUNTER(evictions),
    COUNTER(read_duplicates),
    COUNTER(read_duplicates_invalidated),
    COUNTER(remote_maps),
    COUNTER(contended),
    COUNTER(bytes_htod_by_cause[UMSIM_CAUSE_USER]),
    COUNTER(bytes_htod_by_cause[UMSIM_CAUSE_COHERENCE]),
    COUNTER(bytes_htod_by_cause[UMSIM_CAUSE_PREFETCH]),
    COUNTER(bytes_dtoh_by_cause[UMSIM_CAUSE_USER]),
    COUNTER(bytes_dtoh_by_cause[UMSIM_CAUSE_COHERENCE]),
    COUNTER(bytes_dtoh_by_cause[UMSIM_CAUSE_PREFETCH]),
    COUNTER(bytes_dtoh_by_cause[UMSIM_CAUSE_EVICTION]),
    COUNTER(thrashing),
    COUNTER(throttles),
#undef COUNTER
};

static uint64_t *count_of(struct umsim_counters *counters, size_t i)
{
    return (uint64_t *)((char *)counters + names[i].offset);
}

struct umsim_counters counters_now(void)
{
    struct umsim_counters now;

    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    umsim_counters_read(&now);
    return now;
}

struct umsim_counters counters_between(const struct umsim_counters *before,
                                       const struct umsim_counters *after)
{
    struct umsim_counters first = *before, difference = *after;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        *count_of(&difference, i) -= *count_of(&first, i);
    return difference;
}

void counters_print(const struct umsim_counters *counters)
{
    struct umsim_counters shown = *counters;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        printf("%s=%llu\n", names[i].name, (unsigned long long)*count_of(&shown, i));
}

void moves_check(const char *file, unsigned line, const char *step, const struct umsim_counters *before,
                 uint64_t htod, uint64_t dtoh, uint64_t cpu_faults, long groups)
{
    const struct umsim_counters after = counters_now(), moved = counters_between(before, &after);
    const bool groups_right =
        groups == SOME ? moved.gpu_fault_groups > 0 : moved.gpu_fault_groups == (uint64_t)groups;

    CU_assertImplementation(CU_TRUE, line, "", file, "", CU_FALSE);
    if (moved.bytes_migrated_htod == htod && moved.bytes_migrated_dtoh == dtoh &&
        moved.cpu_page_faults == cpu_faults && groups_right)
        return;
    um_test_fail(file, line,
                 "%s: %llu bytes to the device, %llu to the host, %llu CPU faults, %llu GPU fault groups; "
                 "expected %llu, %llu, %llu, %s",
                 step, (unsigned long long)moved.bytes_migrated_htod,
                 (unsigned long long)moved.bytes_migrated_dtoh, (unsigned long long)moved.cpu_page_faults,
                 (unsigned long long)moved.gpu_fault_groups, (unsigned long long)htod,
                 (unsigned long long)dtoh, (unsigned long long)cpu_faults,
                 groups == SOME ? "some"
                 : groups == 0  ? "none"
                                : "1");
}

void *managed(size_t bytes)
{
    void *p = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaMallocManaged(&p, bytes, cudaMemAttachGlobal), cudaSuccess);
    return p;
}

void *managed_on_host(size_t bytes)
{
    void *p = managed(bytes);

    host_writes(p, bytes);
    return p;
}

void *managed_on_device(size_t bytes)
{
    void *p = managed_on_host(bytes);

    prefetch(p, bytes, 0);
    return p;
}

void host_writes(void *p, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += KiB)
        *((volatile char *)p + i) = 1;
}

void host_reads(const void *p, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += KiB)
        (void)*((const volatile char *)p + i);
}

void gpu_reads(const void *p, size_t bytes)
{
    double *sum = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&sum, (1 + UM_SUM_BLOCKS) * sizeof *sum), cudaSuccess);
    CU_ASSERT_EQUAL(um_sum(sum, sum + 1, p, bytes / sizeof(float), 0), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFree(sum), cudaSuccess);
}

void gpu_writes(void *p, size_t bytes)
{
    CU_ASSERT_EQUAL(um_fill(p, 1, bytes / sizeof(float), 0), cudaSuccess);
}

void prefetch(const void *p, size_t bytes, int processor)
{
    CU_ASSERT_EQUAL(um_prefetch(p, bytes, processor, 0), cudaSuccess);
}

void advise(const void *p, size_t bytes, enum cudaMemoryAdvise advice, int processor)
{
    CU_ASSERT_EQUAL(um_advise(p, bytes, advice, processor), cudaSuccess);
}
