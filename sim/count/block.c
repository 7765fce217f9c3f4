/**
 * @file block.c
 * @brief Implementation of block.h: which accesses of a warp's lanes make one request.
 */
#include "block.h"
#include "region.h"

#include <string.h>

#define PIECE UMSIM_COUNT_PIECE

/* ---- sites ---- */

static inline struct umsim_count_visit *visit_of(struct umsim_counting *it,
                                                 const struct umsim_count_site *site, unsigned thread)
{
    return &it->visits[site->index / UMSIM_COUNT_ABREAST][thread].of[site->index % UMSIM_COUNT_ABREAST];
}

static void begin_anew(struct umsim_counting *it, struct umsim_count_site *site, size_t threads)
{
    struct umsim_count_visits **visits = &it->visits[site->index / UMSIM_COUNT_ABREAST];
    const struct umsim_segment *latest = it->segments.latest[it->thread];
    site->stamp = it->stamp;
    site->unrolled = latest ? latest->unrolled : 1;
    site->lowest = UINT64_MAX;
    site->end = 0;
    memset(it->first[site->index], 0, sizeof it->first[0]);
    if (!*visits)
        *visits = umsim_count_take(&it->memory, threads * sizeof **visits);
}

static const void *pc_of(const struct umsim_count_noted *noted)
{
    return (const void *)(uintptr_t)UMSIM_COUNT_KEY_OF(noted->key);
}

static size_t hash_of(const void *pc)
{
    return (size_t)(((uintptr_t)pc * UINT64_C(0x9e3779b97f4a7c15)) >> 55) % UMSIM_COUNT_SITES;
}

/* The site as the latest access of the instruction to this memory had it. */
static inline struct umsim_count_site *site_as_before(const struct umsim_counting *it, const void *pc,
                                                      unsigned how, uintptr_t p)
{
    struct umsim_count_site *site = it->by_pc[hash_of(pc)];
    while (site && (site->pc != pc || p - site->begin >= site->bytes || site->how != how))
        site = site->next;
    return site && site->stamp == it->stamp ? site : NULL;
}

/* @return NULL when there are too many */
static struct umsim_count_site *site_of(struct umsim_counting *it, const struct umsim_count_noted *noted,
                                        unsigned kind)
{
    const void *pc = pc_of(noted);
    const unsigned how = UMSIM_COUNT_KEY_HOW(noted->key);
    const size_t hash = hash_of(pc);
    struct umsim_count_site *site = it->by_pc[hash];
    while (site && (site->pc != pc || site->kind != kind || site->how != how))
        site = site->next;
    if (!site && it->sites < UMSIM_COUNT_SITES) {
        site = &it->site[it->sites];
        site->pc = pc;
        site->kind = (uint8_t)kind;
        site->how = (uint8_t)how;
        site->index = (uint16_t)it->sites++;
        site->stamp = 0;
        site->next = it->by_pc[hash];
        it->by_pc[hash] = site;
    }
    return site;
}

static void note_memory(struct umsim_count_memory *memory, unsigned count, unsigned *latest,
                        const struct umsim_count_region *region)
{
    *latest = (*latest + 1) % count;
    memory[*latest] = (struct umsim_count_memory){region->begin, region->end - region->begin};
}

/* The site of an instruction that has not been at this memory before, in this block. @return NULL if the
 * access is not counted */
static __attribute__((noinline)) struct umsim_count_site *find_site(struct umsim_counting *it,
                                                                    const struct umsim_count_noted *noted)
{
    const struct umsim_worker *worker = umsim_this_worker;
    const struct umsim_count_region region = umsim_count_region_at(worker, noted->p);
    /* Where shared memory is accessed from and to tells nothing. */
    if (region.kind == UMSIM_COUNTS_OTHER || (!it->weight && region.kind == UMSIM_COUNTS_SHARED)) {
        note_memory(umsim_count_here.uncounted, 3, &umsim_count_here.latest_uncounted, &region);
        return NULL;
    }
    struct umsim_count_site *site = site_of(it, noted, region.kind);
    if (!site) {
        it->skipped++;
        return NULL;
    }
    if (!umsim_count_is_counted(noted->p))
        note_memory(umsim_count_here.counted, 2, &umsim_count_here.latest_counted, &region);
    if (site->stamp != it->stamp)
        begin_anew(it, site, worker->command->threads_a_block);
    site->begin = region.begin;
    site->bytes = region.end - region.begin;
    return site;
}

