/**
 * @file prefetch.c
 * @brief cudaMemPrefetchAsync: moves the pages of a range on request (the driver's uvm_migrate.c).
 */
#include "internal.h"

/* Maps pages that are at the destination and not mapped there: to write, too, unless there are other copies.
 */
static void map_at(struct uvm_space *space, struct uvm_block *block, enum uvm_processor destination,
                   struct uvm_mask pages, struct uvm_mask before, struct uvm_delta *delta)
{
    struct uvm_mask unmapped = uvm_mask_minus(pages, block->readable[destination]);
    struct uvm_mask copies = uvm_mask_and(unmapped, uvm_duplicated(space, block));
    struct uvm_mask mapped = uvm_map(space, block, destination, copies, false, delta);

    mapped = uvm_mask_or(mapped,
                         uvm_map(space, block, destination, uvm_mask_minus(unmapped, copies), true, delta));
    delta->pages_mapped[destination] += uvm_mask_count(uvm_mask_and(mapped, before));
}

enum uvm_status uvm_prefetch(struct uvm_space *space, uintptr_t address, size_t bytes,
                             enum uvm_processor destination, struct uvm_delta *delta)
{
    struct uvm_reason reason = {.cause = UVM_CAUSE_USER};
    struct uvm_walk walk;

    if (!uvm_all_valid(space, address, bytes) || !uvm_walk_start(&walk, space, address, bytes))
        return UVM_INVALID_ADDRESS;
    while (uvm_walk_next(&walk)) {
        struct uvm_block *block = walk.block;
        struct uvm_mask pages = uvm_mask_of(walk.region), before = block->resident[destination];
        struct uvm_mask shared = uvm_mask_and(pages, block->read_mostly);
        struct uvm_mask exclusive = uvm_mask_minus(pages, shared);
        enum uvm_status status = uvm_make_duplicate(space, block, destination, shared, &reason, delta);

        if (status == UVM_OK)
            status = uvm_make_resident(space, block, destination, exclusive, &reason, delta);
        if (status != UVM_OK)
            return status;
        map_at(space, block, destination, pages, before, delta);
        uvm_map_accessed_by(space, block, destination, destination, exclusive, delta);
        uvm_for_each_processor(processor, space->system) block->prefetched_to[processor] =
            uvm_mask_minus(block->prefetched_to[processor], pages);
        block->prefetched_to[destination] = uvm_mask_or(block->prefetched_to[destination], pages);
    }
    return UVM_OK;
}
