/**
 * @file tree.c
 * @brief The prefetcher: decides which neighbours of a faulted page come along (the driver's
 * uvm_perf_prefetch.c).
 *
 * A binary tree stands over the pages of a region. First, the 64 KiB around each faulted page count as
 * wanted. Then each faulted page takes the largest subtree around it of which more than 51% is wanted or
 * there already. Thrashing pages neither come along nor bring others. If a program touches a block page by
 * page, the faults bring 64, 64, 128, 256, 512 and 1024 KiB: 6 faults, in reverse order too.
 *
 * A region may be only a part of a block. Then the tree starts on a 64 KiB boundary, so that subtrees are big
 * pages. What lies before the first and after the last whole big page is filled like one. A region without a
 * whole big page is filled at once.
 */
#include "internal.h"

/* The whole 64 KiB pages of a region; empty at 0 when there is none. */
static struct uvm_region big_pages(struct uvm_region region)
{
    struct uvm_region big = {(region.first + UVM_PAGES_PER_BIG_PAGE - 1) / UVM_PAGES_PER_BIG_PAGE *
                                 UVM_PAGES_PER_BIG_PAGE,
                             region.outer / UVM_PAGES_PER_BIG_PAGE * UVM_PAGES_PER_BIG_PAGE};
    return big.first < big.outer ? big : (struct uvm_region){0, 0};
}

/* The range that a fault on `page` fills, whatever the tree says. */
static struct uvm_region filled(struct uvm_region region, struct uvm_region big, unsigned page)
{
    if (big.outer == 0)
        return region;
    if (page < big.first)
        return (struct uvm_region){region.first, big.first};
    if (page >= big.outer)
        return (struct uvm_region){big.outer, region.outer};
    page -= page % UVM_PAGES_PER_BIG_PAGE;
    return (struct uvm_region){page, page + UVM_PAGES_PER_BIG_PAGE};
}

/* The largest subtree around `page` that is wanted enough. The tree's first leaf is the page `origin`. */
static struct uvm_region largest_subtree(const struct uvm_mask *wanted, struct uvm_region region,
                                         unsigned origin, unsigned page)
{
    struct uvm_region best = {page, page + 1};

    for (unsigned size = 1;; size *= 2) {
        unsigned first = origin + (page - origin) / size * size;
        struct uvm_region subtree = {first, first + size < region.outer ? first + size : region.outer};
        if (uvm_mask_count_in(wanted, subtree) * 100 > uvm_region_pages(subtree) * UVM_PREFETCH_THRESHOLD)
            best = subtree;
        if (first == origin && subtree.outer == region.outer)
            break;
    }
    if (best.first < region.first)
        best.first = region.first;
    return best;
}

struct uvm_mask uvm_tree_prefetch(const struct uvm_space *space, const struct uvm_block *block,
                                  struct uvm_region region, enum uvm_processor destination,
                                  struct uvm_mask faulted)
{
    struct uvm_mask pages = uvm_mask_of(region), prefetch = uvm_mask_none();
    struct uvm_mask anywhere = uvm_resident(space, block);

    if (uvm_mask_is_empty(uvm_mask_and(anywhere, pages)) &&
        uvm_mask_test(&block->preferred[destination], region.first)) {
        prefetch = pages; /* a first touch at the preferred location: all of it */
    } else {
        struct uvm_region big = big_pages(region);
        /* Without a prefix the driver's tree starts at the region itself. */
        unsigned origin =
            big.outer && big.first > region.first ? big.first - UVM_PAGES_PER_BIG_PAGE : region.first;
        struct uvm_mask wanted = uvm_mask_or(uvm_mask_and(block->resident[destination], pages), faulted);

        for (unsigned page = uvm_mask_next(&faulted, 0); page < UVM_PAGES_PER_BLOCK;) {
            struct uvm_region fill = filled(region, big, page);
            if (uvm_mask_count_in(&block->thrash.thrashing, fill) == 0)
                wanted = uvm_mask_or(wanted, uvm_mask_of(fill));
            page =
                fill.outer < UVM_PAGES_PER_BLOCK ? uvm_mask_next(&faulted, fill.outer) : UVM_PAGES_PER_BLOCK;
        }
        /* Another faulted page in a subtree that was taken would take the same subtree, so go on behind it.
         */
        struct uvm_mask quiet = uvm_mask_minus(faulted, block->thrash.thrashing);
        for (unsigned page = uvm_mask_next(&quiet, 0); page < UVM_PAGES_PER_BLOCK;) {
            struct uvm_region subtree = largest_subtree(&wanted, region, origin, page);
            prefetch = uvm_mask_or(prefetch, uvm_mask_of(subtree));
            page = subtree.outer < UVM_PAGES_PER_BLOCK ? uvm_mask_next(&quiet, subtree.outer)
                                                       : UVM_PAGES_PER_BLOCK;
        }
    }
    prefetch = uvm_mask_minus(prefetch, uvm_mask_or(faulted, block->thrash.thrashing));
    if (destination == UVM_CPU)
        prefetch = uvm_mask_minus(prefetch, uvm_mask_and(block->resident[UVM_CPU], block->readable[UVM_CPU]));
    return prefetch;
}
