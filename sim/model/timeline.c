/**
 * @file timeline.c
 * @brief Implementation of timeline.h: engines as lists of busy intervals.
 *
 * settle.c orders whole sets of operations on them.
 */
#include "timeline.h"
#include <string.h>

void umsim_timeline_init(struct umsim_timeline *timeline)
{
    timeline->devices = 1;
    for (int i = 0; i < UMSIM_LINES; i++) {
        struct umsim_engine_line *line = &timeline->engines[i];
        line->count = 0;
        line->tail_ns = line->busy_ns = 0;
    }
    timeline->floor_ns = 0;
}

unsigned umsim_timeline_lines(const struct umsim_timeline *timeline)
{
    return UMSIM_ENGINES * (timeline->devices ? timeline->devices : 1);
}

/** Index of the first interval that ends after `time`: only this one and those behind it can be in the way.
 */
static size_t first_after(const struct umsim_engine_line *line, uint64_t time)
{
    size_t low = 0, high = line->count;
    if (high && line->busy[high - 1].end <= time) /* mostly */
        return high;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (line->busy[middle].end > time)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

uint64_t umsim_timeline_peek(const struct umsim_timeline *timeline, unsigned number, uint64_t ready_ns,
                             uint64_t duration_ns)
{
    const struct umsim_engine_line *line = &timeline->engines[number];
    uint64_t start = ready_ns > timeline->floor_ns ? ready_ns : timeline->floor_ns;
    if (!umsim_line_is_engine(number))
        return start;
    for (size_t i = first_after(line, start); i < line->count; i++) {
        if (line->busy[i].start > start && line->busy[i].start - start >= duration_ns)
            break;
        start = line->busy[i].end;
    }
    return start;
}

/** Makes space in a list that has become full: joins the oldest quarter into one interval. Its gaps are the
 * least likely to be wanted. */
static void give_up_oldest_gaps(struct umsim_engine_line *line)
{
    size_t merged = line->count / 4;
    line->busy[merged].start = line->busy[0].start;
    line->count -= merged;
    memmove(line->busy, line->busy + merged, line->count * sizeof *line->busy);
}

/** Marks [start, end), which is free, as busy. Neighbours that touch become one. */
static void occupy(struct umsim_engine_line *line, uint64_t start, uint64_t end)
{
    size_t at = first_after(line, start);
    struct umsim_interval *busy = line->busy;
    int left = at > 0 && busy[at - 1].end == start;
    int right = at < line->count && busy[at].start == end;
    if (left && right) {
        busy[at - 1].end = busy[at].end;
        line->count--;
        memmove(busy + at, busy + at + 1, (line->count - at) * sizeof *busy);
    } else if (left) {
        busy[at - 1].end = end;
    } else if (right) {
        busy[at].start = start;
    } else {
        memmove(busy + at + 1, busy + at, (line->count - at) * sizeof *busy);
        busy[at] = (struct umsim_interval){start, end};
        line->count++;
    }
    /* This comes last: a gap must not vanish between being found and being used. */
    if (line->count == UMSIM_TIMELINE_INTERVALS)
        give_up_oldest_gaps(line);
}

uint64_t umsim_timeline_place(struct umsim_timeline *timeline, unsigned number, uint64_t ready_ns,
                              uint64_t duration_ns)
{
    struct umsim_engine_line *line = &timeline->engines[number];
    uint64_t start = umsim_timeline_peek(timeline, number, ready_ns, duration_ns), end = start + duration_ns;
    if (duration_ns > 0 && umsim_line_is_engine(number)) {
        occupy(line, start, end);
        if (end > line->tail_ns)
            line->tail_ns = end;
        line->busy_ns += duration_ns;
    }
    return start;
}

uint64_t umsim_timeline_peek_item(const struct umsim_timeline *timeline, const struct umsim_item *item,
                                  uint64_t ready_ns)
{
    uint64_t start = ready_ns, before;
    do {
        before = start;
        start = umsim_timeline_peek(timeline, item->line, start, item->duration_ns);
        for (unsigned i = 0; i < item->share_count; i++)
            start = umsim_timeline_peek(timeline, item->share[i].line, start, item->share[i].duration_ns);
    } while (item->share_count && start != before);
    return start;
}

uint64_t umsim_timeline_place_item(struct umsim_timeline *timeline, const struct umsim_item *item,
                                   uint64_t ready_ns)
{
    if (!item->share_count)
        return umsim_timeline_place(timeline, item->line, ready_ns, item->duration_ns);
    const uint64_t start = umsim_timeline_peek_item(timeline, item, ready_ns);
    for (unsigned i = 0; i < item->share_count; i++)
        umsim_timeline_place(timeline, item->share[i].line, start, item->share[i].duration_ns);
    return umsim_timeline_place(timeline, item->line, start, item->duration_ns);
}

void umsim_timeline_prune(struct umsim_timeline *timeline, uint64_t floor_ns)
{
    if (floor_ns <= timeline->floor_ns)
        return;
    timeline->floor_ns = floor_ns;
    for (unsigned i = 0; i < umsim_timeline_lines(timeline); i++) {
        struct umsim_engine_line *line = &timeline->engines[i];
        size_t past = first_after(line, floor_ns);
        line->count -= past;
        memmove(line->busy, line->busy + past, line->count * sizeof *line->busy);
    }
}

uint64_t umsim_timeline_tail(const struct umsim_timeline *timeline, unsigned number)
{
    return timeline->engines[number].tail_ns;
}
