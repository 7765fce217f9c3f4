/**
 * @file evict.c
 * @brief Device memory, given out and evicted in chunks of 2 MiB (the driver's uvm_pmm_gpu.c).
 *
 * A block that has any page on a GPU holds one chunk of its memory. When a chunk is needed and none is free,
 * the oldest of the used list is evicted, whole. The list is ordered by when pages of a chunk were last *made
 * resident*. An access to pages that are resident already does not move the chunk, so a hot block that was
 * filled long ago is evicted first.
 */
#include "internal.h"

static struct uvm_device *device_of(const struct uvm_space *space, enum uvm_processor gpu)
{
    return &space->system->device[uvm_device_of(gpu)];
}

static struct uvm_chunk *chunk_of(struct uvm_block *block, enum uvm_processor gpu)
{
    return &block->chunk[uvm_device_of(gpu)];
}

static void unlink_chunk(struct uvm_device *device, struct uvm_block *block, enum uvm_processor gpu)
{
    struct uvm_chunk *chunk = chunk_of(block, gpu);

    *(chunk->older ? &chunk_of(chunk->older, gpu)->newer : &device->oldest) = chunk->newer;
    *(chunk->newer ? &chunk_of(chunk->newer, gpu)->older : &device->newest) = chunk->older;
    chunk->newer = chunk->older = NULL;
}

static void append_chunk(struct uvm_device *device, struct uvm_block *block, enum uvm_processor gpu)
{
    struct uvm_chunk *chunk = chunk_of(block, gpu);

    chunk->newer = NULL;
    chunk->older = device->newest;
    *(device->newest ? &chunk_of(device->newest, gpu)->newer : &device->oldest) = block;
    device->newest = block;
}

/* One event for the chunk, however many runs its pages make. */
static void tell_eviction(const struct uvm_space *space, const struct uvm_block *block,
                          enum uvm_processor gpu, struct uvm_delta *delta, const struct uvm_mask *pages)
{
    struct uvm_event event = {.type = UVM_EVENT_EVICTION,
                              .processor = gpu,
                              .from = gpu,
                              .cause = UVM_CAUSES,
                              .address = uvm_page_address(space, block, uvm_mask_next(pages, 0)),
                              .bytes = uvm_mask_count(*pages) * UVM_PAGE_BYTES};

    if (delta->observer)
        delta->observer(delta->observer_context, &event);
}

/* Sends all of a GPU's pages in its oldest chunk's block to the host. Copies elsewhere end, too. */
static void evict_oldest(struct uvm_device *device, enum uvm_processor gpu, struct uvm_delta *delta)
{
    struct uvm_block *block = device->oldest;
    struct uvm_space *space = block->space;
    struct uvm_mask pages = block->resident[gpu];
    struct uvm_reason reason = {.cause = UVM_CAUSE_EVICTION};

    delta->evictions++;
    tell_eviction(space, block, gpu, delta, &pages);
    uvm_make_resident(space, block, UVM_CPU, pages, &reason, delta);
    uvm_map_accessed_by(space, block, UVM_CPU, UVM_NO_PROCESSOR, pages, delta);
}

void uvm_set_device_memory(struct uvm_system *system, enum uvm_processor gpu, uint64_t chunks,
                           struct uvm_delta *delta)
{
    struct uvm_device *device = &system->device[uvm_device_of(gpu)];

    device->chunks = chunks;
    while (device->chunks_used > chunks)
        evict_oldest(device, gpu, delta);
}

enum uvm_status uvm_chunk_take(struct uvm_space *space, struct uvm_block *block, enum uvm_processor gpu,
                               struct uvm_delta *delta)
{
    struct uvm_device *device = device_of(space, gpu);

    if (chunk_of(block, gpu)->is_held)
        return UVM_OK;
    if (device->chunks == 0)
        return UVM_NO_DEVICE_MEMORY;
    while (device->chunks_used >= device->chunks)
        evict_oldest(device, gpu, delta);
    chunk_of(block, gpu)->is_held = true;
    device->chunks_used++;
    append_chunk(device, block, gpu);
    return UVM_OK;
}

void uvm_chunk_used(struct uvm_space *space, struct uvm_block *block, enum uvm_processor gpu)
{
    struct uvm_device *device = device_of(space, gpu);

    if (!chunk_of(block, gpu)->is_held || device->newest == block)
        return;
    unlink_chunk(device, block, gpu);
    append_chunk(device, block, gpu);
}

void uvm_chunks_drop_if_empty(struct uvm_space *space, struct uvm_block *block)
{
    uvm_for_each_gpu(gpu, space->system)
    {
        if (!chunk_of(block, gpu)->is_held || !uvm_mask_is_empty(block->resident[gpu]))
            continue;
        unlink_chunk(device_of(space, gpu), block, gpu);
        chunk_of(block, gpu)->is_held = false;
        device_of(space, gpu)->chunks_used--;
    }
}
