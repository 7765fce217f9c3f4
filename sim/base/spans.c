/**
 * @file spans.c
 * @brief Implementation of spans.h: a treap, with the largest range of each part of the tree at its root.
 */
#include "spans.h"

#include <stdatomic.h>
#include <stdbool.h>

static bool is_before(const struct umsim_span *a, const struct umsim_span *b)
{
    return a->start != b->start ? a->start < b->start : a->number < b->number;
}

/* Multiplication by an odd number makes each number another one, so no two ranges have the same priority. */
static uint64_t priority(const struct umsim_span *range)
{
    const uint64_t mixed = range->number * UINT64_C(0x9e3779b97f4a7c15);
    return (mixed ^ mixed >> 32) * UINT64_C(0xd6e8feb86659fd93);
}

static size_t most_of(const struct umsim_span *tree)
{
    return tree ? tree->most : 0;
}

static void refresh(struct umsim_span *tree)
{
    const size_t lower = most_of(tree->lower), higher = most_of(tree->higher);
    const size_t below = lower > higher ? lower : higher;
    tree->most = tree->bytes > below ? tree->bytes : below;
}

/* Cuts a tree into what lies before `range` and what lies behind it. */
static void split(struct umsim_span *tree, const struct umsim_span *range, struct umsim_span **before,
                  struct umsim_span **behind)
{
    if (!tree) {
        *before = *behind = NULL;
        return;
    }
    const bool is_first = is_before(tree, range);
    if (is_first)
        split(tree->higher, range, &tree->higher, behind);
    else
        split(tree->lower, range, before, &tree->lower);
    *(is_first ? before : behind) = tree;
    refresh(tree);
}

static struct umsim_span *insert(struct umsim_span *tree, struct umsim_span *range)
{
    if (tree && priority(tree) > priority(range)) {
        struct umsim_span **side = is_before(range, tree) ? &tree->lower : &tree->higher;
        *side = insert(*side, range);
        refresh(tree);
        return tree;
    }
    split(tree, range, &range->lower, &range->higher);
    refresh(range);
    /* A reader without the lock that comes to it sees it whole. */
    atomic_thread_fence(memory_order_release);
    return range;
}

/* Makes one tree of two, of which the first lies before the second. */
static struct umsim_span *join(struct umsim_span *first, struct umsim_span *second)
{
    if (!first || !second)
        return first ? first : second;
    const bool first_is_root = priority(first) > priority(second);
    struct umsim_span *root = first_is_root ? first : second;
    if (first_is_root)
        first->higher = join(first->higher, second);
    else
        second->lower = join(first, second->lower);
    refresh(root);
    return root;
}

static struct umsim_span *without(struct umsim_span *tree, const struct umsim_span *range)
{
    if (tree == range)
        return join(tree->lower, tree->higher);
    struct umsim_span **side = is_before(range, tree) ? &tree->lower : &tree->higher;
    *side = without(*side, range);
    refresh(tree);
    return tree;
}

static void refresh_down_to(struct umsim_span *tree, const struct umsim_span *range)
{
    if (tree != range)
        refresh_down_to(is_before(range, tree) ? tree->lower : tree->higher, range);
    refresh(tree);
}

void umsim_spans_add(struct umsim_spans *set, struct umsim_span *range)
{
    range->number = ++set->added;
    set->root = insert(set->root, range);
    set->count++;
}

void umsim_spans_remove(struct umsim_spans *set, struct umsim_span *range)
{
    set->root = without(set->root, range);
    set->count--;
}

void umsim_spans_change(struct umsim_spans *set, struct umsim_span *range, uintptr_t start, size_t bytes)
{
    range->start = start;
    range->bytes = bytes;
    refresh_down_to(set->root, range);
}

struct umsim_span *umsim_spans_up_to(const struct umsim_spans *set, uintptr_t address)
{
    struct umsim_span *best = NULL;
    for (struct umsim_span *tree = set->root; tree;) {
        const bool reaches = tree->start <= address;
        best = reaches ? tree : best;
        tree = reaches ? tree->higher : tree->lower;
    }
    return best;
}

struct umsim_span *umsim_spans_behind(const struct umsim_spans *set, uintptr_t address)
{
    struct umsim_span *best = NULL;
    for (struct umsim_span *tree = set->root; tree;) {
        const bool is_behind = tree->start > address;
        best = is_behind ? tree : best;
        tree = is_behind ? tree->lower : tree->higher;
    }
    return best;
}

static bool has(const struct umsim_span *tree, size_t bytes)
{
    return tree && tree->most >= bytes;
}

struct umsim_span *umsim_spans_first_of(const struct umsim_spans *set, size_t bytes)
{
    struct umsim_span *tree = has(set->root, bytes) ? set->root : NULL;
    while (tree && (has(tree->lower, bytes) || tree->bytes < bytes))
        tree = has(tree->lower, bytes) ? tree->lower : tree->higher;
    return tree;
}
