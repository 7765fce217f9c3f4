/**
 * @file way.c
 * @brief Implementation of block.h: what a thread has noted becomes part of its warp's requests.
 *
 * A thread's accesses are noted as they are made, and counted when another thread goes on. The lanes of a
 * warp run one after another, and mostly make the same accesses: so what those of one lane became is kept,
 * step by step, and the next lane's are compared with it. Where both agree on the instruction and on the
 * memory, and the site's first step tells that both lanes had been there equally often, the access belongs to
 * the same request, and nothing has to be looked up. Where they part, the accesses are counted by themselves,
 * and are the way for the lanes that follow. Nothing that is counted depends on which of both it was.
 */
#include "block.h"

void umsim_count_log_begin(struct umsim_counting *it)
{
    const unsigned warp = it->thread / UMSIM_WARP_LANES;
    umsim_count_here.next = it->log;
    umsim_count_here.end = it->log + UMSIM_COUNT_LOG;
    if (it->way_of_warp != warp)
        it->known = 0;
    it->way_of_warp = warp;
    it->at = 0;
}

void umsim_count_log_leave(void)
{
    umsim_count_here.next = umsim_count_here.end = NULL;
}

static bool is_alike(const struct umsim_count_step *step, const struct umsim_count_noted *noted)
{
    return noted->pc == step->pc && noted->p - step->begin < step->bytes;
}

/* @return the first access that does not go the way */
static const struct umsim_count_noted *
follow(struct umsim_counting *it, const struct umsim_count_noted *noted, const struct umsim_count_noted *end)
{
    const unsigned lane = it->thread % UMSIM_WARP_LANES;
    struct umsim_count_visit *visits = &it->visits[0].of[it->thread][0];
    const struct umsim_count_step *step = it->way + it->at, *last = it->way + it->known;
    for (; noted < end && step < last && is_alike(step, noted); noted++, step++) {
        if (!step->site)
            continue;
        if (step->is_first && umsim_count_next_request(it, step->site) != step->number)
            break;
        if (!umsim_count_add_expected(step->request, lane, noted->p, noted->bytes))
            umsim_count_add_lane(it, step->request, lane, noted->p, noted->bytes);
        visits[step->visit] = (struct umsim_count_visit){.request = step->number & INT32_MAX};
    }
    it->at = (unsigned)(step - it->way);
    return noted;
}

/* The same of a block of which only from where to where is noted. */
static const struct umsim_count_noted *follow_extent(struct umsim_counting *it,
                                                     const struct umsim_count_noted *noted,
                                                     const struct umsim_count_noted *end)
{
    for (; noted < end && it->at < it->known && is_alike(&it->way[it->at], noted); noted++, it->at++) {
        const struct umsim_count_step *step = &it->way[it->at];
        if (step->site)
            umsim_count_add_to_extent(step->site, noted->p, noted->bytes);
    }
    return noted;
}

/* The access is the way's next step, and what lay behind is none. */
static void leave_way(struct umsim_counting *it, const struct umsim_count_noted *noted)
{
    struct umsim_count_step step;
    const bool is_told = umsim_count_one(it, noted, &step);
    if (it->at == UMSIM_COUNT_WAY)
        return;
    if (is_told)
        it->way[it->at++] = step;
    it->known = it->at;
    it->at = is_told ? it->at : UMSIM_COUNT_WAY;
}

void umsim_count_log_end(struct umsim_counting *it)
{
    const struct umsim_count_noted *noted = it->log, *end = umsim_count_here.next;
    if (!end || noted == end)
        return;
    umsim_count_here.next = it->log;
    noted = it->weight ? follow(it, noted, end) : follow_extent(it, noted, end);
    for (; noted < end; noted++)
        leave_way(it, noted);
}
