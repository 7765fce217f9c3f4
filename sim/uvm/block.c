/**
 * @file block.c
 * @brief The state of a space: where a page is, which range it belongs to, and what is granted.
 *
 * There is no table of ranges. A block records for each page whether it is live and whether a range begins
 * there, and the policy never needs more.
 */
#include "internal.h"

#include <string.h>

/* touched, pinned, fault_free, revoked */
enum { BITMAPS = 3 + UVM_PROCESSORS };

static size_t bitmap_words(size_t blocks)
{
    return (blocks + 63) / 64;
}

static size_t round_up_64(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

size_t uvm_space_bytes(size_t blocks)
{
    size_t bitmaps = BITMAPS * bitmap_words(blocks) * sizeof(uint64_t);
    return round_up_64(sizeof(struct uvm_space)) + round_up_64(bitmaps) + blocks * sizeof(struct uvm_block) +
           blocks * UVM_PAGES_PER_BLOCK * sizeof(struct uvm_thrash_page);
}

struct uvm_space *uvm_space_init(void *memory, struct uvm_system *system, uintptr_t base, size_t blocks)
{
    struct uvm_space *space = memory;
    char *end = (char *)memory + round_up_64(sizeof *space);

    space->base = base;
    space->blocks = blocks;
    space->system = system;
    space->touched = (uint64_t *)(void *)end;
    space->pinned = space->touched + bitmap_words(blocks);
    space->fault_free = space->pinned + bitmap_words(blocks);
    for (int processor = 0; processor < UVM_PROCESSORS; processor++)
        space->revoked[processor] = space->fault_free + (size_t)(1 + processor) * bitmap_words(blocks);
    end += round_up_64(BITMAPS * bitmap_words(blocks) * sizeof(uint64_t));
    space->block = (struct uvm_block *)(void *)end;
    space->thrash_page = (struct uvm_thrash_page *)(void *)(space->block + blocks);
    for (int processor = 0; processor < UVM_PROCESSORS; processor++)
        space->revoked_low[processor] = blocks;
    return space;
}

/* ---- finding ---- */

bool uvm_locate(const struct uvm_space *space, uintptr_t address, struct uvm_block **block, unsigned *page)
{
    if (address < space->base || (address - space->base) / UVM_VA_BLOCK_BYTES >= space->blocks)
        return false;
    uintptr_t offset = address - space->base;
    *block = &space->block[offset / UVM_VA_BLOCK_BYTES];
    *page = (unsigned)(offset % UVM_VA_BLOCK_BYTES / UVM_PAGE_BYTES);
    return true;
}

bool uvm_walk_start(struct uvm_walk *walk, const struct uvm_space *space, uintptr_t address, size_t bytes)
{
    uintptr_t size = space->blocks * UVM_VA_BLOCK_BYTES;

    if (bytes == 0 || address < space->base || address - space->base >= size ||
        bytes > size - (address - space->base))
        return false;
    uintptr_t offset = address - space->base;
    *walk = (struct uvm_walk){.space = (struct uvm_space *)(uintptr_t)space,
                              .page = offset / UVM_PAGE_BYTES,
                              .end = (offset + bytes + UVM_PAGE_BYTES - 1) / UVM_PAGE_BYTES};
    return true;
}

bool uvm_walk_next(struct uvm_walk *walk)
{
    if (walk->page >= walk->end)
        return false;
    uint64_t block = walk->page / UVM_PAGES_PER_BLOCK, first = block * UVM_PAGES_PER_BLOCK;
    uint64_t outer = first + UVM_PAGES_PER_BLOCK < walk->end ? first + UVM_PAGES_PER_BLOCK : walk->end;

    walk->block = &walk->space->block[block];
    walk->region = (struct uvm_region){(unsigned)(walk->page - first), (unsigned)(outer - first)};
    walk->page = outer;
    return true;
}

bool uvm_all_valid(const struct uvm_space *space, uintptr_t address, size_t bytes)
{
    struct uvm_walk walk;

    if (!uvm_walk_start(&walk, space, address, bytes))
        return false;
    while (uvm_walk_next(&walk))
        if (uvm_mask_count_in(&walk.block->valid, walk.region) != uvm_region_pages(walk.region))
            return false;
    return true;
}

struct uvm_region uvm_policy_region(const struct uvm_block *block, unsigned page)
{
    struct uvm_mask starts = uvm_mask_or(block->range_first, block->split);
    struct uvm_region live = uvm_mask_run(&block->valid, page);
    int first = uvm_mask_previous(&starts, page);
    unsigned outer = page + 1 < UVM_PAGES_PER_BLOCK ? uvm_mask_next(&starts, page + 1) : UVM_PAGES_PER_BLOCK;

    if (first > (int)live.first)
        live.first = (unsigned)first;
    if (outer < live.outer)
        live.outer = outer;
    return live;
}

struct uvm_mask uvm_resident(const struct uvm_space *space, const struct uvm_block *block)
{
    struct uvm_mask anywhere = uvm_mask_none();

    uvm_for_each_processor(processor, space->system) anywhere =
        uvm_mask_or(anywhere, block->resident[processor]);
    return anywhere;
}

struct uvm_mask uvm_duplicated(const struct uvm_space *space, const struct uvm_block *block)
{
    struct uvm_mask once = uvm_mask_none(), again = uvm_mask_none();

    uvm_for_each_processor(processor, space->system)
    {
        again = uvm_mask_or(again, uvm_mask_and(once, block->resident[processor]));
        once = uvm_mask_or(once, block->resident[processor]);
    }
    return again;
}

/* ---- ranges ---- */

enum uvm_status uvm_range_create(struct uvm_space *space, uintptr_t address, size_t bytes)
{
    struct uvm_walk walk, check;

    if (!uvm_walk_start(&walk, space, address, bytes))
        return UVM_INVALID_ADDRESS;
    check = walk;
    while (uvm_walk_next(&check))
        if (uvm_mask_count_in(&check.block->valid, check.region) != 0)
            return UVM_INVALID_ADDRESS;
    for (bool continues = false; uvm_walk_next(&walk); continues = true) {
        struct uvm_block *block = walk.block;
        block->space = space;
        space->blocks_live += uvm_mask_is_empty(block->valid);
        block->valid = uvm_mask_or(block->valid, uvm_mask_of(walk.region));
        if (block->has_host_memory)
            space->system->host_pages += uvm_region_pages(walk.region);
        uvm_mask_set(&block->range_first, walk.region.first);
        if (walk.region.first == 0)
            block->continues = continues;
    }
    if (walk.block && uvm_block_index(space, walk.block) >= space->blocks_end)
        space->blocks_end = uvm_block_index(space, walk.block) + 1;
    return UVM_OK;
}

/* Whether these pages are exactly one live range. */
static bool is_range(const struct uvm_space *space, uintptr_t address, size_t bytes)
{
    struct uvm_walk walk;
    bool first = true;

    if (!uvm_all_valid(space, address, bytes) || !uvm_walk_start(&walk, space, address, bytes))
        return false;
    for (; uvm_walk_next(&walk); first = false) {
        struct uvm_region region = walk.region;
        if (!uvm_mask_test(&walk.block->range_first, region.first) ||
            uvm_mask_count_in(&walk.block->range_first, region) != 1)
            return false;
        if (region.first == 0 && walk.block->continues == first)
            return false;
    }
    unsigned outer = walk.region.outer;
    if (outer < UVM_PAGES_PER_BLOCK)
        return !uvm_mask_test(&walk.block->valid, outer) || uvm_mask_test(&walk.block->range_first, outer);
    const struct uvm_block *next = walk.block + 1;
    return uvm_block_index(space, next) >= space->blocks || !uvm_mask_test(&next->valid, 0) ||
           !next->continues;
}

static void drop(struct uvm_mask *mask, struct uvm_mask pages)
{
    *mask = uvm_mask_minus(*mask, pages);
}

enum uvm_status uvm_range_destroy(struct uvm_space *space, uintptr_t address, size_t bytes)
{
    struct uvm_walk walk;

    if (!is_range(space, address, bytes) || !uvm_walk_start(&walk, space, address, bytes))
        return UVM_INVALID_ADDRESS;
    while (uvm_walk_next(&walk)) {
        struct uvm_block *block = walk.block;
        struct uvm_mask pages = uvm_mask_of(walk.region);

        /* A launch that was never charged, on whichever GPU, may have opened these pages. */
        const bool touched =
            !uvm_mask_is_empty(uvm_mask_and(uvm_mask_or(block->touched_read, block->touched_write), pages));
        uvm_for_each_processor(processor, space->system)
        {
            uvm_revoke(space, block, processor, pages);
            if (touched && uvm_is_gpu(processor))
                uvm_note_revoked(space, block, processor);
            drop(&block->resident[processor], pages);
            drop(&block->preferred[processor], pages);
            drop(&block->accessed_by[processor], pages);
            drop(&block->prefetched_to[processor], pages);
        }
        uvm_unmark(block, pages);
        drop(&block->read_mostly, pages);
        drop(&block->range_first, pages);
        drop(&block->split, pages);
        if (block->has_host_memory)
            space->system->host_pages -= uvm_region_pages(walk.region);
        drop(&block->valid, pages);
        uvm_thrash_forget(space, block, pages);
        if (uvm_mask_is_empty(block->valid)) {
            space->blocks_live--;
            block->has_host_memory = false;
            uvm_thrash_end(space, block);
        }
        if (walk.region.first == 0)
            block->continues = false;
        uvm_chunks_drop_if_empty(space, block);
    }
    return UVM_OK;
}

/* ---- grants ---- */

bool uvm_is_valid(const struct uvm_space *space, uintptr_t address)
{
    struct uvm_block *block;
    unsigned page;

    return uvm_locate(space, address, &block, &page) && uvm_mask_test(&block->valid, page);
}

bool uvm_granted(const struct uvm_space *space, enum uvm_processor processor, uintptr_t address,
                 bool is_write)
{
    struct uvm_block *block;
    unsigned page;

    return uvm_locate(space, address, &block, &page) &&
           uvm_mask_test(is_write ? &block->writable[processor] : &block->readable[processor], page);
}

bool uvm_granted_run(const struct uvm_space *space, enum uvm_processor processor, uintptr_t address,
                     bool is_write, uintptr_t *start, size_t *bytes)
{
    struct uvm_block *block;
    unsigned page;

    if (!uvm_granted(space, processor, address, is_write) || !uvm_locate(space, address, &block, &page))
        return false;
    struct uvm_region run =
        uvm_mask_run(is_write ? &block->writable[processor] : &block->readable[processor], page);
    *start = uvm_page_address(space, block, run.first);
    *bytes = uvm_region_pages(run) * UVM_PAGE_BYTES;
    return true;
}

void uvm_note_revoked(struct uvm_space *space, const struct uvm_block *block, enum uvm_processor processor)
{
    size_t index = uvm_block_index(space, block);

    if (uvm_is_gpu(processor))
        space->fault_free[index / 64] &= ~(UINT64_C(1) << index % 64);
    space->revoked[processor][index / 64] |= UINT64_C(1) << index % 64;
    if (index < space->revoked_low[processor])
        space->revoked_low[processor] = index;
    if (index >= space->revoked_end[processor])
        space->revoked_end[processor] = index + 1;
}

bool uvm_revoked_next(struct uvm_space *space, enum uvm_processor processor, size_t *block)
{
    uint64_t *revoked = space->revoked[processor];

    for (size_t i = space->revoked_low[processor] / 64; i * 64 < space->revoked_end[processor]; i++) {
        if (!revoked[i])
            continue;
        *block = i * 64 + (size_t)__builtin_ctzll(revoked[i]);
        revoked[i] &= revoked[i] - 1;
        space->revoked_low[processor] = *block + 1;
        return true;
    }
    space->revoked_low[processor] = space->blocks;
    space->revoked_end[processor] = 0;
    return false;
}

void uvm_revoke(struct uvm_space *space, struct uvm_block *block, enum uvm_processor processor,
                struct uvm_mask pages)
{
    if (uvm_mask_is_empty(uvm_mask_and(block->readable[processor], pages)))
        return;
    drop(&block->readable[processor], pages);
    drop(&block->writable[processor], pages);
    uvm_note_revoked(space, block, processor);
}

void uvm_revoke_write(struct uvm_space *space, struct uvm_block *block, enum uvm_processor processor,
                      struct uvm_mask pages)
{
    if (uvm_mask_is_empty(uvm_mask_and(block->writable[processor], pages)))
        return;
    drop(&block->writable[processor], pages);
    uvm_note_revoked(space, block, processor);
}

void uvm_tell(const struct uvm_space *space, const struct uvm_block *block, struct uvm_delta *delta,
              enum uvm_event_type type, enum uvm_processor processor, enum uvm_processor from,
              struct uvm_mask pages)
{
    if (!delta->observer)
        return;
    uvm_for_each_run(run, &pages)
    {
        struct uvm_event event = {.type = type,
                                  .processor = processor,
                                  .from = from,
                                  .cause = UVM_CAUSES,
                                  .address = uvm_page_address(space, block, run.first),
                                  .bytes = uvm_region_pages(run) * UVM_PAGE_BYTES};
        delta->observer(delta->observer_context, &event);
    }
}

/* ---- looking ---- */

static bool holds_for_all(const struct uvm_mask *mask, struct uvm_region region)
{
    return uvm_mask_count_in(mask, region) == uvm_region_pages(region);
}

enum uvm_status uvm_get_attributes(const struct uvm_space *space, uintptr_t address, size_t bytes,
                                   struct uvm_attributes *attributes)
{
    struct uvm_walk walk;
    struct uvm_attributes all = {.read_mostly = true,
                                 .preferred_location = UVM_NO_PROCESSOR,
                                 .last_prefetch_location = UVM_NO_PROCESSOR};
    uvm_processors preferred, prefetched, accessed_by;

    if (!uvm_all_valid(space, address, bytes) || !uvm_walk_start(&walk, space, address, bytes))
        return UVM_INVALID_ADDRESS;
    preferred = prefetched = accessed_by = (uvm_processors)((1u << space->system->processors) - 1);
    while (uvm_walk_next(&walk)) {
        const struct uvm_block *block = walk.block;
        all.read_mostly &= holds_for_all(&block->read_mostly, walk.region);
        uvm_for_each_processor(processor, space->system)
        {
            const uvm_processors bit = uvm_bit(processor);
            if (!holds_for_all(&block->preferred[processor], walk.region))
                preferred &= (uvm_processors)~bit;
            if (!holds_for_all(&block->prefetched_to[processor], walk.region))
                prefetched &= (uvm_processors)~bit;
            if (!holds_for_all(&block->accessed_by[processor], walk.region))
                accessed_by &= (uvm_processors)~bit;
        }
    }
    if (preferred)
        all.preferred_location = (enum uvm_processor)__builtin_ctz(preferred);
    if (prefetched)
        all.last_prefetch_location = (enum uvm_processor)__builtin_ctz(prefetched);
    all.accessed_by = accessed_by;
    *attributes = all;
    return UVM_OK;
}

void uvm_count_resident(const struct uvm_space *space, uintptr_t address, size_t bytes,
                        uint64_t pages[UVM_PROCESSORS])
{
    struct uvm_walk walk;

    memset(pages, 0, UVM_PROCESSORS * sizeof *pages);
    if (!uvm_walk_start(&walk, space, address, bytes))
        return;
    while (uvm_walk_next(&walk))
        uvm_for_each_processor(processor, space->system) pages[processor] +=
            uvm_mask_count_in(&walk.block->resident[processor], walk.region);
}
