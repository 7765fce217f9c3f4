/**
 * @file settle.c
 * @brief Implementation of block.h: counts lanes that did what was to be expected (way.c), step by step.
 */
#include "block.h"

#include <string.h>

/* Counts a step of the lanes in `lanes`. */
static void settle_access(struct umsim_counting *it, size_t i, uint32_t lanes)
{
    const struct umsim_count_way *way = &it->way;
    const struct umsim_count_step *step = &way->step[i];
    struct umsim_count_request *request = step->request;
    const size_t bytes = UMSIM_COUNT_KEY_BYTES(way->last[i].key);
    const int64_t stride = (int64_t)way->stride[i].p;
    const uint64_t base = way->last[i].p - (uint64_t)(stride * (int)(way->latest % UMSIM_WARP_LANES));
    while (lanes) {
        const unsigned lane = (unsigned)__builtin_ctz(lanes), half = lane / UMSIM_COUNT_HALF;
        const uint64_t p = base + (uint64_t)(stride * (int)lane);
        uint32_t now = UINT32_C(1) << lane;
        if (request->known >> half & 1 && request->row[half].stride == stride &&
            umsim_count_in_row(request, lane) == p)
            now = lanes & ((UINT32_C(1) << UMSIM_COUNT_HALF) - 1) << half * UMSIM_COUNT_HALF;
        if (now & (now - 1))
            request->lanes |= now;
        else
            umsim_count_add_lane(it, request, lane, p, bytes);
        lanes &= ~now;
    }
}

static void settle_rest(struct umsim_counting *it, size_t i, uint32_t lanes)
{
    const struct umsim_count_way *way = &it->way;
    struct umsim_count_rest *rest = way->step[i].rest;
    const size_t bytes = UMSIM_COUNT_KEY_BYTES(way->last[i].key);
    const int others = __builtin_popcount(lanes) - 1;
    umsim_count_rest_widen(rest, way->last[i].p, bytes);
    umsim_count_rest_widen(rest, way->last[i].p - way->stride[i].p * (uint64_t)others, bytes);
    rest->skipped += (uint64_t)others + 1;
}

static void settle_extent(struct umsim_counting *it, size_t i, uint32_t lanes)
{
    const struct umsim_count_way *way = &it->way;
    const size_t bytes = UMSIM_COUNT_KEY_BYTES(way->last[i].key);
    const int others = __builtin_popcount(lanes) - 1;
    umsim_count_add_to_extent(way->step[i].site, way->last[i].p, bytes);
    umsim_count_add_to_extent(way->step[i].site, way->last[i].p - way->stride[i].p * (uint64_t)others, bytes);
}

/* Lanes that have done the same so far have come to a segment equally often. */
static void settle_segment(struct umsim_counting *it, const struct umsim_segment *segment, uint32_t lanes)
{
    uint32_t *counter =
        umsim_segment_counter(&it->segments, it->way.warp * UMSIM_WARP_LANES, umsim_segment_place(segment));
    const unsigned first = (unsigned)__builtin_ctz(lanes), last = 31 - (unsigned)__builtin_clz(lanes);
    const uint32_t before = counter[first - 1];
    for (unsigned lane = first; lane <= last; lane++)
        counter[lane] = before;
}

/* Lanes that are settled together lie side by side. */
static void settle_visits(struct umsim_counting *it, uint32_t lanes)
{
    const struct umsim_count_way *way = &it->way;
    const size_t first = way->warp * UMSIM_WARP_LANES + (unsigned)__builtin_ctz(lanes),
                 last = way->warp * UMSIM_WARP_LANES + 31 - (unsigned)__builtin_clz(lanes);
    for (size_t i = 0; i < way->length; i++) {
        const struct umsim_count_step *step = &way->step[i];
        if (!step->is_first || !step->site || step->rest)
            continue;
        const struct umsim_count_visit visit = {.request = step->site->settled & INT32_MAX};
        struct umsim_count_visit *of = umsim_count_visit_of_step(step, first);
        for (size_t thread = first; thread <= last; thread++, of += UMSIM_COUNT_ABREAST)
            memcpy(of, &visit, sizeof visit); /* no bit of it stays */
    }
}

void umsim_count_settle(struct umsim_counting *it)
{
    struct umsim_count_way *way = &it->way;
    const uint32_t lanes = way->pending;
    if (!lanes)
        return;
    way->pending = 0;
    for (size_t i = 0; i < way->length; i++) {
        const struct umsim_count_step *step = &way->step[i];
        if (step->rest) {
            settle_rest(it, i, lanes);
        } else if (step->site && it->weight) {
            settle_access(it, i, lanes);
            step->site->settled = step->number;
        } else if (step->site) {
            settle_extent(it, i, lanes);
        }
        if (step->is_first_of_segment)
            settle_segment(it, step->segment, lanes);
    }
    if (it->weight)
        settle_visits(it, lanes);
}
