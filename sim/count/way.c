/**
 * @file way.c
 * @brief Implementation of block.h: what a thread has noted becomes part of its warp's requests.
 *
 * A thread's accesses and segments are noted as it comes to them, and counted when another thread goes on.
 * The lanes of a warp run one after another, and mostly do the same. So what those of one lane became is
 * kept, step by step, and the next lane's are compared with it:
 *
 * - Where both agree on the instruction and on the memory, and the site's first step tells that both lanes
 * had been there equally often, the access belongs to the same request, and nothing has to be looked up.
 * - Where two lanes went the same way from beginning to end, having done the same all along (their histories
 *   are one), it is known what the next lane is to note, each address as far from the latest lane's as that
 * is from the one before. If the next lane noted just this, it is noted as pending: one comparison of two
 *   logs, whatever is in them. Lanes that are pending are counted together, request by request, as soon as
 *   one does something else.
 * - Where they part, accesses are counted by themselves, and are the way for the lanes that follow.
 *
 * Nothing that is counted depends on which of these it was.
 */
#include "block.h"

#include <string.h>

/** Lanes that do not try to go on in a row when one has tried in vain. */
#define IN_VAIN 8

/* ---- lanes that do what is expected ---- */

/* Whether the thread noted what it was to; if so, it is what the latest noted. Word by word, as the hooks
 * have just written them: the host reads no more at once of what it has not yet stored. */
static inline __attribute__((always_inline)) bool
is_expected(struct umsim_count_way *way, size_t at, const struct umsim_count_noted *noted, size_t count)
{
    struct umsim_count_noted *last = &way->last[at];
    const struct umsim_count_noted *stride = &way->stride[at];
    uint64_t other = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t expected = last[i].p + stride[i].p;
        other |= (expected ^ noted[i].p) | (last[i].key ^ noted[i].key);
        last[i].p = expected;
    }
    if (__builtin_expect(!other, 1))
        return true;
    for (size_t i = 0; i < count; i++)
        last[i].p -= stride[i].p;
    return false;
}

/* ---- a lane that goes the way ---- */

static bool is_alike(struct umsim_counting *it, size_t i, const struct umsim_count_noted *noted)
{
    const struct umsim_count_step *step = &it->way.step[i];
    if (noted->key != it->way.last[i].key || noted->p - step->begin >= step->bytes)
        return false;
    return !step->is_first || !step->site || !it->weight ||
           umsim_count_next_request(it, step->site) == step->number;
}

/* The thread makes the step, whose segment, if it is one, is counted elsewhere. */
static void make_step(struct umsim_counting *it, size_t i, uint64_t p)
{
    struct umsim_count_way *way = &it->way;
    const struct umsim_count_step *step = &way->step[i];
    const size_t bytes = UMSIM_COUNT_KEY_BYTES(way->last[i].key);
    if (step->rest) {
        umsim_count_rest_skip(step->rest, p, bytes);
    } else if (step->site && it->weight) {
        umsim_count_add_lane(it, step->request, it->thread % UMSIM_WARP_LANES, p, bytes);
        *umsim_count_visit_of_step(step, it->thread) =
            (struct umsim_count_visit){.request = step->number & INT32_MAX};
    } else if (step->site) {
        umsim_count_add_to_extent(step->site, p, bytes);
    }
    way->stride[i].p = p - way->last[i].p;
    way->last[i].p = p;
}

/* The thread does not do what was expected: what it did so far becomes its own, as that of others did. */
static __attribute__((noinline)) void leave_row(struct umsim_counting *it)
{
    struct umsim_count_way *way = &it->way;
    way->in_vain = way->pending ? 0 : IN_VAIN;
    for (size_t i = 0; i < it->at; i++)
        way->last[i].p -= way->stride[i].p;
    umsim_count_settle(it);
    it->follows = false;
    it->left_row = true;
    for (size_t i = 0; i < it->at; i++) {
        if (way->step[i].segment) {
            it->segments.latest[it->thread] = way->step[i].segment;
            if (!it->segments_done)
                umsim_count_segment(it, way->step[i].segment);
        }
        make_step(it, i, way->last[i].p + way->stride[i].p);
    }
}

static bool is_first_of_segment(struct umsim_counting *it, const struct umsim_segment *segment)
{
    uint16_t *first = &it->first_step[umsim_segment_place(segment)];
    if (*first < it->at && it->way.step[*first].segment == segment)
        return false;
    *first = (uint16_t)it->at;
    return true;
}

