/**
 * @file counters.c
 * @brief See counters.h.
 */
#include "counters.h"
#include "trace.h"
#include "../space/arena.h"
#include "../space/mapping.h"

#include <string.h>

/* One VA block's counts: the policy's events, added up. */
struct account {
    uint64_t cpu_faults, gpu_fault_groups, evictions, duplicates, invalidated, remote_maps, thrashing,
        throttles;
    uint64_t bytes[UVM_DIRECTIONS][UVM_CAUSES];
};

struct umsim_counters umsim_counters;
static struct account *accounts[UMSIM_SPACES_MAX];

_Static_assert(UMSIM_CAUSE_USER == (int)UVM_CAUSE_USER && UMSIM_CAUSE_COHERENCE == (int)UVM_CAUSE_COHERENCE &&
                   UMSIM_CAUSE_PREFETCH == (int)UVM_CAUSE_PREFETCH &&
                   UMSIM_CAUSE_EVICTION == (int)UVM_CAUSE_EVICTION && UMSIM_CAUSES == (int)UVM_CAUSES,
               "the policy's causes are the counters'");

void umsim_count_paging(const struct uvm_delta *delta)
{
    umsim_count(cpu_page_faults, delta->cpu_faults);
    umsim_count(gpu_fault_groups, delta->gpu_fault_groups);
    for (int cause = 0; cause < UVM_CAUSES; cause++) {
        umsim_count(bytes_migrated_htod, delta->bytes[UVM_HTOD][cause]);
        umsim_count(bytes_migrated_dtoh, delta->bytes[UVM_DTOH][cause]);
        umsim_count(bytes_htod_by_cause[cause], delta->bytes[UVM_HTOD][cause]);
        umsim_count(bytes_dtoh_by_cause[cause], delta->bytes[UVM_DTOH][cause]);
    }
    umsim_count(evictions, delta->evictions);
    umsim_count(read_duplicates, delta->pages_duplicated);
    umsim_count(read_duplicates_invalidated, delta->pages_invalidated);
    umsim_count(remote_maps, delta->pages_mapped_remotely[UVM_GPU]);
    umsim_count(contended, delta->pages_contended);
    umsim_count(thrashing, delta->pages_thrashing);
    umsim_count(throttles, delta->throttles[UVM_CPU] + delta->throttles[UVM_GPU]);
}

/* ---- by allocation ---- */

static unsigned index_of(const struct umsim_managed_space *space)
{
    return (unsigned)(space - umsim_shared_state->space);
}

void umsim_account_begin(const struct umsim_managed_space *space, uintptr_t address, size_t bytes)
{
    const unsigned index = index_of(space);
    const size_t blocks = (space->bytes + UMSIM_VA_BLOCK - 1) / UMSIM_VA_BLOCK;
    const size_t first = umsim_space_block(space, (const void *)address);
    const size_t last = umsim_space_block(space, (const void *)(address + bytes - 1));

    if (!accounts[index])
        accounts[index] = umsim_books_memory(blocks * sizeof *accounts[index]);
    for (size_t block = first; block <= last; block++)
        if (memcmp(&accounts[index][block], &(struct account){0}, sizeof(struct account)) != 0)
            accounts[index][block] = (struct account){0};
}

static struct account *account_of(uintptr_t address)
{
    const struct umsim_managed_space *space = umsim_managed_space_of((const void *)address);
    if (!space || !accounts[index_of(space)])
        return NULL;
    return &accounts[index_of(space)][umsim_space_block(space, (const void *)address)];
}

static void add_event(struct account *account, const struct uvm_event *event)
{
    const uint64_t pages = event->bytes / UVM_PAGE_BYTES;

    switch (event->type) {
    case UVM_EVENT_CPU_FAULT:
        account->cpu_faults++;
        break;
    case UVM_EVENT_MIGRATION:
        account->bytes[event->processor == UVM_GPU ? UVM_HTOD : UVM_DTOH][event->cause] += event->bytes;
        break;
    case UVM_EVENT_READ_DUPLICATE:
        account->duplicates += pages;
        break;
    case UVM_EVENT_READ_DUPLICATE_INVALIDATE:
        account->invalidated += pages;
        break;
    case UVM_EVENT_MAP_REMOTE:
        account->remote_maps += event->processor == UVM_GPU ? pages : 0;
        break;
    case UVM_EVENT_EVICTION:
        account->evictions++;
        break;
    case UVM_EVENT_THRASHING:
        account->thrashing += pages;
        break;
    case UVM_EVENT_THROTTLING:
        account->throttles++;
        break;
    case UVM_EVENT_GPU_FAULT:
        account->gpu_fault_groups += event->groups;
        break;
    case UVM_EVENT_POPULATE:
        break;
    }
}

void umsim_account_event(void *unused, const struct uvm_event *event)
{
    struct account *account = account_of(event->address);
    if (account)
        add_event(account, event);
    if (umsim_tracing())
        umsim_trace_paging(unused, event);
}

void umsim_account_read(const struct umsim_managed_space *space, const void *p, size_t bytes,
                        struct umsim_counters *out)
{
    const struct account *account = accounts[index_of(space)];
    const size_t last = umsim_space_block(space, (const char *)p + bytes - 1);

    for (size_t block = umsim_space_block(space, p); account && block <= last; block++) {
        const struct account *it = &account[block];
        out->cpu_page_faults += it->cpu_faults;
        out->gpu_fault_groups += it->gpu_fault_groups;
        out->evictions += it->evictions;
        out->read_duplicates += it->duplicates;
        out->read_duplicates_invalidated += it->invalidated;
        out->remote_maps += it->remote_maps;
        out->thrashing += it->thrashing;
        out->throttles += it->throttles;
        for (int cause = 0; cause < UVM_CAUSES; cause++) {
            out->bytes_htod_by_cause[cause] += it->bytes[UVM_HTOD][cause];
            out->bytes_dtoh_by_cause[cause] += it->bytes[UVM_DTOH][cause];
            out->bytes_migrated_htod += it->bytes[UVM_HTOD][cause];
            out->bytes_migrated_dtoh += it->bytes[UVM_DTOH][cause];
        }
    }
}
