/**
 * @file service.c
 * @brief What one service of faults does to a block (the driver's uvm_va_block.c:
 * block_select_processor_residency, uvm_va_block_service_locked).
 *
 * Where a faulted page ends up; the first rule that matches holds:
 *   1. ReadMostly: at the faulting processor (a read makes a copy there; a write leaves the only one)
 *   2. the faulting processor is the preferred location: there
 *   3. the page is pinned because it thrashes: where it is pinned
 *   4. resident nowhere: at the preferred location if the faulting processor can reach it, else at the
 *      faulting processor
 *   5. AccessedBy and reachable: it stays, and is mapped
 *   6. not resident at the faulting processor, which can reach the preferred location: at the preferred
 *      location
 *   7. otherwise: at the faulting processor
 *
 * The CPU cannot reach device memory, so what the CPU touches comes to the host.
 */
#include "internal.h"

struct uvm_mask uvm_destined_for_cpu(const struct uvm_block *block, enum uvm_processor processor,
                                     struct uvm_mask faulted, const struct uvm_mask pinned[UVM_PROCESSORS])
{
    if (processor == UVM_CPU)
        return faulted;
    struct uvm_mask stays = uvm_mask_and(block->accessed_by[UVM_GPU], block->resident[UVM_CPU]); /* 5 */
    struct uvm_mask here = uvm_mask_or(block->preferred[UVM_CPU], stays);                        /* 4, 5, 6 */
    struct uvm_mask not_here = uvm_mask_or(block->read_mostly, block->preferred[UVM_GPU]);       /* 1, 2 */
    struct uvm_mask there = uvm_mask_or(not_here, block->resident[UVM_GPU]);                     /* 7 */
    if (pinned) {                                                                                /* 3 */
        here = uvm_mask_or(here, pinned[UVM_CPU]);
        there = uvm_mask_or(uvm_mask_minus(there, pinned[UVM_CPU]), uvm_mask_or(not_here, pinned[UVM_GPU]));
    }
    return uvm_mask_minus(uvm_mask_and(faulted, here), there);
}

/* Brings `pages` (faulted and prefetched) to `residency`, and maps them for `processor`. */
static enum uvm_status service_to(struct uvm_space *space, struct uvm_block *block,
                                  enum uvm_processor residency, enum uvm_processor processor,
                                  struct uvm_mask pages, struct uvm_mask written,
                                  const struct uvm_reason *reason, struct uvm_delta *delta)
{
    struct uvm_mask shared = uvm_mask_minus(uvm_mask_and(pages, block->read_mostly), written);
    struct uvm_mask exclusive = uvm_mask_minus(pages, shared);
    struct uvm_mask before = block->resident[residency];
    enum uvm_status status = uvm_make_duplicate(space, block, residency, shared, reason, delta);

    if (status == UVM_OK)
        status = uvm_make_resident(space, block, residency, exclusive, reason, delta);
    if (status != UVM_OK)
        return status;
    /* A read is given write permission, too, where nobody loses anything by that; but not where duplicates
     * are wanted. */
    struct uvm_mask mapped = uvm_map(space, block, processor, shared, false, delta);
    mapped = uvm_mask_or(mapped, uvm_map(space, block, processor, exclusive, true, delta));
    delta->pages_mapped[processor] += uvm_mask_count(uvm_mask_and(mapped, before));
    uvm_map_accessed_by(space, block, residency, processor, exclusive, delta);
    return UVM_OK;
}

/* Pages pinned on the host are mapped at once for a GPU that fights over them. */
static void map_pinned(struct uvm_space *space, struct uvm_block *block, const struct uvm_mask *pinned,
                       struct uvm_delta *delta)
{
    struct uvm_mask pages = uvm_mask_and(*pinned, block->resident[UVM_CPU]);

    if (uvm_mask_is_empty(pages))
        return;
    pages = uvm_mask_minus(pages, uvm_mask_or(block->read_mostly, block->resident[UVM_GPU]));
    uvm_map(space, block, UVM_GPU, uvm_thrash_pinned_by_gpu(space, block, pages), true, delta);
}

