/**
 * @file block.c
 * @brief Implementation of block.h: which accesses of a warp's lanes make one request.
 */
#include "block.h"
#include "../space/arena.h"
#include "../space/protection.h"
#include "../space/views.h"

/** The most that one lane asks for in one request. */
#define PIECE 16

static bool is_in(uintptr_t p, const char *start, const char *end)
{
    return p - (uintptr_t)start < (uintptr_t)end - (uintptr_t)start;
}

/* Memory of one kind around an address. */
struct region {
    uintptr_t begin;
    size_t bytes;
    enum umsim_counts_kind kind;
};

static struct region region_of(const void *begin, size_t bytes, enum umsim_counts_kind kind)
{
    return (struct region){(uintptr_t)begin, bytes, kind};
}

/* What lies in no arena and is no variable: registered host memory, or nothing that a warp asks a memory
 * for: stacks, parameters, constants. */
static struct region region_elsewhere(uintptr_t p)
{
    for (unsigned i = 0; i < atomic_load(&umsim_views->sections); i++) {
        const struct umsim_section *section = &umsim_views->section[i];
        if (is_in(p, section->base, (const char *)section->base + section->bytes))
            return region_of(section->base, section->bytes, UMSIM_COUNTS_DEVICE);
    }
    for (unsigned i = 0; i < atomic_load(&umsim_views->registered_used); i++) {
        const struct umsim_registered *it = &umsim_views->registered[i];
        if (is_in(p, it->base, (const char *)it->base + it->bytes))
            return region_of(it->base, it->bytes, UMSIM_COUNTS_HOST);
    }
    return region_of((const void *)p, 1, UMSIM_COUNTS_OTHER);
}

static struct region region_at(const struct umsim_worker *worker, uintptr_t p)
{
    const struct umsim_arena *arena = umsim_arena_of((const void *)p);
    if (arena)
        return region_of(arena->base, arena->size,
                         arena == &umsim_arenas[UMSIM_ARENA_DEVICE]   ? UMSIM_COUNTS_DEVICE
                         : arena == &umsim_arenas[UMSIM_ARENA_PINNED] ? UMSIM_COUNTS_HOST
                                                                      : UMSIM_COUNTS_MANAGED);
    const char *shared_end = worker->dynamic_shared + UMSIM_DYNAMIC_SHARED_MAX;
    if (is_in(p, worker->static_shared, shared_end))
        return region_of(worker->static_shared, (size_t)(shared_end - worker->static_shared),
                         UMSIM_COUNTS_SHARED);
    if (is_in(p, worker->stack, worker->signal_stack) || p >= (uintptr_t)worker->kept)
        if (is_in(p, (const char *)worker, worker->fiber_stacks + worker->slots_open * worker->slot_bytes))
            return region_of((const void *)p, 1, UMSIM_COUNTS_OTHER);
    return umsim_managed_space_of((const void *)p) ? region_of((const void *)p, 1, UMSIM_COUNTS_MANAGED)
                                                   : region_elsewhere(p);
}

/* ---- sites ---- */

static void begin_anew(struct umsim_counting *it, struct umsim_count_site *site, size_t threads)
{
    site->stamp = it->stamp;
    for (size_t i = 0; i < threads; i++)
        site->last[i] = 0, site->failed[i] = false;
    for (size_t i = 0; i < (threads + UMSIM_WARP_LANES - 1) / UMSIM_WARP_LANES; i++)
        site->first[i] = 0;
}

static size_t hash_of(const void *pc)
{
    return (size_t)(((uintptr_t)pc * UINT64_C(0x9e3779b97f4a7c15)) >> 55) % UMSIM_COUNT_SITES;
}

/* The site as the latest access of the instruction had it, if this one is to the same memory. */
static struct umsim_count_site *site_as_before(const struct umsim_counting *it, const void *pc, unsigned how,
                                               uintptr_t p)
{
    struct umsim_count_site *site = it->by_pc[hash_of(pc)];
    while (site && (site->pc != pc || site->how != how))
        site = site->next;
    return site && site->stamp == it->stamp && p - site->begin < site->bytes ? site : NULL;
}

/* @return NULL when there are too many */
static struct umsim_count_site *site_of(struct umsim_counting *it, const void *pc, unsigned kind,
                                        unsigned how, size_t threads)
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
    if (site && site->stamp != it->stamp)
        begin_anew(it, site, threads);
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
static uint32_t request_of(struct umsim_counting *it, struct umsim_count_site *site, unsigned thread)
{
    const unsigned warp = thread / UMSIM_WARP_LANES;
    uint32_t *link = site->last[thread] ? &it->request[site->last[thread]].next_at_site : &site->first[warp];
    if (!*link)
        *link = request_make(it, site, warp);
    if (*link)
        site->last[thread] = *link;
    return *link;
}

static uint64_t address_of(const struct umsim_count_request *request, unsigned lane)
{
    return request->base + (uint64_t)(request->stride * ((int)lane - request->first_lane));
}

