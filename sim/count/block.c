/**
 * @file block.c
 * @brief Implementation of block.h: which accesses of a warp's lanes make one request.
 */
#include "block.h"
#include "region.h"

#include <string.h>

/** The most that one lane asks for in one request. */
#define PIECE 16

__thread struct umsim_count_uncounted umsim_count_uncounted __attribute__((tls_model("initial-exec")));

/* ---- sites ---- */

static inline struct umsim_count_visit *visit_of(struct umsim_counting *it,
                                                 const struct umsim_count_site *site, unsigned thread)
{
    return &it->visits[site->index / UMSIM_COUNT_ABREAST].of[thread][site->index % UMSIM_COUNT_ABREAST];
}

static void begin_anew(struct umsim_counting *it, struct umsim_count_site *site, size_t threads)
{
    const unsigned abreast = site->index / UMSIM_COUNT_ABREAST;
    site->stamp = it->stamp;
    site->lowest = UINT64_MAX;
    site->end = 0;
    memset(it->first[site->index], 0, sizeof it->first[0]);
    if (it->visits_stamp[abreast] != it->stamp) {
        it->visits_stamp[abreast] = it->stamp;
        memset(it->visits[abreast].of, 0, threads * sizeof it->visits[0].of[0]);
    }
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
static struct umsim_count_site *site_of(struct umsim_counting *it, const void *pc, unsigned kind,
                                        unsigned how)
{
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
        site->unrolled = umsim_segment_lane.latest ? umsim_segment_lane.latest->unrolled : 1;
        site->stamp = 0;
        site->next = it->by_pc[hash];
        it->by_pc[hash] = site;
    }
    return site;
}

/* The site of an instruction that has not been at this memory before, in this block. @return NULL if the
 * access is not counted */
static __attribute__((noinline)) struct umsim_count_site *find_site(struct umsim_counting *it, uintptr_t p,
                                                                    enum umsim_counts_how how, const void *pc)
{
    const struct umsim_worker *worker = umsim_this_worker;
    const struct umsim_count_region region = umsim_count_region_at(worker, p);
    if (region.kind == UMSIM_COUNTS_OTHER) {
        umsim_count_uncounted = (struct umsim_count_uncounted){region.begin, region.end - region.begin};
        return NULL;
    }
    struct umsim_count_site *site = site_of(it, pc, region.kind, how);
    if (!site) {
        it->skipped++;
        return NULL;
    }
    if (site->stamp != it->stamp)
        begin_anew(it, site, worker->command->threads_a_block);
    site->begin = region.begin;
    site->bytes = region.end - region.begin;
    return site;
}

/* ---- requests ---- */

static uint32_t request_make(struct umsim_counting *it, const struct umsim_count_site *site, unsigned warp)
{
    if (it->requests + 1 >= UMSIM_COUNTS_REQUESTS)
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

/* The address that is expected, as most are. @return whether it was */
static inline bool add_expected(struct umsim_count_request *request, unsigned lane, uint64_t p, size_t bytes)
{
    if (!(request->known >> lane / UMSIM_COUNT_HALF & 1) || umsim_count_in_row(request, lane) != p)
        return false;
    request->lanes |= 1U << lane;
    request->size = (uint8_t)bytes > request->size ? (uint8_t)bytes : request->size;
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

/* The place that the current thread accesses; its site is NULL where nothing is counted. */
struct place {
    struct umsim_counting *counting;
    struct umsim_count_site *site;
    unsigned thread;
};

static struct place find_place(uintptr_t p, enum umsim_counts_how how, const void *pc)
{
    struct umsim_worker *worker = umsim_this_worker;
    struct umsim_counting *it = worker ? worker->counting : NULL;
    struct place place = {it, NULL, 0};
    if (!it || umsim_count_passes_by(p))
        return place;
    place.thread = it->thread;
    place.site = site_as_before(it, pc, how, p);
    if (!place.site)
        place.site = find_site(it, p, how, pc);
    return place;
}

/* A lane that opens a request, or whose address was not to be expected; an access of several pieces. */
static __attribute__((noinline)) void add_unexpected(struct place place, uintptr_t p, size_t bytes)
{
    struct umsim_counting *it = place.counting;
    for (size_t done = 0; done < bytes; done += PIECE) {
        const size_t part = bytes - done < PIECE ? bytes - done : PIECE;
        const uint32_t request = request_of(it, place.site, place.thread);
        if (!request || !add_lane(it, &it->request[request], place.thread % UMSIM_WARP_LANES, p + done, part))
            it->skipped++;
    }
}

static void add_to_extent(struct umsim_count_site *site, uintptr_t p, size_t bytes)
{
    site->lowest = p < site->lowest ? p : site->lowest;
    site->end = p + bytes > site->end ? p + bytes : site->end;
}

/* The access that is expected, as most are. @return whether it was */
static inline __attribute__((always_inline)) bool
is_expected(struct umsim_counting *it, const struct umsim_count_site *site, uintptr_t p, size_t bytes)
{
    struct umsim_count_visit *visit = visit_of(it, site, it->thread);
    const uint32_t next = visit->request ? it->request[visit->request].next_at_site
                                         : it->first[site->index][it->thread / UMSIM_WARP_LANES];
    if (!next || bytes > PIECE || !it->weight ||
        !add_expected(&it->request[next], it->thread % UMSIM_WARP_LANES, p, bytes))
        return false;
    visit->request = next & INT32_MAX;
    return true;
}

static void add_access(struct place place, uintptr_t p, size_t bytes)
{
    if (!place.counting->weight)
        add_to_extent(place.site, p, bytes);
    else if (!is_expected(place.counting, place.site, p, bytes))
        add_unexpected(place, p, bytes);
}

static __attribute__((noinline)) void access_slowly(uintptr_t p, size_t bytes, enum umsim_counts_how how,
                                                    const void *pc)
{
    const struct place place = find_place(p, how, pc);
    if (place.site)
        add_access(place, p, bytes);
}

/* What is fast here calls nothing, so that it saves no registers. */
void umsim_count_access(uintptr_t p, size_t bytes, enum umsim_counts_how how, const void *pc)
{
    const struct umsim_worker *worker = umsim_this_worker;
    struct umsim_counting *it = worker ? worker->counting : NULL;
    if (!it)
        return;
    struct umsim_count_site *site = site_as_before(it, pc, how, p);
    if (!site)
        access_slowly(p, bytes, how, pc);
    else if (!it->weight)
        add_to_extent(site, p, bytes);
    else if (!is_expected(it, site, p, bytes))
        access_slowly(p, bytes, how, pc);
}

void umsim_count_load(uintptr_t p, size_t bytes, const void *pc)
{
    const struct place place = find_place(p, UMSIM_COUNTS_READ, pc);
    if (!place.site)
        return;
    add_access(place, p, bytes);
    place.counting->loaded[place.thread] =
        (struct umsim_count_loaded){p, visit_of(place.counting, place.site, place.thread)->request};
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
    const struct place place = find_place(p, how, pc);
    if (!place.site)
        return;
    forget_load(place.counting, place.thread, p);
    struct umsim_counting *it = place.counting;
    const unsigned lane = place.thread % UMSIM_WARP_LANES;
    struct umsim_count_visit *visit = visit_of(it, place.site, place.thread);
    const struct umsim_count_request *request = &it->request[visit->request];
    const bool is_again =
        visit->request && visit->failed &&
        (request->spill ? it->spill[request->spill][lane] : umsim_count_in_row(request, lane)) == p;
    visit->failed = failed;
    if (!is_again)
        add_access(place, p, bytes);
}
