/**
 * @file residency.c
 * @brief Moves and duplicates the pages of one block, and maps them (the driver's uvm_va_block.c:
 * make_resident, make_resident_read_duplicate, map).
 *
 * A page that moves is unmapped everywhere first; the caller decides for whom it is mapped again. A transfer
 * is a run of contiguous pages that move for the same cause: one touched byte brings 4 KiB (Coherence) and 60
 * KiB (Prefetch), in two transfers, as CUPTI shows them.
 */
#include "internal.h"

/* Counts `pages` as moved to `destination` for `cause`. */
static void count_transfer(const struct uvm_space *space, const struct uvm_block *block,
                           enum uvm_processor destination, struct uvm_mask pages, enum uvm_cause cause,
                           struct uvm_delta *delta)
{
    enum uvm_direction direction = destination == UVM_GPU ? UVM_HTOD : UVM_DTOH;

    uvm_for_each_run(run, &pages)
    {
        struct uvm_event event = {.type = UVM_EVENT_MIGRATION,
                                  .processor = destination,
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
 * for all. It clears this memory, unless data from the GPU is going to fill it (uvm_va_block.c,
 * block_populate_pages_cpu). The memory stays when the pages leave. */
static void take_host_memory(struct uvm_space *space, struct uvm_block *block, struct uvm_delta *delta)
{
    if (block->has_host_memory)
        return;
    block->has_host_memory = true;
    unsigned pages = uvm_mask_count(block->valid);
    space->device->host_pages += pages;
    if (!uvm_mask_is_empty(uvm_mask_minus(block->valid, block->resident[UVM_GPU])))
        delta->host_pages_cleared += pages;
}

/* Takes memory for `pages` on `destination`, and copies those that are on the other side. The caller updates
 * residency. */
static enum uvm_status bring(struct uvm_space *space, struct uvm_block *block, enum uvm_processor destination,
                             struct uvm_mask pages, const struct uvm_reason *reason, struct uvm_delta *delta)
{
    struct uvm_mask copied = uvm_mask_and(pages, block->resident[uvm_other(destination)]);
    struct uvm_mask populated = uvm_mask_minus(pages, copied);

    if (destination == UVM_GPU && !uvm_mask_is_empty(pages)) {
        enum uvm_status status = uvm_chunk_take(space, block, delta);
        if (status != UVM_OK)
            return status;
    }
    if (destination == UVM_CPU && !uvm_mask_is_empty(pages))
        take_host_memory(space, block, delta);
    count_transfer(space, block, destination, uvm_mask_minus(copied, reason->prefetched), reason->cause,
                   delta);
    count_transfer(space, block, destination, uvm_mask_and(copied, reason->prefetched), UVM_CAUSE_PREFETCH,
                   delta);
    delta->pages_populated[destination] += uvm_mask_count(populated);
    uvm_tell(space, block, delta, UVM_EVENT_POPULATE, destination, populated);
    return UVM_OK;
}

enum uvm_status uvm_make_resident(struct uvm_space *space, struct uvm_block *block,
                                  enum uvm_processor destination, struct uvm_mask pages,
                                  const struct uvm_reason *reason, struct uvm_delta *delta)
{
    enum uvm_processor other = uvm_other(destination);
    struct uvm_mask arriving = uvm_mask_minus(pages, block->resident[destination]);
    struct uvm_mask moved = uvm_mask_and(arriving, block->resident[other]);
    struct uvm_mask duplicates =
        uvm_mask_and(pages, uvm_mask_and(block->resident[destination], block->resident[other]));
    enum uvm_status status = bring(space, block, destination, arriving, reason, delta);

    if (status != UVM_OK)
        return status;
    uvm_thrash_moved(space, block, destination, moved, reason->cause, delta);
    uvm_revoke(space, block, destination, arriving);
    uvm_revoke(space, block, other, uvm_mask_or(arriving, duplicates));
    delta->pages_invalidated += uvm_mask_count(duplicates);
    uvm_tell(space, block, delta, UVM_EVENT_READ_DUPLICATE_INVALIDATE, other, duplicates);
    block->resident[destination] = uvm_mask_or(block->resident[destination], arriving);
    block->resident[other] = uvm_mask_minus(block->resident[other], pages);
    if (destination == UVM_CPU)
        uvm_chunk_drop_if_empty(space, block);
    else if (!uvm_mask_is_empty(pages))
        uvm_chunk_used(space, block);
    return UVM_OK;
}

enum uvm_status uvm_make_duplicate(struct uvm_space *space, struct uvm_block *block,
                                   enum uvm_processor destination, struct uvm_mask pages,
                                   const struct uvm_reason *reason, struct uvm_delta *delta)
{
    enum uvm_processor other = uvm_other(destination);
    struct uvm_mask arriving = uvm_mask_minus(pages, block->resident[destination]);
    struct uvm_mask copied = uvm_mask_and(arriving, block->resident[other]);
    struct uvm_mask both = uvm_mask_and(block->resident[UVM_CPU], block->resident[UVM_GPU]);
    enum uvm_status status = bring(space, block, destination, arriving, reason, delta);

    if (status != UVM_OK)
        return status;
    /* For pages that become duplicated, only the holder of the one copy keeps its mapping, and only to read.
     */
    for (int holder = 0; holder < UVM_PROCESSORS; holder++) {
        struct uvm_mask entering = uvm_mask_minus(uvm_mask_and(pages, block->resident[holder]), both);
        uvm_revoke_write(space, block, (enum uvm_processor)holder, entering);
        uvm_revoke(space, block, uvm_other((enum uvm_processor)holder), entering);
    }
    uvm_thrash_forget(space, block, copied);
    delta->pages_duplicated += uvm_mask_count(copied);
    uvm_tell(space, block, delta, UVM_EVENT_READ_DUPLICATE, destination, copied);
    block->resident[destination] = uvm_mask_or(block->resident[destination], arriving);
    if (destination == UVM_GPU && !uvm_mask_is_empty(pages))
        uvm_chunk_used(space, block);
    return UVM_OK;
}

struct uvm_mask uvm_map(struct uvm_space *space, struct uvm_block *block, enum uvm_processor processor,
                        struct uvm_mask pages, bool writable, struct uvm_delta *delta)
{
    struct uvm_mask unread = uvm_mask_minus(pages, block->readable[processor]);
    struct uvm_mask changed = writable ? uvm_mask_minus(pages, block->writable[processor]) : unread;
    struct uvm_mask remote = uvm_mask_minus(unread, block->resident[processor]);

    block->readable[processor] = uvm_mask_or(block->readable[processor], pages);
    if (writable)
        block->writable[processor] = uvm_mask_or(block->writable[processor], pages);
    delta->pages_mapped_remotely[processor] += uvm_mask_count(remote);
    uvm_tell(space, block, delta, UVM_EVENT_MAP_REMOTE, processor, remote);
    return changed;
}

void uvm_map_accessed_by(struct uvm_space *space, struct uvm_block *block, enum uvm_processor residency,
                         enum uvm_processor processor, struct uvm_mask pages, struct uvm_delta *delta)
{
    /* Only the GPU can map the other's memory. A page whose preferred location is the GPU should fault, and
     * go there. */
    if (residency != UVM_CPU || processor == UVM_GPU)
        return;
    pages = uvm_mask_and(pages, block->accessed_by[UVM_GPU]);
    pages = uvm_mask_minus(pages, uvm_mask_or(block->read_mostly, block->preferred[UVM_GPU]));
    uvm_map(space, block, UVM_GPU, pages, true, delta);
}
