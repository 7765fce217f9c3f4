/**
 * @file um_counters.c
 * @brief Counters of both backends: the simulator's own, and on cuda the UVM driver's through CUPTI.
 */
#include "um_counters.h"

#include <stddef.h>

#include "um_cupti.h"
#include "um_result.h"

#ifdef UMLAB_SIM
#include "umsim.h"
#endif

/* The counts as an array: the structure holds nothing else. */
#define COUNTS (sizeof(struct um_counters) / sizeof(int64_t))

struct um_counters um_counters_now(void)
{
#ifdef UMLAB_SIM
    struct umsim_counters now;

    umsim_counters_read(&now);
    return (struct um_counters){
        .bytes_h2d = (int64_t)now.memcpy_htod_bytes,
        .bytes_d2h = (int64_t)now.memcpy_dtoh_bytes,
        .cpu_faults = (int64_t)now.cpu_page_faults,
        .gpu_fault_groups = (int64_t)now.gpu_fault_groups,
        .bytes_migrated_h2d = (int64_t)now.bytes_migrated_htod,
        .bytes_migrated_d2h = (int64_t)now.bytes_migrated_dtoh,
        .evictions = (int64_t)now.evictions,
        .contended = (int64_t)now.contended,
    };
#else
    return um_cupti_counters();
#endif
}

struct um_counters um_counters_difference(struct um_counters before, struct um_counters after)
{
    struct um_counters result = {0};
    const int64_t *b = (const int64_t *)&before, *a = (const int64_t *)&after;
    int64_t *r = (int64_t *)&result;

    for (size_t i = 0; i < COUNTS; i++) {
        r[i] = a[i] == UM_NONE || b[i] == UM_NONE ? UM_NONE : a[i] - b[i];
    }
    return result;
}

void um_counters_add(struct um_counters *sum, struct um_counters more)
{
    int64_t *s = (int64_t *)sum;
    const int64_t *m = (const int64_t *)&more;

    for (size_t i = 0; i < COUNTS; i++) {
        if (m[i] == UM_NONE)
            continue;
        s[i] = s[i] == UM_NONE ? m[i] : s[i] + m[i];
    }
}
