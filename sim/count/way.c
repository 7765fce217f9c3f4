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

static void settle_visits(struct umsim_counting *it, uint32_t lanes)
{
    const struct umsim_count_way *way = &it->way;
    for (size_t i = 0; i < way->length; i++) {
        const struct umsim_count_step *step = &way->step[i];
        if (!step->is_first || !step->site || step->rest)
            continue;
        for (uint32_t left = lanes; left; left &= left - 1) {
            const size_t thread = way->warp * UMSIM_WARP_LANES + (unsigned)__builtin_ctz(left);
            *umsim_count_visit_of_step(step, thread) =
                (struct umsim_count_visit){.request = step->site->settled & INT32_MAX};
        }
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
        } else if (step->is_first) {
            settle_segment(it, umsim_count_segment_of(&way->last[i]), lanes);
        }
    }
    if (it->weight)
        settle_visits(it, lanes);
}

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
        if (umsim_count_is_segment(&way->last[i])) {
            it->segments.latest[it->thread] = umsim_count_segment_of(&way->last[i]);
            if (!it->segments_done)
                umsim_count_segment(it, umsim_count_segment_of(&way->last[i]));
        }
        make_step(it, i, way->last[i].p + way->stride[i].p);
    }
}

static bool is_first_of_segment(struct umsim_counting *it, const struct umsim_count_noted *noted)
{
    uint16_t *first = &it->first_step[umsim_segment_place(umsim_count_segment_of(noted))];
    if (*first < it->at && it->way.last[*first].key == noted->key)
        return false;
    *first = (uint16_t)it->at;
    return true;
}

/* What the thread does is the way's next step, and what lay behind is none. */
static void leave_way(struct umsim_counting *it, const struct umsim_count_noted *noted)
{
    struct umsim_count_way *way = &it->way;
    struct umsim_count_step step = {.begin = 0, .bytes = 1};
    const struct umsim_count_step *like = &way->step[it->at];
    bool is_told = true;
    it->left = true;
    if (umsim_count_is_segment(noted)) {
        step.is_first = is_first_of_segment(it, noted);
    } else if (it->at < way->noted && way->last[it->at].key == noted->key &&
               noted->p - like->begin < like->bytes) {
        step = *like;
        is_told = umsim_count_alike(it, noted, &step);
    } else {
        is_told = umsim_count_one(it, noted, &step);
    }
    if (it->at == UMSIM_COUNT_WAY)
        return;
    way->noted = it->at < way->noted ? way->noted : it->at + 1;
    way->step[it->at] = step;
    way->last[it->at] = *noted;
    way->stride[it->at] = (struct umsim_count_noted){0, 0};
    way->known = it->at + is_told;
    it->at = is_told ? it->at + 1 : UMSIM_COUNT_WAY;
}

static void go_on(struct umsim_counting *it, const struct umsim_count_noted *noted)
{
    if (umsim_count_is_segment(noted)) {
        it->segments.latest[it->thread] = umsim_count_segment_of(noted);
        if (!(noted->key & UMSIM_COUNT_KEY_DONE))
            umsim_count_segment(it, umsim_count_segment_of(noted));
    }
    if (it->at < it->way.known && is_alike(it, it->at, noted))
        make_step(it, it->at++, noted->p);
    else
        leave_way(it, noted);
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
        umsim_count_common_full();
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

/* The thread has gone the way, or made another one. */
static __attribute__((noinline)) void end_of_way(struct umsim_counting *it)
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
        end_of_way(it);
        return;
    }
    went_in_row(it);
}

void umsim_count_interval_end(struct umsim_counting *it)
{
    end_interval(it);
}

static __attribute__((noinline)) void enter(struct umsim_counting *it, size_t thread, size_t threads)
{
    end_interval(it);
    it->thread = (unsigned)thread;
    if (!it->weight && !umsim_count_is_outer(thread, threads))
        umsim_count_log_leave();
    else if (umsim_count_here.log_end)
        begin_interval(it);
    else
        umsim_count_interval_begin(it);
}

/* The common case, of what end_interval() and begin_interval() do: a lane did in one log what was to be
 * expected, and so may the next one. */
static inline __attribute__((always_inline)) bool goes_on_in_row(struct umsim_counting *it, size_t thread)
{
    struct umsim_count_way *way = &it->way;
    const size_t noted = (size_t)(umsim_count_here.at + UMSIM_COUNT_LOG_BYTES) / sizeof it->log[0];
    if (!it->follows || it->made || !it->weight || !noted || noted != way->length ||
        thread != it->thread + 1 || thread % UMSIM_WARP_LANES == 0 || it->history[thread] != way->before ||
        !is_expected(way, 0, it->log, noted))
        return false;
    umsim_count_here.at = -UMSIM_COUNT_LOG_BYTES;
    went_in_row(it);
    it->thread = (unsigned)thread;
    return true;
}

void umsim_count_enter(struct umsim_worker *worker, size_t thread)
{
    struct umsim_counting *it = worker->counting;
    if (!goes_on_in_row(it, thread))
        enter(it, thread, worker->command->threads_a_block);
}

/* What the block did comes first. */
__attribute__((visibility("default"))) void umsim_count_thread(unsigned long thread)
{
    struct umsim_worker *worker = umsim_this_worker;
    struct umsim_counting *it = worker->counting;
    if (__builtin_expect(it->is_common, 0))
        umsim_count_take_common(it);
    umsim_count_enter(worker, thread);
    if (!umsim_count_here.log_end)
        return;
    for (unsigned i = 0; i < it->commons; i++)
        it->log[i] = it->common[i];
    umsim_count_here.at += (intptr_t)(it->commons * sizeof it->log[0]);
}