/* What the thread does is the way's next step, and what lay behind is none. */
static void leave_way(struct umsim_counting *it, const struct umsim_count_noted *noted,
                      const struct umsim_segment *segment)
{
    struct umsim_count_way *way = &it->way;
    struct umsim_count_step *step = &way->step[it->at];
    const bool was_alike =
        it->at < way->noted && way->last[it->at].key == noted->key && noted->p - step->begin < step->bytes;
    bool is_told = true;
    it->left = true;
    if (umsim_count_is_segment(noted))
        *step = (struct umsim_count_step){.bytes = 1};
    else if (was_alike)
        is_told = umsim_count_alike(it, noted, step);
    else
        is_told = umsim_count_one(it, noted, step);
    step->segment = segment;
    step->is_first_of_segment = segment && is_first_of_segment(it, segment);
    if (it->at == UMSIM_COUNT_WAY)
        return;
    way->noted = it->at < way->noted ? way->noted : it->at + 1;
    way->last[it->at] = *noted;
    way->stride[it->at] = (struct umsim_count_noted){0, 0};
    way->known = it->at + is_told;
    it->at = is_told ? it->at + 1 : UMSIM_COUNT_WAY;
}

static void go_on(struct umsim_counting *it, const struct umsim_count_noted *noted)
{
    const struct umsim_segment *segment = it->weight ? umsim_count_segment_of(noted) : NULL;
    if (segment) {
        it->segments.latest[it->thread] = segment;
        if (!(noted->key & UMSIM_COUNT_KEY_DONE))
            umsim_count_segment(it, segment);
    }
    if (it->at < it->way.known && is_alike(it, it->at, noted))
        make_step(it, it->at++, noted->p);
    else
        leave_way(it, noted, segment);
}

/* What was noted is not all as expected. */
static __attribute__((noinline)) void go_through(struct umsim_counting *it, size_t count)
{
    if (it->follows)
        leave_row(it);
    for (size_t i = 0; i < count; i++)
        go_on(it, &it->log[i]);
}

static inline __attribute__((always_inline)) void end_log(struct umsim_counting *it)
{
    umsim_count_row_end(it);
    if (umsim_count_here.log_end != (char *)(it->log + UMSIM_COUNT_LOG) ||
        umsim_count_here.at == -UMSIM_COUNT_LOG_BYTES)
        return;
    const size_t count = (size_t)(umsim_count_here.at + UMSIM_COUNT_LOG_BYTES) / sizeof it->log[0];
    umsim_count_here.at = -UMSIM_COUNT_LOG_BYTES;
    it->made = true;
    it->lines += (uint32_t)count;
    if (it->in_rest) {
        umsim_count_rest_log(it, count);
        return;
    }
    if (it->follows && count <= it->way.length - it->at && is_expected(&it->way, it->at, it->log, count))
        it->at += (unsigned)count;
    else
        go_through(it, count);
}

void umsim_count_log_end(struct umsim_counting *it)
{
    if (it->is_common) {
        umsim_count_common_full(it);
        return;
    }
    end_log(it);
    if (!it->in_rest && it->lines >= it->lines_each)
        umsim_count_rest_begin(it);
}

void umsim_count_stray(struct umsim_counting *it)
{
    umsim_count_log_end(it);
    if (it->follows)
        leave_row(it);
    it->made = it->strayed = true;
}

void umsim_count_log_leave(void)
{
    umsim_count_here.log_end = NULL;
    umsim_count_here.at = 0;
    umsim_count_here.accesses_end = INTPTR_MIN;
    umsim_count_here.segments = 0;
    umsim_count_here.row_next = UMSIM_COUNT_NO_ROW;
}

/* ---- intervals, from one wait to the next ---- */

/* The thread is not to go on in a row. */
static __attribute__((noinline)) void begin_alone(struct umsim_counting *it, unsigned warp)
{
    struct umsim_count_way *way = &it->way;
    umsim_count_settle(it);
    way->in_vain -= way->in_vain > 0;
    if (way->warp == warp)
        return;
    if (it->segments.one_by_one && way->warp != UINT32_MAX)
        umsim_segments_warp_ends(&it->segments);
    way->warp = warp;
    way->known = way->length = way->in_vain = 0;
    way->in_rows = false;
}

