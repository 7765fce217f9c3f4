/**
 * @file rest.c
 * @brief Implementation of block.h: what threads do beyond as much as is counted whole.
 *
 * A thread that loops for long does the same again and again. Of its first lines (accesses and segments) all
 * is counted; of the rest of an interval all segments, but of each instruction only a few accesses, as it may
 * not have been there before. How many accesses are left out is counted for each instruction, and from where
 * to where they are. When the block has ended, each instruction's requests are taken that many times. So are
 * those for which there was no space.
 *
 * What this cannot see: data that later passes find in the first level because earlier ones fetched it.
 */
#include "block.h"

void umsim_count_rest_begin(struct umsim_counting *it)
{
    it->in_rest = it->left = true;
    umsim_count_stray(it);
    it->at = UMSIM_COUNT_WAY; /* elsewhere */
    umsim_count_here.accesses_end = INTPTR_MIN;
    for (unsigned i = 0; i < it->rests; i++)
        it->rest[it->rest_list[i]].left = UMSIM_COUNT_REST_EACH;
}

/* @return NULL if there are too many */
static struct umsim_count_rest *rest_of(struct umsim_counting *it, const void *pc)
{
    for (size_t i = 0; i < UMSIM_COUNT_SITES; i++) {
        const size_t at = (umsim_count_rest_hash(pc) + i) % UMSIM_COUNT_SITES;
        struct umsim_count_rest *rest = &it->rest[at];
        if (rest->pc == pc)
            return rest;
        if (rest->pc)
            continue;
        *rest = (struct umsim_count_rest){.pc = pc, .left = UMSIM_COUNT_REST_EACH, .lowest = UINTPTR_MAX};
        it->rest_list[it->rests++] = (uint16_t)at;
        return rest;
    }
    return NULL;
}

void umsim_count_rest_forget(struct umsim_counting *it)
{
    for (; it->rests > 0; it->rests--)
        it->rest[it->rest_list[it->rests - 1]].pc = NULL;
}

static void skip(struct umsim_counting *it, struct umsim_count_rest *rest, uintptr_t p, size_t bytes)
{
    if (!rest) {
        it->skipped++;
        return;
    }
    umsim_count_rest_skip(rest, p, bytes);
}

void umsim_count_skip(struct umsim_counting *it, const struct umsim_count_noted *noted)
{
    skip(it, rest_of(it, (const void *)(uintptr_t)UMSIM_COUNT_KEY_OF(noted->key)), noted->p,
         UMSIM_COUNT_KEY_BYTES(noted->key));
}

void umsim_count_rest_access(struct umsim_counting *it, uintptr_t p, size_t bytes, enum umsim_counts_how how,
                             const void *pc)
{
    struct umsim_count_rest *rest = rest_of(it, pc);
    const struct umsim_count_noted noted = {p, UMSIM_COUNT_KEY(pc, bytes, how)};
    struct umsim_count_step step;
    it->made = true;
    if (!rest || rest->left == 0) {
        skip(it, rest, p, bytes);
        return;
    }
    rest->left--;
    umsim_count_log_end(it); /* the segment that this is in is known then */
    umsim_count_one(it, &noted, &step);
}

void umsim_count_rest_log(struct umsim_counting *it, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct umsim_count_noted *noted = &it->log[i];
        it->segments.latest[it->thread] = umsim_count_segment_of(noted);
        if (!(noted->key & UMSIM_COUNT_KEY_DONE))
            umsim_count_segment(it, umsim_count_segment_of(noted));
    }
}

static uint64_t times(uint64_t count, uint64_t skipped, uint64_t lanes)
{
    return count + (uint64_t)((double)count * (double)skipped / (double)lanes);
}

static void scale(struct umsim_counts_site *count, uint64_t skipped, uint64_t lanes)
{
    uint64_t *const counts[] = {&count->requests, &count->lanes,   &count->bytes,    &count->passes,
                                &count->sectors,  &count->runs,    &count->fetched,  &count->waited,
                                &count->beside,   &count->packets, &count->granules, &count->places};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        *counts[i] = times(*counts[i], skipped, lanes);
}

/* An instruction may be a site more than once, for each kind of memory. */
static uint64_t lanes_at(const struct umsim_counting *it, const void *pc)
{
    uint64_t lanes = 0;
    for (unsigned i = 0; i < it->sites; i++)
        lanes += it->site[i].pc == pc && it->site[i].stamp == it->stamp ? it->count[i].lanes : 0;
    return lanes;
}

static void widen(uint64_t *lowest, uint64_t *end, const struct umsim_count_rest *rest)
{
    *lowest = rest->lowest < *lowest ? rest->lowest : *lowest;
    *end = rest->end > *end ? rest->end : *end;
}

static void scale_sites(struct umsim_counting *it, const struct umsim_count_rest *rest, uint64_t lanes)
{
    for (unsigned i = 0; i < it->sites; i++) {
        struct umsim_count_site *site = &it->site[i];
        if (site->pc != rest->pc || site->stamp != it->stamp)
            continue;
        const bool is_of = rest->lowest >= site->begin && rest->end - site->begin <= site->bytes;
        if (lanes)
            scale(&it->count[i], rest->skipped, lanes);
        if (is_of && it->weight)
            widen(&it->count[i].lowest, &it->count[i].end, rest);
        else if (is_of)
            widen(&site->lowest, &site->end, rest);
    }
}

void umsim_count_rest_scale(struct umsim_counting *it)
{
    for (unsigned i = 0; i < it->rests; i++) {
        const struct umsim_count_rest *rest = &it->rest[it->rest_list[i]];
        if (rest->skipped)
            scale_sites(it, rest, it->weight ? lanes_at(it, rest->pc) : 0);
    }
}
