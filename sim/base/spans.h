/**
 * @file spans.h
 * @brief An ordered set of address ranges, in which finding, adding and removing one takes a few dozen steps,
 * however many there are.
 *
 * The ranges are the caller's: a structure has a struct umsim_span as its first member, and is cast to it. No
 * function allocates memory. The set is a treap: a binary tree, ordered by address, in which each range has a
 * pseudo-random priority that is higher than its children's. So the tree is shallow whatever the order in
 * which ranges come and go, and the same in each run.
 *
 * Ranges do not overlap. Several may start at one address; they lie in the order in which they were added.
 * Callers hold a lock. A reader that cannot take it (a fault handler) finds its way to an end at any moment,
 * if removed ranges stay readable; it may then miss a range that comes or goes.
 */
#ifndef UMSIM_SPANS_H
#define UMSIM_SPANS_H

#include <stddef.h>
#include <stdint.h>

struct umsim_span {
    uintptr_t start;
    size_t bytes;
    /* the set's own */
    struct umsim_span *lower, *higher;
    uint64_t number; /* in the order in which ranges were added */
    size_t most;     /* the most bytes of any range in this part of the tree */
};

/** All zero: the empty set. */
struct umsim_spans {
    struct umsim_span *root;
    size_t count;
    uint64_t added;
};

/** Adds a range, of which `start` and `bytes` are set. */
void umsim_spans_add(struct umsim_spans *set, struct umsim_span *range);

/** Removes a range that is in the set. */
void umsim_spans_remove(struct umsim_spans *set, struct umsim_span *range);

/** Changes a range's start and bytes. It must keep its place between its neighbours. */
void umsim_spans_change(struct umsim_spans *set, struct umsim_span *range, uintptr_t start, size_t bytes);

/** The last range that starts at or before `address`, or NULL. */
struct umsim_span *umsim_spans_up_to(const struct umsim_spans *set, uintptr_t address);

/** The first range that starts behind `address`, or NULL. */
struct umsim_span *umsim_spans_behind(const struct umsim_spans *set, uintptr_t address);

/** The lowest range of at least `bytes` bytes, or NULL. */
struct umsim_span *umsim_spans_first_of(const struct umsim_spans *set, size_t bytes);

/** The range that holds `address`, or NULL. */
static inline struct umsim_span *umsim_spans_find(const struct umsim_spans *set, uintptr_t address)
{
    struct umsim_span *range = umsim_spans_up_to(set, address);
    return range && address - range->start < range->bytes ? range : NULL;
}

/** The range that starts at `address`, or NULL. For sets of handles: each is the address of what it stands
 * for. */
static inline struct umsim_span *umsim_spans_at(const struct umsim_spans *set, uintptr_t address)
{
    struct umsim_span *range = umsim_spans_up_to(set, address);
    return range && range->start == address ? range : NULL;
}

#endif
