/**
 * @file settle.c
 * @brief umsim_timeline_settle() of timeline.h: decides which of thousands of operations runs next.
 *
 * Read timeline.c first. Two facts make this near-linear:
 *  - Starts are placed in rising order. Every candidate starts no earlier than the one just placed, and so do
 *    those that it releases.
 *  - An operation for which no gap is left goes behind everything on its engine. So among those operations
 *    the one with the least (ready, issue number) is next.
 *
 * Each engine therefore has two heaps. `last` holds candidates that go behind everything. `gaps` holds those
 * that, when last examined, fitted into a gap left over from earlier settling; it is ordered by the start
 * found then. Starts only ever grow, so it is enough to examine the top of `gaps`: if its start has grown, it
 * moves down, or over to `last`. What has a share of other lines is in `gaps` in any case, because more than
 * its engine decides when it starts.
 */
#include "timeline.h"
#include <string.h>

/** A binary heap of item indices; the least is at 0. */
struct heap {
    uint32_t *slots;
    size_t count;
    int by_start; /* order by (start, ready, issue number) instead of (ready, issue number) */
};

/** The state of one call. The arrays are in the caller's scratch memory. */
struct work {
    struct umsim_timeline *timeline;
    struct umsim_item *items;
    size_t count;
    uint64_t *ready;   /* of each item: max(issue, ready_ns, ends of its placed dependencies) */
    uint32_t *waiting; /* of each item: dependencies not yet placed */
    uint32_t *first;   /* of each item: where its dependents begin in `dependents`; one more at the end */
    uint32_t *dependents;
    struct heap gaps[UMSIM_LINES], last[UMSIM_LINES];
    uint64_t lines; /* a bit for each line with candidates, or that had some since it was last looked at */
};
_Static_assert(UMSIM_LINES <= 64, "a bit each");

static size_t dependencies_of_all(const struct umsim_item *items, size_t count)
{
    size_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += items[i].dependency_count;
    return total;
}

size_t umsim_timeline_scratch(const struct umsim_item *items, size_t count)
{
    /* ready; waiting, first, two heap slots; the end of first; dependents */
    return count * (sizeof(uint64_t) + 4 * sizeof(uint32_t)) + sizeof(uint32_t) +
           dependencies_of_all(items, count) * sizeof(uint32_t);
}

/** The order in which items are chosen. Indices come last, so that even equal issue numbers give one answer.
 */