static inline __attribute__((always_inline)) void begin_interval(struct umsim_counting *it)
{
    const struct umsim_count_way *way = &it->way;
    const unsigned warp = it->thread / UMSIM_WARP_LANES;
    it->at = it->lines = 0;
    it->made = it->left = it->left_row = it->strayed = it->segments_done = it->in_rest = false;
    umsim_count_here.accesses_end = UMSIM_COUNT_ACCESSES_END;
    it->follows = way->in_rows && way->warp == warp && it->thread == way->latest + 1 && !way->in_vain &&
                  (!it->weight || it->history[it->thread] == way->before);
    if (!it->follows)
        begin_alone(it, warp);
}

void umsim_count_interval_begin(struct umsim_counting *it)
{
    umsim_count_here.log_end = (char *)(it->log + UMSIM_COUNT_LOG);
    umsim_count_here.at = -UMSIM_COUNT_LOG_BYTES;
    umsim_count_here.segments = it->weight != 0;
    begin_interval(it);
}

/* Whether all lanes that follow in a row stay in the memory that the latest's steps are of. */
static bool stay_in_memory(const struct umsim_count_way *way)
{
    const uint64_t lanes = UMSIM_WARP_LANES - 1 - way->latest % UMSIM_WARP_LANES;
    bool stay = true;
    for (size_t i = 0; i < way->length; i++)
        stay &= way->last[i].p + way->stride[i].p * lanes - way->step[i].begin < way->step[i].bytes;
    return stay;
}

/* Whether the thread has done the same in this block as the one that last went the way. */
static bool is_like_latest(const struct umsim_counting *it)
{
    const unsigned mine = it->thread, others = it->way.latest;
    const struct umsim_segment_counts *segments = &it->segments;
    if (!it->weight)
        return true;
    if (mine != others + 1 || it->way.warp != others / UMSIM_WARP_LANES)
        return false;
    for (unsigned i = 0; i < it->sites; i += UMSIM_COUNT_ABREAST) {
        const struct umsim_count_visits *visits = it->visits[i / UMSIM_COUNT_ABREAST];
        if (visits && memcmp(&visits[mine], &visits[others], sizeof *visits) != 0)
            return false;
    }
    for (const struct umsim_segment *const *at = segments->list; at < segments->list_end; at++) {
        const uint32_t *counter = umsim_segment_counter(segments, mine, umsim_segment_place(*at));
        if (counter[mine % UMSIM_WARP_LANES] != counter[others % UMSIM_WARP_LANES])
            return false;
    }
    return true;
}

void umsim_count_way_end(struct umsim_counting *it)
{
    struct umsim_count_way *way = &it->way;
    uint32_t *history = &it->history[it->thread];
    const bool is_next = it->thread == way->latest + 1,
               is_same = !it->left && !it->strayed && it->at == way->length &&
                         (*history == way->before || is_like_latest(it));
    way->latest = it->thread;
    if (is_same) {
        way->before = *history;
        *history = way->after;
        way->in_rows = is_next && !it->left_row && !way->in_vain && stay_in_memory(way);
        return;
    }
    way->in_rows = false;
    way->length = it->at < UMSIM_COUNT_WAY ? it->at : 0;
    way->before = it->strayed || it->at == UMSIM_COUNT_WAY ? UINT32_MAX : *history;
    way->after = *history = ++it->histories;
}

/* The thread has done all that was to be expected, and no more. */
static inline __attribute__((always_inline)) void went_in_row(struct umsim_counting *it)
{
    struct umsim_count_way *way = &it->way;
    way->pending |= UINT32_C(1) << it->thread % UMSIM_WARP_LANES;
    way->latest = it->thread;
    it->history[it->thread] = way->after;
    it->segments.latest[it->thread] = it->segments.latest[it->thread - 1];
}

static inline __attribute__((always_inline)) void end_interval(struct umsim_counting *it)
{
    struct umsim_count_way *way = &it->way;
    end_log(it);
    if (!it->made)
        return;
    it->made = false;
    if (it->follows && (it->at < way->length || it->strayed))
        leave_row(it);
    if (!it->follows) {
        umsim_count_way_end(it);
        return;
    }
    went_in_row(it);
}

void umsim_count_interval_end(struct umsim_counting *it)
{
    end_interval(it);
}
