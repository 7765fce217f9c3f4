/**
 * @file residency.c
 * @brief Moves and duplicates the pages of one block, and maps them (the driver's uvm_va_block.c:
 * make_resident, make_resident_read_duplicate, map).
 *
 * A page that moves is unmapped everywhere first; the caller decides for whom it is mapped again. It comes
 * from the closest processor that has it; from a GPU that the destination does not reach, by the host's
 * memory. A transfer is a run of contiguous pages that move for the same cause: one touched byte brings 4 KiB
 * (Coherence) and 60 KiB (Prefetch), in two transfers, as CUPTI shows them.
 */
#include "internal.h"

/* Counts `pages` as moved from `source` to `destination` for `cause`. */
static void count_transfer(const struct uvm_space *space, const struct uvm_block *block,
                           enum uvm_processor source, enum uvm_processor destination, struct uvm_mask pages,
                           enum uvm_cause cause, struct uvm_delta *delta)
{
    const enum uvm_direction direction = uvm_direction_of(source, destination);

    uvm_for_each_run(run, &pages)
    {
        struct uvm_event event = {.type = UVM_EVENT_MIGRATION,
                                  .processor = destination,
                                  .from = source,
                                  .cause = cause,
                                  .address = uvm_page_address(space, block, run.first),
                                  .bytes = uvm_region_pages(run) * UVM_PAGE_BYTES};
        delta->bytes[direction][cause] += event.bytes;
        delta->transfers[direction][cause]++;
        if (delta->observer)
            delta->observer(delta->observer_context, &event);
    }
}

/* The driver allocates host memory in the largest piece that a block holds, so the first page of a block pays
 * for all. It clears this memory, unless data from a GPU is going to fill it (uvm_va_block.c,
 * block_populate_pages_cpu). The memory stays when the pages leave. */
static void take_host_memory(struct uvm_space *space, struct uvm_block *block, struct uvm_delta *delta)
{
    struct uvm_mask filled = uvm_mask_none();

    if (block->has_host_memory)
        return;
    block->has_host_memory = true;
    unsigned pages = uvm_mask_count(block->valid);
    space->system->host_pages += pages;
    uvm_for_each_gpu(gpu, space->system) filled = uvm_mask_or(filled, block->resident[gpu]);
    if (!uvm_mask_is_empty(uvm_mask_minus(block->valid, filled)))
        delta->host_pages_cleared += pages;
}

static void copy_between(struct uvm_space *space, struct uvm_block *block, enum uvm_processor source,
                         enum uvm_processor destination, struct uvm_mask pages,
                         const struct uvm_reason *reason, struct uvm_delta *delta)
{
    count_transfer(space, block, source, destination, uvm_mask_minus(pages, reason->prefetched),
                   reason->cause, delta);
    count_transfer(space, block, source, destination, uvm_mask_and(pages, reason->prefetched),
                   UVM_CAUSE_PREFETCH, delta);
}

/* What bring() has done. */
struct brought {
    struct uvm_mask from[UVM_PROCESSORS]; /* the pages that were copied, by their source */
    struct uvm_mask copied, staged;       /* all of them; those that went by the host's memory */
};

/* Takes memory for `pages`, which are not on `destination`, and copies those that are anywhere. The caller
 * updates residency. */
static enum uvm_status bring(struct uvm_space *space, struct uvm_block *block, enum uvm_processor destination,
                             struct uvm_mask pages, const struct uvm_reason *reason, struct brought *brought,
                             struct uvm_delta *delta)
{
    const struct uvm_system *system = space->system;
    struct uvm_mask left = pages;

