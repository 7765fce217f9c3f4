/**
 * @file account.c
 * @brief Implementation of account.h: counts are kept for each VA block, and added up for an allocation on
 * demand.
 */
#include "account.h"
#include "protection.h"
#include "registry.h"
#include "../base/memory.h"
#include "../record/trace.h"
#include "views.h"
#include "../base/layout.h"

#include <string.h>

/* One VA block's counts: the policy's events, added up. */
struct account {
    uint64_t cpu_faults, gpu_fault_groups, evictions, duplicates, invalidated, remote_maps, thrashing,
        throttles;
    uint64_t bytes[UVM_DIRECTIONS][UVM_CAUSES];
};

static struct account *accounts[UMSIM_SPACES_MAX];

static unsigned index_of(const struct umsim_managed_space *space)
{
    return (unsigned)(space - umsim_views->space);
}

static size_t bytes_of(const struct umsim_managed_space *space)
{
    return (space->bytes + UMSIM_VA_BLOCK - 1) / UMSIM_VA_BLOCK * sizeof *accounts[0];
}

void umsim_account_begin(const struct umsim_managed_space *space, uintptr_t address, size_t bytes)
{
    const unsigned index = index_of(space);
    const size_t first = umsim_space_block(space, (const void *)address);
    const size_t last = umsim_space_block(space, (const void *)(address + bytes - 1));

    if (!accounts[index])
        accounts[index] = umsim_shared_memory(bytes_of(space));
    for (size_t block = first; block <= last; block++)
        if (memcmp(&accounts[index][block], &(struct account){0}, sizeof(struct account)) != 0)
            accounts[index][block] = (struct account){0};
}

void umsim_account_end(const struct umsim_managed_space *space)
{
    umsim_unmap_own(accounts[index_of(space)], bytes_of(space));
    accounts[index_of(space)] = NULL;
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
        account->bytes[uvm_direction_of(event->from, event->processor)][event->cause] += event->bytes;
        break;
    case UVM_EVENT_READ_DUPLICATE:
        account->duplicates += pages;
        break;
    case UVM_EVENT_READ_DUPLICATE_INVALIDATE:
        account->invalidated += pages;
        break;
    case UVM_EVENT_MAP_REMOTE:
        account->remote_maps += uvm_is_gpu(event->processor) ? pages : 0;
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
    (void)unused;
    if (umsim_tracing())
        umsim_account_trace(event);
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
            out->bytes_dtod_by_cause[cause] += it->bytes[UVM_DTOD][cause];
            out->bytes_migrated_htod += it->bytes[UVM_HTOD][cause];
            out->bytes_migrated_dtoh += it->bytes[UVM_DTOH][cause];
            out->bytes_migrated_dtod += it->bytes[UVM_DTOD][cause];
        }
    }
}

void umsim_account_trace(const struct uvm_event *event)
{
    const struct umsim_alloc *allocation = umsim_registry_overlap((const void *)event->address, event->bytes);
    umsim_trace_paging(allocation ? allocation->base : NULL, event);
}

void umsim_account_populated(enum uvm_processor processor, uintptr_t address, size_t bytes)
{
    const struct uvm_event event = {.type = UVM_EVENT_POPULATE,
                                    .processor = processor,
                                    .from = UVM_NO_PROCESSOR,
                                    .cause = UVM_CAUSES,
                                    .address = address,
                                    .bytes = bytes};
    if (umsim_tracing())
        umsim_account_trace(&event);
}
