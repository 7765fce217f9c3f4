/**
 * @file gpu.c
 * @brief Marks the pages that a running launch touches.
 *
 * Everything here may run in a signal handler, in any thread of both processes at once. It reads state that
 * does not change during a launch, and sets bits with atomics.
 */
#include "internal.h"

static struct uvm_region clip_to_big_page(struct uvm_region run, unsigned page)
{
    unsigned big = page - page % UVM_PAGES_PER_BIG_PAGE;

    run.first = run.first > big ? run.first : big;
    run.outer = run.outer < big + UVM_PAGES_PER_BIG_PAGE ? run.outer : big + UVM_PAGES_PER_BIG_PAGE;
    return run;
}

/* The processor that a page of uvm_destined()'s is destined for. */
static enum uvm_processor destination(const struct uvm_space *space, const struct uvm_mask to[UVM_PROCESSORS],
                                      unsigned page)
{
    uvm_for_each_processor(where, space->system) if (uvm_mask_test(&to[where], page)) return where;
    return UVM_NO_PROCESSOR;
}

/* The 64 KiB of a page, as far as they belong to its policy region. */
static struct uvm_region big_page_of(const struct uvm_block *block, unsigned page)
{
    return clip_to_big_page(uvm_policy_region(block, page), page);
}

/* The pages that one real fault on `page` may open at once, because the service is certain to grant them
 * together. `to`: where those of its big page are destined. */
static struct uvm_region touch_unit(const struct uvm_block *block, enum uvm_processor gpu, unsigned page,
                                    bool is_write, const struct uvm_mask to[UVM_PROCESSORS],
                                    enum uvm_processor at)
{
    const struct uvm_region alone = {page, page + 1};

    if (is_write && uvm_mask_test(&block->read_mostly, page))
        return alone; /* write permission comes page by page */
    if (uvm_mask_count_in(&block->thrash.thrashing, big_page_of(block, page)) != 0)
        return alone; /* it is not filled */
    struct uvm_mask stay = uvm_mask_and(block->resident[UVM_CPU], block->readable[UVM_CPU]);
    /* The prefetcher does not take what stays on the host and is mapped there: each such page faults by
     * itself. */
    struct uvm_mask singly = uvm_mask_and(to[UVM_CPU], stay);
    struct uvm_mask granted = is_write ? block->writable[gpu] : block->readable[gpu];
    if (uvm_mask_test(&singly, page))
        return alone;
    struct uvm_mask same = uvm_mask_minus(to[at], uvm_mask_or(singly, granted));
    return uvm_mask_run(&same, page);
}

static void mark(struct uvm_space *space, struct uvm_block *block, struct uvm_mask pages, bool is_write)
{
    struct uvm_mask *touched = is_write ? &block->touched_write : &block->touched_read;
    size_t index = uvm_block_index(space, block);

    for (int i = 0; i < UVM_MASK_WORDS; i++)
        if (pages.word[i] & ~__atomic_load_n(&touched->word[i], __ATOMIC_RELAXED))
            __atomic_fetch_or(&touched->word[i], pages.word[i], __ATOMIC_RELEASE);
    __atomic_fetch_or(&space->touched[index / 64], UINT64_C(1) << index % 64, __ATOMIC_RELEASE);
}

void uvm_unmark(struct uvm_block *block, struct uvm_mask pages)
{
    for (int i = 0; i < UVM_MASK_WORDS; i++) {
        if (pages.word[i] & block->touched_read.word[i])
            __atomic_fetch_and(&block->touched_read.word[i], ~pages.word[i], __ATOMIC_RELAXED);
        if (pages.word[i] & block->touched_write.word[i])
            __atomic_fetch_and(&block->touched_write.word[i], ~pages.word[i], __ATOMIC_RELAXED);
    }
}

/* The processor that has a page which is granted to `gpu`. */
static enum uvm_processor holder_of(const struct uvm_space *space, const struct uvm_block *block,
                                    enum uvm_processor gpu, unsigned page)
{
    for (unsigned i = 0; i < space->system->processors; i++) {
        const enum uvm_processor where = uvm_closest(space->system, gpu, i);
        if (uvm_mask_test(&block->resident[where], page))
            return where;
    }
    return UVM_NO_PROCESSOR;
}

enum uvm_status uvm_gpu_touch(struct uvm_space *space, enum uvm_processor gpu, uintptr_t address,
                              bool is_write, struct uvm_opening *opening)
{
    struct uvm_block *block;
    unsigned page;

    if (!uvm_locate(space, address, &block, &page) || !uvm_mask_test(&block->valid, page))
        return UVM_INVALID_ADDRESS;
    const struct uvm_mask *granted = is_write ? &block->writable[gpu] : &block->readable[gpu];
    if (uvm_mask_test(granted, page)) {
        struct uvm_region run = uvm_mask_run(granted, page);
        /* evicted before they are touched: the replay has to see it */
        bool may_go = space->system->device[uvm_device_of(gpu)].is_short;
        if (may_go) {
            run = clip_to_big_page(run, page);
            mark(space, block, uvm_mask_of(run), is_write);
        }
        opening->start = uvm_page_address(space, block, run.first);
        opening->bytes = uvm_region_pages(run) * UVM_PAGE_BYTES;
        opening->writable = is_write;
        opening->at = holder_of(space, block, gpu, page);
        return may_go ? UVM_OK : UVM_ALREADY_GRANTED;
    }
    struct uvm_mask to[UVM_PROCESSORS];
    uvm_destined(space, block, gpu, uvm_mask_of(big_page_of(block, page)), NULL, to);
    opening->at = destination(space, to, page);
    struct uvm_region unit = touch_unit(block, gpu, page, is_write, to, opening->at);
    mark(space, block, uvm_mask_of(unit), is_write);
    opening->start = uvm_page_address(space, block, unit.first);
    opening->bytes = uvm_region_pages(unit) * UVM_PAGE_BYTES;
    /* A read will be granted write permission, too, unless duplicates are wanted. */
    opening->writable = is_write || !uvm_mask_test(&block->read_mostly, page);
    return UVM_OK;
}

enum uvm_status uvm_gpu_touch_pages(struct uvm_space *space, enum uvm_processor gpu, uintptr_t address,
                                    size_t bytes, bool is_write)
{
    struct uvm_walk walk;
    bool marked = false;

    if (!uvm_all_valid(space, address, bytes) || !uvm_walk_start(&walk, space, address, bytes))
        return UVM_INVALID_ADDRESS;
    while (uvm_walk_next(&walk)) {
        struct uvm_block *block = walk.block;
        struct uvm_mask granted = is_write ? block->writable[gpu] : block->readable[gpu];
        struct uvm_mask pages = uvm_mask_minus(uvm_mask_of(walk.region), granted);
        if (uvm_mask_is_empty(pages))
            continue;
        mark(space, block, pages, is_write);
        marked = true;
    }
    return marked ? UVM_OK : UVM_ALREADY_GRANTED;
}

bool uvm_gpu_touched(const struct uvm_space *space, uintptr_t address)
{
    struct uvm_block *block;
    unsigned page;

    if (!uvm_locate(space, address, &block, &page))
        return false;
    uint64_t bits = __atomic_load_n(&block->touched_read.word[page / 64], __ATOMIC_RELAXED) |
                    __atomic_load_n(&block->touched_write.word[page / 64], __ATOMIC_RELAXED);
    return bits >> page % 64 & 1;
}
