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
 * What the first level lacks is another matter: first passes fetch what later ones find there. So the rest is
 * taken to miss as the late requests do, those that are counted of the rest itself; and where the cache has
 * space for all that a block reads, nothing is fetched twice.
 */
#include "block.h"

#include <math.h>

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

struct umsim_count_rest *umsim_count_skip(struct umsim_counting *it, const struct umsim_count_noted *noted)
{
    struct umsim_count_rest *rest = rest_of(it, (const void *)(uintptr_t)UMSIM_COUNT_KEY_OF(noted->key));
    skip(it, rest, noted->p, UMSIM_COUNT_KEY_BYTES(noted->key));
    return rest;
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
    if (umsim_count_one(it, &noted, &step) && step.request)
        step.request->is_late = 1;
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

/* ---- when the block has ended ---- */

/* So many times what was counted of an instruction it does beyond. */
static void scale_asked(struct umsim_counts_site *count, double times)
{
    uint64_t *const counts[] = {&count->requests, &count->lanes, &count->bytes,  &count->passes,
                                &count->sectors,  &count->runs,  &count->packets};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        *counts[i] += (uint64_t)((double)*counts[i] * times);
}

/* Of the sectors and requests beyond, as many miss as of those of late requests.
 * @param most sectors that may be fetched beyond those that were */
static void scale_missed(struct umsim_counts_site *count, const struct umsim_counts_site *late, double times,
                         double most)
{
    const struct umsim_counts_site is = late->requests && late->sectors ? *late : *count;
    if (!is.requests || !is.sectors)
        return;
    const double requests = (double)count->requests * times / (double)is.requests,
                 sectors = (double)count->sectors * times / (double)is.sectors,
                 fetched = (double)is.fetched * sectors, fits = fetched > most ? most / fetched : 1;
    count->fetched += (uint64_t)(fetched * fits);
    count->granules += (uint64_t)((double)is.granules * sectors * fits);
    count->places += (uint64_t)((double)is.places * sectors * fits);
    count->waited += (uint64_t)((double)is.waited * requests * fits);
    count->beside += (uint64_t)((double)is.beside * requests * fits);
}

static bool is_of(const struct umsim_counting *it, const struct umsim_count_site *site,
                  const struct umsim_count_rest *rest)
{
    return site->pc == rest->pc && site->stamp == it->stamp;
}

/* An instruction may be a site more than once, for each kind of memory. */
static uint64_t lanes_at(const struct umsim_counting *it, const struct umsim_count_rest *rest)
{
    uint64_t lanes = 0;
    for (unsigned i = 0; i < it->sites; i++)
        lanes += is_of(it, &it->site[i], rest) ? it->count[i].lanes : 0;
    return lanes;
}

static void widen(uint64_t *lowest, uint64_t *end, const struct umsim_count_rest *rest)
{
    *lowest = rest->lowest < *lowest ? rest->lowest : *lowest;
    *end = rest->end > *end ? rest->end : *end;
}

static void widen_sites(struct umsim_counting *it, const struct umsim_count_rest *rest)
{
    for (unsigned i = 0; i < it->sites; i++) {
        struct umsim_count_site *site = &it->site[i];
        if (!is_of(it, site, rest) || rest->lowest < site->begin || rest->end - site->begin > site->bytes)
            continue;
        if (it->weight)
            widen(&it->count[i].lowest, &it->count[i].end, rest);
        else
            widen(&site->lowest, &site->end, rest);
    }
}

/* Whether the cache has space for all that the block's reads, or else its writes, ask for; with some to
 * spare, as many lines may meet in one set. */
static bool all_fits(const struct umsim_counting *it, bool writes)
{
    const struct umsim_count_cache *cache = writes ? &it->writes : &it->reads;
    uint64_t lines = 0;
    for (unsigned i = 0; i < it->sites; i++) {
        const struct umsim_counts_site *count = &it->count[i];
        if (it->site[i].stamp == it->stamp && count->kind != UMSIM_COUNTS_SHARED &&
            writes == (count->how != UMSIM_COUNTS_READ) && count->end > count->lowest)
            lines += (count->end - 1) / UMSIM_LINE - count->lowest / UMSIM_LINE + 1;
    }
    return lines * 4 <= (uint64_t)cache->sets * UMSIM_COUNT_WAYS * 3;
}

static double left_of(const struct umsim_counts_site *count, bool fits)
{
    const uint64_t sectors =
        count->end > count->lowest ? (count->end - 1) / UMSIM_SECTOR - count->lowest / UMSIM_SECTOR + 1 : 0;
    return !fits ? HUGE_VAL : sectors > count->fetched ? (double)(sectors - count->fetched) : 0;
}

static void scale_sites(struct umsim_counting *it, const struct umsim_count_rest *rest, const bool fits[2])
{
    const uint64_t lanes = lanes_at(it, rest);
    for (unsigned i = 0; i < it->sites; i++) {
        struct umsim_counts_site *count = &it->count[i];
        if (!is_of(it, &it->site[i], rest) || !count->lanes)
            continue;
        const double times = (double)rest->skipped / (double)lanes;
        scale_missed(count, &it->late[i], times, left_of(count, fits[count->how != UMSIM_COUNTS_READ]));
        scale_asked(count, times);
    }
}

void umsim_count_rest_scale(struct umsim_counting *it)
{
    for (unsigned i = 0; i < it->rests; i++)
        if (it->rest[it->rest_list[i]].skipped)
            widen_sites(it, &it->rest[it->rest_list[i]]);
    if (!it->weight || !it->rests)
        return;
    const bool fits[] = {all_fits(it, false), all_fits(it, true)};
    for (unsigned i = 0; i < it->rests; i++)
        if (it->rest[it->rest_list[i]].skipped)
            scale_sites(it, &it->rest[it->rest_list[i]], fits);
}
