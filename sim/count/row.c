/**
 * @file row.c
 * @brief Implementation of block.h: lanes that follow others, of which each notes as much as is expected.
 *
 * Whether it is what was expected (way.c) is asked later: their notes lie one behind the other in a log of
 * their own, and are compared when one notes more or less, when there is no space, and when the block comes
 * to something else. What is alike is pending then, as if each had been compared when the next one went on;
 * where one is not, it and what it concerns is gone through lane by lane.
 *
 * A row goes on into the next warp where all its lanes have done the same as the one before them: what they
 * do makes new requests there, and these are known without a look at the instructions.
 */
#include "block.h"

#include <string.h>

typedef uint64_t line __attribute__((vector_size(16)));
#define TOGETHER 4

/* The thread follows others: it may note as much as is expected, and so may those behind it. */
static bool begin_row(struct umsim_counting *it)
{
    const struct umsim_count_way *way = &it->way;
    const unsigned own = way->length - it->commons;
    if (!it->follows || !it->weight || !way->length || it->commons > way->length || own > UMSIM_COUNT_ROW / 2)
        return false;
    for (unsigned i = 0; i < it->commons; i++)
        if (way->stride[i].p || way->last[i].p != it->common[i].p || way->last[i].key != it->common[i].key)
            return false;
    struct umsim_count_here *here = &umsim_count_here;
    const intptr_t commons = (intptr_t)(it->commons * sizeof it->log[0]);
    here->row_thread = it->thread;
    here->row_end = it->thread + (own ? UMSIM_COUNT_ROW / own : UMSIM_BLOCK_THREADS_MAX);
    here->row_bytes = (intptr_t)(own * sizeof it->log[0]);
    here->row_next = -UMSIM_COUNT_LOG_BYTES + commons + here->row_bytes;
    here->at = -UMSIM_COUNT_LOG_BYTES + commons;
    here->log_end = (char *)&it->row[UMSIM_COUNT_LOG] - commons;
    return true;
}

static bool is_in_memory(const struct umsim_count_way *way)
{
    bool is = true;
    for (size_t i = 0; i < way->length; i++)
        is &= way->last[i].p - way->step[i].begin < way->step[i].bytes;
    return is;
}

/* The first lane of the next warp noted what it was to: that makes other requests. */
static void cross(struct umsim_counting *it)
{
    struct umsim_count_way *way = &it->way;
    bool is_told = true;
    if (it->segments.one_by_one)
        umsim_segments_warp_ends(&it->segments);
    way->warp++;
    it->left = it->left_row = it->strayed = false;
    for (it->at = 0; it->at < way->length; it->at++) {
        const struct umsim_count_noted *noted = &way->last[it->at];
        struct umsim_count_step *step = &way->step[it->at];
        if (step->segment)
            umsim_count_segment(it, step->segment);
        if (step->rest)
            umsim_count_rest_skip(step->rest, noted->p, UMSIM_COUNT_KEY_BYTES(noted->key));
        else if (!umsim_count_is_segment(noted))
            is_told &= umsim_count_alike(it, noted, step);
    }
    it->at = is_told ? it->at : UMSIM_COUNT_WAY;
    it->segments.latest[it->thread] = it->segments.latest[it->thread - 1];
    umsim_count_way_end(it);
}

/* What differs in `lines` of what so many lanes noted: as many as lie in a line of the host's cache are
 * compared together. */
static inline __attribute__((always_inline)) line
differs(const line *last, const line *stride, const line *noted, size_t own, unsigned lanes, size_t lines)
{
    line other = {0, 0}, expected[TOGETHER];
    for (size_t i = 0; i < lines; i++)
        expected[i] = last[i];
    for (unsigned lane = 0; lane < lanes; lane++, noted += own)
        for (size_t i = 0; i < lines; i++) {
            expected[i] += stride[i];
            other |= expected[i] ^ noted[i];
        }
    return other;
}

/* Whether so many lanes noted what they were to, each `own` lines of it. Then the last of them is the latest
 * one. */
static bool are_expected(struct umsim_counting *it, const struct umsim_count_noted *noted, size_t own,
                         unsigned lanes)
{
    line *last = (line *)&it->way.last[it->commons], other = {0, 0};
    const line *stride = (const line *)&it->way.stride[it->commons], *is = (const line *)noted;
    size_t i = 0;
    for (; i + TOGETHER <= own; i += TOGETHER)
        other |= differs(&last[i], &stride[i], &is[i], own, lanes, TOGETHER);
    for (; i < own; i++)
        other |= differs(&last[i], &stride[i], &is[i], own, lanes, 1);
    if (other[0] | other[1])
        return false;
    for (i = 0; i < own; i++)
        it->way.last[it->commons + i].p += lanes * it->way.stride[it->commons + i].p;
    return true;
}