/* ---- requests ---- */

static uint32_t request_make(struct umsim_counting *it, const struct umsim_count_site *site, unsigned warp)
{
    const uint32_t most = it->first[site->index][warp] ? UMSIM_COUNT_REPEATED : UMSIM_COUNTS_REQUESTS - 1;
    if (it->requests >= most)
        return 0;
    const uint32_t made = ++it->requests;
    it->request[made] = (struct umsim_count_request){.site = site->index};
    if (it->last_of_warp[warp])
        it->request[it->last_of_warp[warp]].next_of_warp = made;
    else
        it->first_of_warp[warp] = made;
    it->last_of_warp[warp] = made;
    return made;
}

/* The request of this visit: the one behind that of the thread's last visit. */
static uint32_t request_of(struct umsim_counting *it, const struct umsim_count_site *site, unsigned thread)
{
    const unsigned warp = thread / UMSIM_WARP_LANES;
    struct umsim_count_visit *visit = visit_of(it, site, thread);
    uint32_t *link =
        visit->request ? &it->request[visit->request].next_at_site : &it->first[site->index][warp];
    if (!*link)
        *link = request_make(it, site, warp);
    if (*link)
        visit->request = *link & INT32_MAX;
    return *link;
}

/* Its addresses are in no rows any more. @return whether there is space for them */
static bool spill(struct umsim_counting *it, struct umsim_count_request *request)
{
    if (it->spills + 1 >= UMSIM_COUNT_SPILLS)
        return false;
    request->spill = ++it->spills;
    request->known = 0;
    for (unsigned lane = 0; lane < UMSIM_WARP_LANES; lane++)
        if (request->lanes >> lane & 1)
            it->spill[request->spill][lane] = umsim_count_in_row(request, lane);
    return true;
}

/* The second lane of a half: says how far lanes are apart. @return false if by no whole number */
static bool begin_row(struct umsim_count_row *row, unsigned lane, unsigned other, uint64_t p)
{
    const int64_t apart = (int64_t)(p - row->base), steps = (int)lane - (int)other;
    if (!steps || apart % steps)
        return false;
    row->stride = apart / steps;
    row->base = p - (uint64_t)(row->stride * (int)lane);
    return true;
}

/* Notes whether each half's row is known, after lanes have come or gone. */
static void note_known(struct umsim_count_request *request)
{
    request->known = 0;
    for (unsigned half = 0; half < 2 && !request->spill; half++) {
        const uint32_t lanes = umsim_count_half(request, half);
        request->known |= (uint8_t)((lanes & (lanes - 1)) != 0) << half;
    }
}

/* @return false if there is no space for the address */
static bool add_lane(struct umsim_counting *it, struct umsim_count_request *request, unsigned lane,
                     uint64_t p, size_t bytes)
{
    const unsigned half = lane / UMSIM_COUNT_HALF;
    const uint32_t known = umsim_count_half(request, half);
    struct umsim_count_row *row = &request->row[half];
    bool fits = request->spill || !known;
    if (!known && !request->spill)
        *row = (struct umsim_count_row){p, 0};
    else if (!request->spill && (known & (known - 1)) == 0)
        fits = begin_row(row, lane, half * UMSIM_COUNT_HALF + (unsigned)__builtin_ctz(known), p);
    else if (!request->spill)
        fits = umsim_count_in_row(request, lane) == p;
    if (!fits && !spill(it, request))
        return false;
    if (request->spill)
        it->spill[request->spill][lane] = p;
    request->lanes |= 1U << lane;
    request->size = (uint8_t)bytes > request->size ? (uint8_t)bytes : request->size;
    note_known(request);
    return true;
}

