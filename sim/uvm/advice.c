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
static bool changes(const struct uvm_space *space, const struct uvm_block *block, unsigned page,
                    enum uvm_advice advice, enum uvm_processor processor)
{
    bool is_set = advice == UVM_SET_READ_MOSTLY || advice == UVM_SET_PREFERRED_LOCATION ||
                  advice == UVM_SET_ACCESSED_BY;

    if (advice == UVM_UNSET_PREFERRED_LOCATION) {
        bool any = false;
        uvm_for_each_processor(it, space->system) any |= uvm_mask_test(&block->preferred[it], page);
        return any;
    }
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
    if (uvm_locate(space, side, &side_block, &side_page) &&
        changes(space, side_block, side_page, advice, processor))
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

    uvm_for_each_processor(holder, space->system) uvm_make_duplicate(
        space, block, holder, uvm_mask_and(pages, block->resident[holder]), &reason, delta);
    set(&block->read_mostly, pages, true);
}

/* Maps what a GPU is advised to access and can reach. Where there are several copies, only their holders map
 * them. */
static void map_accessed_by(struct uvm_space *space, struct uvm_block *block, enum uvm_processor gpu,
                            struct uvm_mask pages, struct uvm_delta *delta)
{
    pages = uvm_mask_and(pages, block->accessed_by[gpu]);
    pages = uvm_mask_minus(pages, uvm_mask_or(block->read_mostly, block->readable[gpu]));
    pages = uvm_mask_minus(pages, uvm_duplicated(space, block));
    uvm_for_each_processor(where, space->system) if (uvm_reaches(space->system, gpu, where))
        uvm_map(space, block, gpu, uvm_mask_and(pages, block->resident[where]), true, delta);
}

/* One copy stays: at the preferred location, else with the first processor that has one. Its mapping stays as
 * it is, read-only. */
static void unset_read_mostly(struct uvm_space *space, struct uvm_block *block, struct uvm_mask pages,
                              struct uvm_delta *delta)
{
    struct uvm_reason reason = {.cause = UVM_CAUSE_USER};
    struct uvm_mask left = uvm_mask_and(pages, uvm_duplicated(space, block));

    set(&block->read_mostly, pages, false);
    for (int preferred = 1; preferred >= 0; preferred--)
        uvm_for_each_processor(holder, space->system)
        {
            struct uvm_mask kept = block->resident[holder];
            if (preferred)
                kept = uvm_mask_and(kept, block->preferred[holder]);
            uvm_make_resident(space, block, holder, uvm_mask_take(&left, kept), &reason, delta);
        }
    uvm_for_each_gpu(gpu, space->system) map_accessed_by(space, block, gpu, pages, delta);
}

static void forget_preferred(const struct uvm_space *space, struct uvm_block *block, struct uvm_mask pages)
{
    uvm_for_each_processor(processor, space->system) set(&block->preferred[processor], pages, false);
}

/* Removes remote mappings of the new preferred location, so that its next touch faults and brings the page.
 */
static void set_preferred(struct uvm_space *space, struct uvm_block *block, struct uvm_mask pages,
                          enum uvm_processor processor)
{
    forget_preferred(space, block, pages);
    set(&block->preferred[processor], pages, true);
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
        forget_preferred(space, block, pages);
        break;
    case UVM_SET_ACCESSED_BY:
        set(&block->accessed_by[processor], pages, true);
        if (uvm_is_gpu(processor))
            map_accessed_by(space, block, processor, pages, delta);
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