static int comes_before(const struct work *work, uint32_t a, uint32_t b, int by_start)
{
    const struct umsim_item *x = &work->items[a], *y = &work->items[b];
    if (by_start && x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns;
    if (work->ready[a] != work->ready[b])
        return work->ready[a] < work->ready[b];
    if (x->issue_number != y->issue_number)
        return x->issue_number < y->issue_number;
    return a < b;
}

static void heap_push(const struct work *work, struct heap *heap, uint32_t item)
{
    size_t i = heap->count++;
    while (i > 0 && comes_before(work, item, heap->slots[(i - 1) / 2], heap->by_start)) {
        heap->slots[i] = heap->slots[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    heap->slots[i] = item;
}

static uint32_t heap_pop(const struct work *work, struct heap *heap)
{
    uint32_t least = heap->slots[0], moved = heap->slots[--heap->count];
    size_t i = 0, child;
    while ((child = 2 * i + 1) < heap->count) {
        if (child + 1 < heap->count &&
            comes_before(work, heap->slots[child + 1], heap->slots[child], heap->by_start))
            child++;
        if (!comes_before(work, heap->slots[child], moved, heap->by_start))
            break;
        heap->slots[i] = heap->slots[child];
        i = child;
    }
    heap->slots[i] = moved;
    return least;
}

/** Lays out the arrays in the scratch memory, and counts for each item the dependencies that it waits for. */
static enum umsim_settle prepare(struct work *work, void *scratch)
{
    size_t n = work->count, line_items[UMSIM_LINES];
    memset(line_items, 0, umsim_timeline_lines(work->timeline) * sizeof *line_items);
    work->ready = scratch;
    work->waiting = (uint32_t *)(void *)(work->ready + n);
    uint32_t *slots = work->waiting + n;
    work->first = slots + 2 * n;
    work->dependents = work->first + n + 1;
    memset(work->first, 0, (n + 1) * sizeof *work->first);
    for (size_t i = 0; i < n; i++) {
        struct umsim_item *item = &work->items[i];
        line_items[item->line]++;
        work->ready[i] = item->ready_ns > item->issue_ns ? item->ready_ns : item->issue_ns;
        work->waiting[i] = item->dependency_count;
        for (uint32_t d = 0; d < item->dependency_count; d++) {
            if (item->dependencies[d] >= n)
                return UMSIM_SETTLE_BAD_INDEX;
            work->first[item->dependencies[d]]++;
        }
    }
    for (unsigned e = 0; e < umsim_timeline_lines(work->timeline); e++) {
        work->gaps[e] = (struct heap){slots, 0, 1};
        work->last[e] = (struct heap){slots + line_items[e], 0, 0};
        slots += 2 * line_items[e];
    }
    /* Running sums give where each item's dependents end; filling backwards leaves where they begin. */
    for (size_t i = 1; i <= n; i++)
        work->first[i] += work->first[i - 1];
    for (size_t i = n; i-- > 0;)
        for (uint32_t d = work->items[i].dependency_count; d-- > 0;)
            work->dependents[--work->first[work->items[i].dependencies[d]]] = (uint32_t)i;
    return UMSIM_SETTLED;
}

/** Puts an item whose dependencies are placed into the heap where it now belongs. */
static void enter(struct work *work, uint32_t index)
{
    struct umsim_item *item = &work->items[index];
    item->start_ns = umsim_timeline_peek_item(work->timeline, item, work->ready[index]);
    int behind_all =
        !item->share_count && (!umsim_line_is_engine(item->line) ||
                               item->start_ns >= umsim_timeline_tail(work->timeline, item->line));
    heap_push(work, behind_all ? &work->last[item->line] : &work->gaps[item->line], index);
    work->lines |= UINT64_C(1) << item->line;
}

/** Brings the top of an engine's `gaps` up to date, so that it is the least start in that heap. */
static void refresh_gaps(struct work *work, struct heap *gaps)
{
    while (gaps->count > 0) {
        uint32_t top = gaps->slots[0];
        const struct umsim_item *item = &work->items[top];
        if (umsim_timeline_peek_item(work->timeline, item, work->ready[top]) == item->start_ns)
            return;
        enter(work, heap_pop(work, gaps));
    }
}

/** The heap whose top is placed next, or NULL when no item is a candidate. */
static struct heap *next_heap(struct work *work)
{
    struct heap *best = NULL;
    for (uint64_t left = work->lines; left; left &= left - 1) {
        const unsigned e = (unsigned)__builtin_ctzll(left);
        struct heap *of_engine[] = {&work->gaps[e], &work->last[e]};
        refresh_gaps(work, of_engine[0]);
        if (of_engine[0]->count + of_engine[1]->count == 0)
            work->lines &= ~(UINT64_C(1) << e);
        if (of_engine[1]->count > 0) {
            uint32_t top = of_engine[1]->slots[0];
            struct umsim_item *item = &work->items[top];
            item->start_ns = umsim_timeline_peek_item(work->timeline, item, work->ready[top]);
        }
        for (int h = 0; h < 2; h++)
            if (of_engine[h]->count > 0 &&
                (!best || comes_before(work, of_engine[h]->slots[0], best->slots[0], 1)))
                best = of_engine[h];
    }
    return best;
}

enum umsim_settle umsim_timeline_settle(struct umsim_timeline *timeline, struct umsim_item *items,
                                        size_t count, void *scratch, size_t scratch_bytes)
{
    struct work work; /* its heaps, some KiB, are made for the lines that there are */
    work.timeline = timeline;
    work.items = items;
    work.count = count;
    work.lines = 0;
    if (count >= UINT32_MAX || scratch_bytes < umsim_timeline_scratch(items, count))
        return UMSIM_SETTLE_SCRATCH;
    if (count == 1 && items->dependency_count == 0) { /* a call that waits for what it has asked for */
        const uint64_t ready = items->ready_ns > items->issue_ns ? items->ready_ns : items->issue_ns;
        items->start_ns = umsim_timeline_place_item(timeline, items, ready);
        items->end_ns = items->start_ns + items->duration_ns;
        return UMSIM_SETTLED;
    }
    enum umsim_settle bad = prepare(&work, scratch);
    if (bad)
        return bad;
    size_t placed = 0;
    for (size_t i = 0; i < count; i++) {
        items[i].start_ns = items[i].end_ns = UINT64_MAX;
        if (items[i].dependency_count == 0)
            enter(&work, (uint32_t)i);
    }
    for (struct heap *heap; (heap = next_heap(&work)); placed++) {
        uint32_t index = heap_pop(&work, heap);
        struct umsim_item *item = &items[index];
        item->start_ns = umsim_timeline_place_item(timeline, item, work.ready[index]);
        item->end_ns = item->start_ns + item->duration_ns;
        for (uint32_t d = work.first[index]; d < work.first[index + 1]; d++) {
            uint32_t dependent = work.dependents[d];
            if (work.ready[dependent] < item->end_ns)
                work.ready[dependent] = item->end_ns;
            if (--work.waiting[dependent] == 0)
                enter(&work, dependent);
        }
    }
    return placed == count ? UMSIM_SETTLED : UMSIM_SETTLE_CYCLE;
}