    brought->copied = brought->staged = uvm_mask_none();
    if (uvm_mask_is_empty(pages))
        return UVM_OK;
    if (uvm_is_gpu(destination)) {
        enum uvm_status status = uvm_chunk_take(space, block, destination, delta);
        if (status != UVM_OK)
            return status;
    } else {
        take_host_memory(space, block, delta);
    }
    for (unsigned i = 1; i < system->processors; i++) {
        const enum uvm_processor source = uvm_closest(system, destination, i);
        const struct uvm_mask copied = uvm_mask_take(&left, block->resident[source]);
        const bool is_staged = uvm_is_gpu(destination) && !uvm_reaches(system, destination, source);

        brought->from[source] = copied;
        if (uvm_mask_is_empty(copied))
            continue;
        brought->copied = uvm_mask_or(brought->copied, copied);
        if (is_staged) {
            brought->staged = uvm_mask_or(brought->staged, copied);
            take_host_memory(space, block, delta);
            copy_between(space, block, source, UVM_CPU, copied, reason, delta);
        }
        copy_between(space, block, is_staged ? UVM_CPU : source, destination, copied, reason, delta);
    }
    delta->pages_populated[destination] += uvm_mask_count(left);
    uvm_tell(space, block, delta, UVM_EVENT_POPULATE, destination, UVM_NO_PROCESSOR, left);
    return UVM_OK;
}

/* `pages` are on `destination` now, and go everywhere else. Copies that nothing was taken of are dropped. */
static void leave_others(struct uvm_space *space, struct uvm_block *block, enum uvm_processor destination,
                         struct uvm_mask pages, const struct brought *brought, struct uvm_delta *delta)
{
    uvm_for_each_processor(other, space->system)
    {
        if (other == destination)
            continue;
        struct uvm_mask dropped = uvm_mask_and(pages, block->resident[other]);
        struct uvm_mask taken = uvm_mask_none();
        if (!uvm_mask_is_empty(brought->copied))
            taken = uvm_mask_and(dropped, brought->from[other]);
        dropped = uvm_mask_minus(dropped, taken);
        delta->pages_invalidated += uvm_mask_count(dropped);
        if (uvm_is_gpu(other) && uvm_is_gpu(destination)) {
            delta->pages_taken_from_peers += uvm_mask_count(taken);
            delta->copies_dropped_at_peers += uvm_mask_count(dropped);
        }
        uvm_tell(space, block, delta, UVM_EVENT_READ_DUPLICATE_INVALIDATE, other, UVM_NO_PROCESSOR, dropped);
        block->resident[other] = uvm_mask_minus(block->resident[other], pages);
    }
}

enum uvm_status uvm_make_resident(struct uvm_space *space, struct uvm_block *block,
                                  enum uvm_processor destination, struct uvm_mask pages,
                                  const struct uvm_reason *reason, struct uvm_delta *delta)
{
    struct uvm_mask arriving = uvm_mask_minus(pages, block->resident[destination]);
    struct uvm_mask unmapped = uvm_mask_or(arriving, uvm_mask_and(pages, uvm_duplicated(space, block)));
    struct brought brought;
    enum uvm_status status = bring(space, block, destination, arriving, reason, &brought, delta);

    if (status != UVM_OK)
        return status;
    uvm_thrash_moved(space, block, destination, brought.copied, reason->cause, delta);
    uvm_for_each_processor(processor, space->system)
        uvm_revoke(space, block, processor, processor == destination ? arriving : unmapped);
    leave_others(space, block, destination, pages, &brought, delta);
    block->resident[destination] = uvm_mask_or(block->resident[destination], arriving);
    uvm_chunks_drop_if_empty(space, block);
    if (uvm_is_gpu(destination) && !uvm_mask_is_empty(pages))
        uvm_chunk_used(space, block, destination);
    return UVM_OK;
}

/* For pages that become duplicated, only the holder of the one copy keeps its mapping, and only to read. */
static void enter_duplication(struct uvm_space *space, struct uvm_block *block, struct uvm_mask pages)
{
    pages = uvm_mask_minus(pages, uvm_duplicated(space, block));
    uvm_for_each_processor(processor, space->system)
    {
        struct uvm_mask own = uvm_mask_and(pages, block->resident[processor]);
        uvm_revoke_write(space, block, processor, own);
        uvm_revoke(space, block, processor,
                   uvm_mask_minus(uvm_mask_and(pages, uvm_resident(space, block)), own));
    }
}