/* Its addresses no longer follow from base and stride. @return whether there is space for them */
static bool spill(struct umsim_counting *it, struct umsim_count_request *request)
{
    if (it->spills + 1 >= UMSIM_COUNT_SPILLS)
        return false;
    request->spill = ++it->spills;
    for (unsigned lane = 0; lane < UMSIM_WARP_LANES; lane++)
        if (request->lanes >> lane & 1)
            it->spill[request->spill][lane] = address_of(request, lane);
    return true;
}

/* The address that is expected, as most are. @return whether it was */
static inline bool add_expected(struct umsim_count_request *request, unsigned lane, uint64_t p, size_t bytes)
{
    if (request->spill || !(request->lanes & (request->lanes - 1)) || address_of(request, lane) != p)
        return false;
    request->lanes |= 1U << lane;
    request->size = (uint8_t)bytes > request->size ? (uint8_t)bytes : request->size;
    return true;
}

/* @return false if there is no space for the address */
static bool add_lane(struct umsim_counting *it, struct umsim_count_request *request, unsigned lane,
                     uint64_t p, size_t bytes)
{
    const uint32_t lanes = request->lanes;
    if (!lanes) {
        request->base = p;
        request->first_lane = (uint8_t)lane;
    } else if ((lanes & (lanes - 1)) == 0) {
        const int64_t apart = (int64_t)(p - request->base), steps = (int)lane - request->first_lane;
        if (steps && apart % steps == 0)
            request->stride = apart / steps;
        else if (!spill(it, request))
            return false;
    } else if (!request->spill && address_of(request, lane) != p && !spill(it, request)) {
        return false;
    }
    if (request->spill)
        it->spill[request->spill][lane] = p;
    request->lanes = lanes | 1U << lane;
    request->size = (uint8_t)bytes > request->size ? (uint8_t)bytes : request->size;
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
    if (!it)
        return place;
    place.thread = worker->current ? (unsigned)(worker->current - worker->fibers) : it->thread;
    place.site = site_as_before(it, pc, how, p);
    if (place.site)
        return place;
    const struct region region = region_at(worker, p);
    if (region.kind == UMSIM_COUNTS_OTHER)
        return place;
    place.site = site_of(it, pc, region.kind, how, worker->command->threads_a_block);
    if (place.site) {
        place.site->begin = region.begin;
        place.site->bytes = region.bytes;
    }
    it->skipped += !place.site;
    return place;
}

static void add_access(struct place place, uintptr_t p, size_t bytes)
{
    struct umsim_counting *it = place.counting;
    const uint32_t before = place.site->last[place.thread],
                   next = before ? it->request[before].next_at_site : 0;
    if (next && bytes <= PIECE &&
        add_expected(&it->request[next], place.thread % UMSIM_WARP_LANES, p, bytes)) {
        place.site->last[place.thread] = next;
        return;
    }
    for (size_t done = 0; done < bytes; done += PIECE) {
        const size_t part = bytes - done < PIECE ? bytes - done : PIECE;
        const uint32_t request = request_of(it, place.site, place.thread);
        if (!request || !add_lane(it, &it->request[request], place.thread % UMSIM_WARP_LANES, p + done, part))
            it->skipped++;
    }
}

void umsim_count_access(uintptr_t p, size_t bytes, enum umsim_counts_how how, const void *pc)
{
    const struct place place = find_place(p, how, pc);
    if (place.site)
        add_access(place, p, bytes);
}

void umsim_count_load(uintptr_t p, size_t bytes, const void *pc)
{
    const struct place place = find_place(p, UMSIM_COUNTS_READ, pc);
    if (!place.site)
        return;
    add_access(place, p, bytes);
    place.counting->loaded[place.thread] = (struct umsim_count_loaded){p, place.site->last[place.thread]};
}

/* What was read for the exchange is no request of its own. */
static void forget_load(struct umsim_counting *it, unsigned thread, uintptr_t p)
{
    struct umsim_count_loaded *loaded = &it->loaded[thread];
    if (loaded->request && loaded->p == p)
        it->request[loaded->request].lanes &= ~(1U << thread % UMSIM_WARP_LANES);
    loaded->request = 0;
}

void umsim_count_exchange(uintptr_t p, size_t bytes, bool failed, enum umsim_counts_how how, const void *pc)
{
    const struct place place = find_place(p, how, pc);
    if (!place.site)
        return;
    forget_load(place.counting, place.thread, p);
    const struct umsim_counting *it = place.counting;
    const unsigned lane = place.thread % UMSIM_WARP_LANES;
    const uint32_t before = place.site->last[place.thread];
    const struct umsim_count_request *request = &it->request[before];
    const bool is_again = before && place.site->failed[place.thread] &&
                          (request->spill ? it->spill[request->spill][lane] : address_of(request, lane)) == p;
    place.site->failed[place.thread] = failed;
    if (!is_again)
        add_access(place, p, bytes);
}
