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
 * The CPU cannot reach device memory, so what the CPU touches comes to the host. Of several processors that
 * have a page, the closest counts; with neither of these rules does a page leave one GPU's memory for
 * another's but by the last one, or by the sixth.
 */
#include "internal.h"

static void add(struct uvm_mask *pages, struct uvm_mask some)
{
    *pages = uvm_mask_or(*pages, some);
}

/* Rules 4 to 6: what stays or goes where the faulting processor reaches it. */
static void destine_by_reach(const struct uvm_space *space, const struct uvm_block *block,
                             enum uvm_processor processor, struct uvm_mask *left,
                             struct uvm_mask to[UVM_PROCESSORS])
{
    const struct uvm_system *system = space->system;

    if (system->reach[processor] == uvm_bit(processor))
        return; /* nothing but its own */
    struct uvm_mask nowhere = uvm_mask_minus(*left, uvm_resident(space, block));
    struct uvm_mask away = uvm_mask_minus(uvm_mask_minus(*left, nowhere), block->resident[processor]);
    struct uvm_mask stays = uvm_mask_and(away, block->accessed_by[processor]);

    for (unsigned i = 1; i < system->processors; i++) {
        const enum uvm_processor where = uvm_closest(system, processor, i);
        if (!uvm_reaches(system, processor, where))
            break; /* nor those that follow */
        add(&to[where], uvm_mask_take(left, uvm_mask_and(nowhere, block->preferred[where])));
        add(&to[where], uvm_mask_take(left, uvm_mask_and(stays, block->resident[where])));
    }
    away = uvm_mask_and(away, *left);
    for (unsigned i = 1; i < system->processors; i++) {
        const enum uvm_processor where = uvm_closest(system, processor, i);
        if (!uvm_reaches(system, processor, where))
            break;
        add(&to[where], uvm_mask_take(left, uvm_mask_and(away, block->preferred[where])));
    }
}

void uvm_destined(const struct uvm_space *space, const struct uvm_block *block, enum uvm_processor processor,
                  struct uvm_mask faulted, const struct uvm_mask pinned[UVM_PROCESSORS],
                  struct uvm_mask to[UVM_PROCESSORS])
{
    struct uvm_mask left = faulted;
    const struct uvm_mask own = uvm_mask_or(block->read_mostly, block->preferred[processor]); /* 1, 2 */

    uvm_for_each_processor(where, space->system) to[where] = uvm_mask_none();
    to[processor] = uvm_mask_take(&left, own);
    uvm_for_each_processor(where, space->system) if (pinned) /* 3 */
        add(&to[where], uvm_mask_take(&left, pinned[where]));
    destine_by_reach(space, block, processor, &left, to);
    add(&to[processor], left); /* 7 */
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
    const unsigned there = uvm_mask_count(uvm_mask_and(mapped, before));
    delta->pages_mapped[processor] += there;
    if (residency == processor)
        delta->pages_mapped_at_home[processor] += there;
    uvm_map_accessed_by(space, block, residency, processor, exclusive, delta);
    return UVM_OK;
}

/* Pages that are pinned are mapped at once for the GPUs that fight over them and reach them there. */
static void map_pinned(struct uvm_space *space, struct uvm_block *block, enum uvm_processor where,
                       const struct uvm_mask *pinned, struct uvm_delta *delta)
{
    struct uvm_mask pages = uvm_mask_and(*pinned, block->resident[where]);

    if (uvm_mask_is_empty(pages))
        return;
    pages = uvm_mask_minus(pages, block->read_mostly);
    uvm_for_each_gpu(gpu, space->system) if (uvm_reaches(space->system, gpu, where))
        uvm_map(space, block, gpu, uvm_thrash_fought_by(space, block, gpu, pages), true, delta);
}

static uint64_t pages_moved(const struct uvm_delta *delta)
{
    uint64_t bytes = 0;

    for (int direction = 0; direction < UVM_DIRECTIONS; direction++)
        bytes += uvm_delta_bytes(delta, (enum uvm_direction)direction);
    return bytes / UVM_PAGE_BYTES;
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
    unsigned ways = 0;

    uvm_destined(space, block, processor, faulted, pinned, to);
    uvm_for_each_processor(residency, space->system) ways += !uvm_mask_is_empty(to[residency]);
    uvm_for_each_processor(residency, space->system)
    {
        struct uvm_reason reason = {.cause = UVM_CAUSE_COHERENCE};
        if (uvm_mask_is_empty(to[residency]) || status != UVM_OK)
            continue;
        /* The driver prefetches only when all faulted pages of the block go the same way. */
        if (ways == 1)
            reason.prefetched = uvm_tree_prefetch(space, block, region, residency, to[residency]);
        status = service_to(space, block, residency, processor, uvm_mask_or(to[residency], reason.prefetched),
                            written, &reason, delta);
    }
    uvm_for_each_processor(where, space->system) if (pinned)
        map_pinned(space, block, where, &pinned[where], delta);
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
    const uint64_t refused = uvm_is_gpu(processor) ? nap / UVM_THROTTLED_REFAULT_NS : 0;
    struct uvm_event event = {.type = UVM_EVENT_GPU_FAULT,
                              .processor = processor,
                              .from = UVM_NO_PROCESSOR,
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
        struct uvm_thrash_hints hints;
        uvm_thrash_ask(space, block, processor, faulted, &hints, delta);
        struct uvm_mask now = uvm_mask_minus(faulted, hints.throttled);
        if (!uvm_mask_is_empty(now))
            status = service_now(space, block, region, processor, now, uvm_mask_and(written, now),
                                 hints.any_pinned ? hints.pinned : NULL, delta);
        else
            wait_until(space, block, processor, &hints, delta);
        faulted = hints.throttled;
    }
    return status;
}
