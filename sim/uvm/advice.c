/**
 * @file advice.c
 * @brief cudaMemAdvise: stores advice and applies it (the driver's uvm_policy.c).
 *
 * Advice is stored for each page. As in the driver, advice to a part of a range splits the range there for
 * good, if it changes anything: the prefetcher's tree does not reach across the split.
 */
#include "internal.h"

static const struct uvm_mask *advice_mask(const struct uvm_block *block, enum uvm_advice advice,
                                          enum uvm_processor processor)
{
    switch (advice) {
    case UVM_SET_READ_MOSTLY:
    case UVM_UNSET_READ_MOSTLY:
        return &block->read_mostly;
    case UVM_SET_ACCESSED_BY:
    case UVM_UNSET_ACCESSED_BY:
        return &block->accessed_by[processor];
    default:
        return &block->preferred[processor];
    }
}

/* Whether the advice would change anything for a page. */
static bool changes(const struct uvm_block *block, unsigned page, enum uvm_advice advice,
                    enum uvm_processor processor)
{
    bool is_set = advice == UVM_SET_READ_MOSTLY || advice == UVM_SET_PREFERRED_LOCATION ||
                  advice == UVM_SET_ACCESSED_BY;

    if (advice == UVM_UNSET_PREFERRED_LOCATION)
        return uvm_mask_test(&block->preferred[UVM_CPU], page) ||
               uvm_mask_test(&block->preferred[UVM_GPU], page);
    return uvm_mask_test(advice_mask(block, advice, processor), page) != is_set;
}

/* Splits the range before the page at `address`, if the advice would change the page at `side`. */
static void split(struct uvm_space *space, uintptr_t address, uintptr_t side, enum uvm_advice advice,
                  enum uvm_processor processor)
{
    struct uvm_block *block, *side_block;
    unsigned page, side_page;

    if (!uvm_locate(space, address, &block, &page) || !uvm_mask_test(&block->valid, page))
        return;
    if (uvm_mask_test(&block->range_first, page) && !(page == 0 && block->continues))
        return; /* a range begins here anyway */
    if (uvm_locate(space, side, &side_block, &side_page) && changes(side_block, side_page, advice, processor))
        uvm_mask_set(&block->split, page);
}

static void set(struct uvm_mask *mask, struct uvm_mask pages, bool value)
{
    *mask = value ? uvm_mask_or(*mask, pages) : uvm_mask_minus(*mask, pages);
}

/* Each holder keeps its copy, and only to read (va_block_set_read_duplication_locked). */
static void set_read_mostly(struct uvm_space *space, struct uvm_block *block, struct uvm_mask pages,
                            struct uvm_delta *delta)
{
    struct uvm_reason reason = {.cause = UVM_CAUSE_USER};

    for (int holder = 0; holder < UVM_PROCESSORS; holder++)
        uvm_make_duplicate(space, block, (enum uvm_processor)holder,
                           uvm_mask_and(pages, block->resident[holder]), &reason, delta);
    set(&block->read_mostly, pages, true);
}

static void map_accessed_by_gpu(struct uvm_space *space, struct uvm_block *block, struct uvm_mask pages,
                                struct uvm_delta *delta)
{
    pages = uvm_mask_and(pages, uvm_mask_and(block->accessed_by[UVM_GPU], block->resident[UVM_CPU]));
    pages = uvm_mask_minus(pages, uvm_mask_or(block->read_mostly, block->resident[UVM_GPU]));
    uvm_map(space, block, UVM_GPU, pages, true, delta);
}

/* One copy stays: at the preferred location, else the host's. Its mapping stays as it is, read-only. */
static void unset_read_mostly(struct uvm_space *space, struct uvm_block *block, struct uvm_mask pages,
                              struct uvm_delta *delta)
{
    struct uvm_reason reason = {.cause = UVM_CAUSE_USER};
    struct uvm_mask both =
        uvm_mask_and(pages, uvm_mask_and(block->resident[UVM_CPU], block->resident[UVM_GPU]));
    struct uvm_mask on_gpu = uvm_mask_and(both, block->preferred[UVM_GPU]);

    set(&block->read_mostly, pages, false);
    uvm_make_resident(space, block, UVM_GPU, on_gpu, &reason, delta);
    uvm_make_resident(space, block, UVM_CPU, uvm_mask_minus(both, on_gpu), &reason, delta);
    map_accessed_by_gpu(space, block, pages, delta);
}

/* Removes remote mappings of the new preferred location, so that its next touch faults and brings the page.
 */
static void set_preferred(struct uvm_space *space, struct uvm_block *block, struct uvm_mask pages,
                          enum uvm_processor processor)
{
    set(&block->preferred[processor], pages, true);
    set(&block->preferred[uvm_other(processor)], pages, false);
    uvm_revoke(space, block, processor, uvm_mask_minus(pages, block->resident[processor]));
}

static void advise_block(struct uvm_space *space, struct uvm_block *block, struct uvm_mask pages,
                         enum uvm_advice advice, enum uvm_processor processor, struct uvm_delta *delta)
{
    switch (advice) {
    case UVM_SET_READ_MOSTLY:
        set_read_mostly(space, block, pages, delta);
        break;
    case UVM_UNSET_READ_MOSTLY:
        unset_read_mostly(space, block, pages, delta);
        break;
    case UVM_SET_PREFERRED_LOCATION:
        set_preferred(space, block, pages, processor);
        break;
    case UVM_UNSET_PREFERRED_LOCATION:
        set(&block->preferred[UVM_CPU], pages, false);
        set(&block->preferred[UVM_GPU], pages, false);
        break;
    case UVM_SET_ACCESSED_BY:
        set(&block->accessed_by[processor], pages, true);
        map_accessed_by_gpu(space, block, pages, delta);
        break;
    case UVM_UNSET_ACCESSED_BY: /* mappings stay until something takes them away */
        set(&block->accessed_by[processor], pages, false);
        break;
    }
}

enum uvm_status uvm_advise(struct uvm_space *space, uintptr_t address, size_t bytes, enum uvm_advice advice,
                           enum uvm_processor processor, struct uvm_delta *delta)
{
    struct uvm_walk walk;

    if (!uvm_all_valid(space, address, bytes) || !uvm_walk_start(&walk, space, address, bytes))
        return UVM_INVALID_ADDRESS;
    uintptr_t end = (address + bytes + UVM_PAGE_BYTES - 1) / UVM_PAGE_BYTES * UVM_PAGE_BYTES;
    split(space, address, address, advice, processor);
    split(space, end, end - UVM_PAGE_BYTES, advice, processor);
    while (uvm_walk_next(&walk))
        advise_block(space, walk.block, uvm_mask_of(walk.region), advice, processor, delta);
    return UVM_OK;
}