/* Those of the lanes that have done the same so far as the one before them. */
static unsigned alike(const struct umsim_counting *it, unsigned lanes)
{
    const uint32_t *history = &it->history[it->thread];
    unsigned count = 0, other = 0;
    for (unsigned lane = 0; lane < lanes; lane++)
        other |= history[lane] ^ it->way.before;
    while (other && count < lanes && history[count] == it->way.before)
        count++;
    return other ? count : lanes;
}

/* Lanes of one warp go in row. */
static void go_in_row(struct umsim_counting *it, unsigned lanes)
{
    struct umsim_count_way *way = &it->way;
    const unsigned first = it->thread;
    const struct umsim_segment **latest = &it->segments.latest[first], *is = latest[-1];
    for (unsigned lane = 0; lane < lanes; lane++)
        it->history[first + lane] = way->after;
    for (unsigned lane = 0; lane < lanes; lane++)
        latest[lane] = is;
    way->pending |= (uint32_t)((UINT64_C(1) << lanes) - 1) << first % UMSIM_WARP_LANES;
    way->latest = first + lanes - 1;
}

/* How many of the next lanes noted what they were to: all of a warp, or one. */
static unsigned going_in_row(struct umsim_counting *it, const struct umsim_count_noted *noted, size_t own,
                             unsigned lanes)
{
    struct umsim_count_way *way = &it->way;
    const unsigned warp = it->thread / UMSIM_WARP_LANES,
                   left = UMSIM_WARP_LANES - it->thread % UMSIM_WARP_LANES;
    if (it->thread != way->latest + 1 || !way->in_rows || way->in_vain || way->length != it->commons + own)
        return 0;
    lanes = alike(it, lanes < left ? lanes : left);
    if (warp == way->warp) {
        if (lanes && !are_expected(it, noted, own, lanes))
            lanes = are_expected(it, noted, own, 1);
        go_in_row(it, lanes);
        return lanes;
    }
    umsim_count_settle(it);
    if (!lanes || !are_expected(it, noted, own, 1))
        return 0;
    if (is_in_memory(way)) {
        cross(it);
        return 1;
    }
    for (size_t i = it->commons; i < way->length; i++)
        way->last[i].p -= way->stride[i].p;
    return 0;
}

/* What the current thread notes begins with this. */
static void put(struct umsim_counting *it, const struct umsim_count_noted *noted, size_t count)
{
    memcpy(it->log, it->common, it->commons * sizeof it->log[0]);
    memcpy(&it->log[it->commons], noted, count * sizeof it->log[0]);
    umsim_count_here.at = -UMSIM_COUNT_LOG_BYTES + (intptr_t)((it->commons + count) * sizeof it->log[0]);
}

/* Lanes up to the current one noted as much as they were to: one that noted anything else goes on by itself,
 * and so does the current one. */
void umsim_count_row_through(struct umsim_counting *it)
{
    const struct umsim_count_here here = umsim_count_here;
    const unsigned current = here.row_thread;
    const bool strayed = it->strayed, segments_done = it->segments_done;
    const size_t own = (size_t)here.row_bytes / sizeof it->row[0],
                 last = (size_t)(here.at + UMSIM_COUNT_LOG_BYTES) / sizeof it->row[0] - it->commons;
    const struct umsim_count_noted *noted = it->row;
    umsim_count_here.row_next = UMSIM_COUNT_NO_ROW;
    while (it->thread < current) {
        const unsigned lanes = going_in_row(it, noted, own, current - it->thread);
        it->thread += lanes;
        noted += lanes * own;
        if (lanes)
            continue;
        umsim_count_interval_begin(it);
        put(it, noted, own);
        umsim_count_interval_end(it);
        it->thread++;
        noted += own;
    }
    umsim_count_interval_begin(it);
    put(it, noted, last);
    it->strayed = strayed;
    it->segments_done = segments_done;
}

static __attribute__((noinline)) void enter(struct umsim_worker *worker, size_t thread)
{
    struct umsim_counting *it = worker->counting;
    if (it->is_common)
        umsim_count_take_common(it);
    umsim_count_interval_end(it);
    it->thread = (unsigned)thread;
    if (!it->weight && !umsim_count_is_outer(thread, worker->command->threads_a_block)) {
        umsim_count_log_leave();
        return;
    }
    umsim_count_interval_begin(it);
    if (!begin_row(it))
        put(it, it->row, 0);
}

/* Whether the thread before noted as much as was to be expected: then so may this one. */
static inline __attribute__((always_inline)) bool enters_row(size_t thread)
{
    struct umsim_count_here *here = &umsim_count_here;
    if (here->at != here->row_next || thread != (size_t)here->row_thread + 1 || thread >= here->row_end)
        return false;
    here->log_end += here->row_bytes;
    here->at = here->row_next - here->row_bytes;
    here->row_thread++;
    return true;
}

void umsim_count_enter(struct umsim_worker *worker, size_t thread)
{
    if (!enters_row(thread))
        enter(worker, thread);
}

/* What the block did comes first. */
__attribute__((visibility("default"))) void umsim_count_thread(unsigned long thread)
{
    if (!enters_row(thread))
        enter(umsim_this_worker, thread);
}