void umsim_count_add_lane(struct umsim_counting *it, struct umsim_count_request *request, unsigned lane,
                          uint64_t p, size_t bytes)
{
    if (!umsim_count_add_expected(request, lane, p, bytes) && !add_lane(it, request, lane, p, bytes))
        it->skipped++;
}

uint32_t umsim_count_next_request(const struct umsim_counting *it, const struct umsim_count_site *site)
{
    const uint32_t latest = it->visits[site->index / UMSIM_COUNT_ABREAST][it->thread]
                                .of[site->index % UMSIM_COUNT_ABREAST]
                                .request;
    return latest ? it->request[latest].next_at_site : it->first[site->index][it->thread / UMSIM_WARP_LANES];
}

/* ---- accesses ---- */

/* @return NULL where nothing is counted */
static struct umsim_count_site *find_place(struct umsim_counting *it, const struct umsim_count_noted *noted)
{
    if (umsim_count_passes_by(noted->p))
        return NULL;
    struct umsim_count_site *site =
        site_as_before(it, pc_of(noted), UMSIM_COUNT_KEY_HOW(noted->key), noted->p);
    return site ? site : find_site(it, noted);
}

/* @return the request that it is part of; 0 if it is none, or there is no space */
static uint32_t add_access(struct umsim_counting *it, struct umsim_count_site *site,
                           const struct umsim_count_noted *noted, struct umsim_count_rest **rest)
{
    *rest = NULL;
    if (!it->weight) {
        umsim_count_add_to_extent(site, noted->p, UMSIM_COUNT_KEY_BYTES(noted->key));
        return 0;
    }
    const uint32_t request = request_of(it, site, it->thread);
    if (request)
        umsim_count_add_lane(it, &it->request[request], it->thread % UMSIM_WARP_LANES, noted->p,
                             UMSIM_COUNT_KEY_BYTES(noted->key));
    else
        *rest = umsim_count_skip(it, noted);
    return request;
}

/* @return NULL while nothing is noted */
static struct umsim_counting *counting_now(void)
{
    return umsim_count_here.log_end ? umsim_this_worker->counting : NULL;
}

void umsim_count_access_now(uintptr_t p, size_t bytes, enum umsim_counts_how how, const void *pc)
{
    struct umsim_counting *it = counting_now();
    if (it && it->in_rest) {
        struct umsim_count_rest *rest = &it->rest[umsim_count_rest_hash(pc)];
        if (rest->pc == pc && !rest->left && bytes <= PIECE) {
            umsim_count_rest_skip(rest, p, bytes);
            return;
        }
    }
    if (!it || (!umsim_count_is_counted(p) && umsim_count_passes_by(p)))
        return;
    for (size_t done = 0; done < bytes; done += PIECE) {
        const size_t part = bytes - done < PIECE ? bytes - done : PIECE;
        if (umsim_count_here.at >= UMSIM_COUNT_ACCESSES_END)
            umsim_count_row_end(it);
        if (!it->in_rest && umsim_count_here.at >= UMSIM_COUNT_ACCESSES_END)
            umsim_count_log_end(it);
        if (it->in_rest) {
            umsim_count_rest_access(it, p + done, part, how, pc);
            continue;
        }
        *(struct umsim_count_noted *)(umsim_count_here.log_end + umsim_count_here.at) =
            (struct umsim_count_noted){p + done, UMSIM_COUNT_KEY(pc, part, how)};
        umsim_count_here.at += (intptr_t)sizeof(struct umsim_count_noted);
    }
}

static void note_segment(const struct umsim_segment *segment)
{
    if (!umsim_count_here.segments)
        return;
    if (umsim_count_here.at == 0)
        umsim_count_log_full();
    *(struct umsim_count_noted *)(umsim_count_here.log_end + umsim_count_here.at) =
        (struct umsim_count_noted){0, (uintptr_t)segment};
    umsim_count_here.at += (intptr_t)sizeof(struct umsim_count_noted);
}