static uint64_t pages_moved(const struct uvm_delta *delta)
{
    return (uvm_delta_bytes(delta, UVM_HTOD) + uvm_delta_bytes(delta, UVM_DTOH)) / UVM_PAGE_BYTES;
}

/* One service of faults, none of which has to wait. */
static enum uvm_status service_now(struct uvm_space *space, struct uvm_block *block, struct uvm_region region,
                                   enum uvm_processor processor, struct uvm_mask faulted,
                                   struct uvm_mask written, const struct uvm_mask pinned[UVM_PROCESSORS],
                                   struct uvm_delta *delta)
{
    struct uvm_mask to[UVM_PROCESSORS];
    enum uvm_status status = UVM_OK;
    const uint64_t moved = pages_moved(delta);

    to[UVM_CPU] = uvm_destined_for_cpu(block, processor, faulted, pinned);
    to[UVM_GPU] = uvm_mask_minus(faulted, to[UVM_CPU]);
    /* The driver prefetches only when all faulted pages of the block go the same way. */
    bool both = !uvm_mask_is_empty(to[UVM_CPU]) && !uvm_mask_is_empty(to[UVM_GPU]);
    for (int residency = 0; residency < UVM_PROCESSORS && status == UVM_OK; residency++) {
        struct uvm_reason reason = {.cause = UVM_CAUSE_COHERENCE};
        if (uvm_mask_is_empty(to[residency]))
            continue;
        if (!both)
            reason.prefetched =
                uvm_tree_prefetch(block, region, (enum uvm_processor)residency, to[residency]);
        status = service_to(space, block, (enum uvm_processor)residency, processor,
                            uvm_mask_or(to[residency], reason.prefetched), written, &reason, delta);
    }
    map_pinned(space, block, &pinned[UVM_CPU], delta);
    if (delta->now_ns)
        delta->now_ns += delta->pace.service_ns + (pages_moved(delta) - moved) * delta->pace.page_ns;
    return status;
}

/* The faults of a throttled processor wait. A GPU's faults are refused again and again, and each time that is
 * a group of faults. */
static void wait_until(const struct uvm_space *space, const struct uvm_block *block,
                       enum uvm_processor processor, const struct uvm_thrash_hints *hints,
                       struct uvm_delta *delta)
{
    const uint64_t left = hints->wake_ns > delta->now_ns ? hints->wake_ns - delta->now_ns : 1;
    const uint64_t nap = uvm_thrash_nap(processor, left);
    const uint64_t refused = processor == UVM_GPU ? nap / UVM_THROTTLED_REFAULT_NS : 0;
    struct uvm_event event = {.type = UVM_EVENT_GPU_FAULT,
                              .processor = UVM_GPU,
                              .cause = UVM_CAUSES,
                              .groups = 1,
                              .address = uvm_page_address(space, block, uvm_mask_next(&hints->throttled, 0)),
                              .bytes = uvm_mask_count(hints->throttled) * UVM_PAGE_BYTES};

    delta->throttled_ns[processor] += nap;
    delta->gpu_fault_groups += refused;
    delta->gpu_fault_batches += refused;
    delta->throttled_groups += refused;
    delta->now_ns += nap;
    for (uint64_t i = 0; i < refused && delta->observer; i++)
        delta->observer(delta->observer_context, &event);
}

enum uvm_status uvm_service(struct uvm_space *space, struct uvm_block *block, struct uvm_region region,
                            enum uvm_processor processor, struct uvm_mask faulted, struct uvm_mask written,
                            struct uvm_delta *delta)
{
    enum uvm_status status = UVM_OK;

    while (status == UVM_OK && !uvm_mask_is_empty(faulted)) {
        struct uvm_thrash_hints hints = uvm_thrash_ask(space, block, processor, faulted, delta);
        struct uvm_mask now = uvm_mask_minus(faulted, hints.throttled);
        if (!uvm_mask_is_empty(now))
            status = service_now(space, block, region, processor, now, uvm_mask_and(written, now),
                                 hints.pinned, delta);
        else
            wait_until(space, block, processor, &hints, delta);
        faulted = hints.throttled;
    }
    return status;
}