enum uvm_status uvm_make_duplicate(struct uvm_space *space, struct uvm_block *block,
                                   enum uvm_processor destination, struct uvm_mask pages,
                                   const struct uvm_reason *reason, struct uvm_delta *delta)
{
    struct uvm_mask arriving = uvm_mask_minus(pages, block->resident[destination]);
    struct brought brought;
    enum uvm_status status = bring(space, block, destination, arriving, reason, &brought, delta);

    if (status != UVM_OK || uvm_mask_is_empty(pages))
        return status;
    enter_duplication(space, block, pages);
    uvm_thrash_forget(space, block, brought.copied);
    /* what went by the host's memory has a copy there, too */
    delta->pages_duplicated += uvm_mask_count(brought.staged) + uvm_mask_count(brought.copied);
    uvm_tell(space, block, delta, UVM_EVENT_READ_DUPLICATE, UVM_CPU, UVM_NO_PROCESSOR, brought.staged);
    uvm_tell(space, block, delta, UVM_EVENT_READ_DUPLICATE, destination, UVM_NO_PROCESSOR, brought.copied);
    block->resident[UVM_CPU] = uvm_mask_or(block->resident[UVM_CPU], brought.staged);
    block->resident[destination] = uvm_mask_or(block->resident[destination], arriving);
    if (uvm_is_gpu(destination))
        uvm_chunk_used(space, block, destination);
    return UVM_OK;
}

/* Counts `pages`, which `processor` has mapped elsewhere, by where they are. */
static void count_remote(const struct uvm_space *space, const struct uvm_block *block,
                         enum uvm_processor processor, struct uvm_mask pages, struct uvm_delta *delta)
{
    delta->pages_mapped_remotely[processor] += uvm_mask_count(pages);
    for (unsigned i = 1; i < space->system->processors && !uvm_mask_is_empty(pages); i++) {
        const enum uvm_processor where = uvm_closest(space->system, processor, i);
        const struct uvm_mask there = uvm_mask_take(&pages, block->resident[where]);
        if (uvm_is_gpu(where))
            delta->pages_mapped_at_peers[processor] += uvm_mask_count(there);
        uvm_tell(space, block, delta, UVM_EVENT_MAP_REMOTE, processor, where, there);
    }
}

struct uvm_mask uvm_map(struct uvm_space *space, struct uvm_block *block, enum uvm_processor processor,
                        struct uvm_mask pages, bool writable, struct uvm_delta *delta)
{
    struct uvm_mask unread = uvm_mask_minus(pages, block->readable[processor]);
    struct uvm_mask changed = writable ? uvm_mask_minus(pages, block->writable[processor]) : unread;

    block->readable[processor] = uvm_mask_or(block->readable[processor], pages);
    if (writable)
        block->writable[processor] = uvm_mask_or(block->writable[processor], pages);
    count_remote(space, block, processor, uvm_mask_minus(unread, block->resident[processor]), delta);
    return changed;
}

void uvm_map_accessed_by(struct uvm_space *space, struct uvm_block *block, enum uvm_processor residency,
                         enum uvm_processor processor, struct uvm_mask pages, struct uvm_delta *delta)
{
    pages = uvm_mask_minus(pages, block->read_mostly);
    uvm_for_each_gpu(gpu, space->system)
    {
        if (gpu == processor || !uvm_reaches(space->system, gpu, residency))
            continue;
        struct uvm_mask mapped = uvm_mask_and(pages, block->accessed_by[gpu]);
        /* a page whose preferred location it is should fault, and go there */
        if (gpu != residency)
            mapped = uvm_mask_minus(mapped, block->preferred[gpu]);
        uvm_map(space, block, gpu, mapped, true, delta);
    }
}
