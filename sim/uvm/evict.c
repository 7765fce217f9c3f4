/**
 * @file evict.c
 * @brief Device memory, given out and evicted in chunks of 2 MiB (the driver's uvm_pmm_gpu.c).
 *
 * A block that has any page on the device holds one chunk. When a chunk is needed and none is free, the
 * oldest of the used list is evicted, whole. The list is ordered by when pages of a chunk were last *made
 * resident*. An access to pages that are resident already does not move the chunk, so a hot block that was
 * filled long ago is evicted first.
 */
#include "internal.h"

void uvm_device_init(struct uvm_device *device, uint64_t chunks)
{
    *device = (struct uvm_device){.chunks = chunks, .distinct_pages_per_batch = UVM_DISTINCT_PAGES_PER_BATCH};
}

static void unlink_chunk(struct uvm_device *device, struct uvm_block *block)
{
    *(block->older ? &block->older->newer : &device->oldest) = block->newer;
    *(block->newer ? &block->newer->older : &device->newest) = block->older;
    block->newer = block->older = NULL;
}

static void append_chunk(struct uvm_device *device, struct uvm_block *block)
{
    block->newer = NULL;
    block->older = device->newest;
    *(device->newest ? &device->newest->newer : &device->oldest) = block;
    device->newest = block;
}

/* One event for the chunk, however many runs its pages make. */
static void tell_eviction(const struct uvm_space *space, const struct uvm_block *block,
                          struct uvm_delta *delta, const struct uvm_mask *pages)
{
    struct uvm_event event = {.type = UVM_EVENT_EVICTION,
                              .processor = UVM_GPU,
                              .cause = UVM_CAUSES,
                              .address = uvm_page_address(space, block, uvm_mask_next(pages, 0)),
                              .bytes = uvm_mask_count(*pages) * UVM_PAGE_BYTES};

    if (delta->observer)
        delta->observer(delta->observer_context, &event);
}

/* Sends all device pages of the oldest chunk's block to the host. */
static void evict_oldest(struct uvm_device *device, struct uvm_delta *delta)
{
    struct uvm_block *block = device->oldest;
    struct uvm_space *space = block->space;
    struct uvm_mask pages = block->resident[UVM_GPU];
    struct uvm_reason reason = {.cause = UVM_CAUSE_EVICTION};

    delta->evictions++;
    tell_eviction(space, block, delta, &pages);
    uvm_make_resident(space, block, UVM_CPU, pages, &reason, delta);
    uvm_map_accessed_by(space, block, UVM_CPU, UVM_NO_PROCESSOR, pages, delta);
}

void uvm_set_device_memory(struct uvm_device *device, uint64_t chunks, struct uvm_delta *delta)
{
    device->chunks = chunks;
    while (device->chunks_used > chunks)
        evict_oldest(device, delta);
}

enum uvm_status uvm_chunk_take(struct uvm_space *space, struct uvm_block *block, struct uvm_delta *delta)
{
    struct uvm_device *device = space->device;

    if (block->has_chunk)
        return UVM_OK;
    if (device->chunks == 0)
        return UVM_NO_DEVICE_MEMORY;
    while (device->chunks_used >= device->chunks)
        evict_oldest(device, delta);
    block->has_chunk = true;
    device->chunks_used++;
    append_chunk(device, block);
    return UVM_OK;
}

void uvm_chunk_used(struct uvm_space *space, struct uvm_block *block)
{
    if (!block->has_chunk || space->device->newest == block)
        return;
    unlink_chunk(space->device, block);
    append_chunk(space->device, block);
}

void uvm_chunk_drop_if_empty(struct uvm_space *space, struct uvm_block *block)
{
    if (!block->has_chunk || !uvm_mask_is_empty(block->resident[UVM_GPU]))
        return;
    unlink_chunk(space->device, block);
    block->has_chunk = false;
    space->device->chunks_used--;
}
