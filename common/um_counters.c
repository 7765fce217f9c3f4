/**
 * @file um_counters.c
 * @brief Reads the counters of both backends: the simulator's own, and on cuda the UVM driver's through
 * CUPTI.
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

const struct um_counters um_no_counters = {UM_NONE, UM_NONE, UM_NONE, UM_NONE, UM_NONE, UM_NONE,
                                           UM_NONE, UM_NONE, UM_NONE, UM_NONE, UM_NONE, UM_NONE,
                                           UM_NONE, UM_NONE, UM_NONE, UM_NONE, UM_NONE, 0};

/* No count is better than one that is too low. */
static void drop_what_is_too_low(struct um_counters *counters)
{
    struct um_counters kept = um_no_counters;

    if (counters->lost <= 0)
        return;
    kept.bytes_h2d = counters->bytes_h2d;
    kept.bytes_d2h = counters->bytes_d2h;
    kept.bytes_d2d = counters->bytes_d2d;
    kept.contended = counters->contended;
    kept.lost = counters->lost;
    *counters = kept;
}

#ifdef UMLAB_SIM
static int64_t all_ways(const struct umsim_counters *counters, enum umsim_cause cause)
{
    return (int64_t)(counters->bytes_htod_by_cause[cause] + counters->bytes_dtoh_by_cause[cause] +
                     counters->bytes_dtod_by_cause[cause]);
}
#endif

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
        .bytes_user = all_ways(&now, UMSIM_CAUSE_USER),
        .bytes_coherence = all_ways(&now, UMSIM_CAUSE_COHERENCE),
        .bytes_prefetch = all_ways(&now, UMSIM_CAUSE_PREFETCH),
        .bytes_eviction = all_ways(&now, UMSIM_CAUSE_EVICTION),
        .thrashing = (int64_t)now.thrashing,
        .throttles = (int64_t)now.throttles,
        .remote_maps = (int64_t)now.remote_maps,
        .bytes_d2d = (int64_t)now.memcpy_dtod_bytes,
        .bytes_migrated_d2d = (int64_t)now.bytes_migrated_dtod,
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
    drop_what_is_too_low(&result);
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
    drop_what_is_too_low(sum);
}