void umsim_count_first_access_now(uintptr_t p, size_t bytes, enum umsim_counts_how how, const void *pc)
{
    note_segment(umsim_segment_behind((uintptr_t)pc));
    umsim_count_access_now(p, bytes, how, pc);
}

/* Whether no step of the way so far is of the site. */
static bool is_first(struct umsim_counting *it, struct umsim_count_site *site)
{
    if (site->first_step < it->at && it->way.step[site->first_step].site == site)
        return false;
    site->first_step = (uint16_t)it->at;
    return true;
}

bool umsim_count_one(struct umsim_counting *it, const struct umsim_count_noted *noted,
                     struct umsim_count_step *step)
{
    struct umsim_count_site *site = find_place(it, noted);
    *step = (struct umsim_count_step){.site = site};
    for (int i = 0; !site && i < 3; i++) {
        step->begin = umsim_count_here.uncounted[i].begin;
        step->bytes = umsim_count_here.uncounted[i].bytes;
        if (noted->p - step->begin < step->bytes)
            return true;
    }
    if (!site)
        return false;
    step->begin = site->begin;
    step->bytes = site->bytes;
    return umsim_count_alike(it, noted, step);
}

bool umsim_count_alike(struct umsim_counting *it, const struct umsim_count_noted *noted,
                       struct umsim_count_step *step)
{
    struct umsim_count_site *site = step->site;
    if (!site)
        return true;
    step->number = add_access(it, site, noted, &step->rest);
    step->is_first = is_first(it, site);
    if (!it->weight || !step->number)
        return !it->weight || step->rest;
    step->visits = it->visits[site->index / UMSIM_COUNT_ABREAST];
    step->abreast = site->index % UMSIM_COUNT_ABREAST;
    step->request = &it->request[step->number];
    return true;
}

/* @return the site of what the thread does beside the log; NULL if nothing is counted */
static struct umsim_count_site *stray_to(struct umsim_counting *it, const struct umsim_count_noted *noted)
{
    if (!it)
        return NULL;
    umsim_count_stray(it);
    return find_place(it, noted);
}

void umsim_count_load(uintptr_t p, size_t bytes, const void *pc)
{
    struct umsim_counting *it = counting_now();
    const struct umsim_count_noted noted = {p, UMSIM_COUNT_KEY(pc, bytes, UMSIM_COUNTS_READ)};
    struct umsim_count_site *site = stray_to(it, &noted);
    struct umsim_count_rest *rest;
    if (!site)
        return;
    add_access(it, site, &noted, &rest);
    it->loaded[it->thread] = (struct umsim_count_loaded){p, visit_of(it, site, it->thread)->request};
}

/* What was read for the exchange is no request of its own. */
static void forget_load(struct umsim_counting *it, unsigned thread, uintptr_t p)
{
    struct umsim_count_loaded *loaded = &it->loaded[thread];
    if (loaded->request && loaded->p == p) {
        it->request[loaded->request].lanes &= ~(1U << thread % UMSIM_WARP_LANES);
        note_known(&it->request[loaded->request]);
    }
    loaded->request = 0;
}

void umsim_count_exchange(uintptr_t p, size_t bytes, bool failed, enum umsim_counts_how how, const void *pc)
{
    struct umsim_counting *it = counting_now();
    const struct umsim_count_noted noted = {p, UMSIM_COUNT_KEY(pc, bytes, how)};
    struct umsim_count_site *site = stray_to(it, &noted);
    if (!site)
        return;
    forget_load(it, it->thread, p);
    const unsigned lane = it->thread % UMSIM_WARP_LANES;
    struct umsim_count_visit *visit = visit_of(it, site, it->thread);
    const struct umsim_count_request *request = &it->request[visit->request];
    const bool is_again =
        visit->request && visit->failed &&
        (request->spill ? it->spill[request->spill][lane] : umsim_count_in_row(request, lane)) == p;
    visit->failed = failed;
    struct umsim_count_rest *rest;
    if (!is_again)
        add_access(it, site, &noted, &rest);
}
