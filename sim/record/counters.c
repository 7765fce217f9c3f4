/**
 * @file counters.c
 * @brief Implementation of counters.h: adds what the paging policy did to the totals.
 */
#include "counters.h"

struct umsim_counters umsim_counters;

_Static_assert(UMSIM_CAUSE_USER == (int)UVM_CAUSE_USER && UMSIM_CAUSE_COHERENCE == (int)UVM_CAUSE_COHERENCE &&
                   UMSIM_CAUSE_PREFETCH == (int)UVM_CAUSE_PREFETCH &&
                   UMSIM_CAUSE_EVICTION == (int)UVM_CAUSE_EVICTION && UMSIM_CAUSES == (int)UVM_CAUSES,
               "the policy's causes are the counters'");

/* Of all processors. */
static uint64_t sum(const uint64_t count[UVM_PROCESSORS])
{
    uint64_t all = 0;
    for (int processor = 0; processor < UVM_PROCESSORS; processor++)
        all += count[processor];
    return all;
}

void umsim_count_paging(const struct uvm_delta *delta)
{
    umsim_count(cpu_page_faults, delta->cpu_faults);
    umsim_count(gpu_fault_groups, delta->gpu_fault_groups);
    for (int cause = 0; cause < UVM_CAUSES; cause++) {
        umsim_count(bytes_migrated_htod, delta->bytes[UVM_HTOD][cause]);
        umsim_count(bytes_migrated_dtoh, delta->bytes[UVM_DTOH][cause]);
        umsim_count(bytes_htod_by_cause[cause], delta->bytes[UVM_HTOD][cause]);
        umsim_count(bytes_dtoh_by_cause[cause], delta->bytes[UVM_DTOH][cause]);
        umsim_count(bytes_migrated_dtod, delta->bytes[UVM_DTOD][cause]);
        umsim_count(bytes_dtod_by_cause[cause], delta->bytes[UVM_DTOD][cause]);
    }
    umsim_count(evictions, delta->evictions);
    umsim_count(read_duplicates, delta->pages_duplicated);
    umsim_count(read_duplicates_invalidated, delta->pages_invalidated);
    umsim_count(remote_maps, sum(delta->pages_mapped_remotely));
    umsim_count(contended, delta->pages_contended);
    umsim_count(thrashing, delta->pages_thrashing);
    umsim_count(throttles, sum(delta->throttles));
}
