/**
 * @file replay.c
 * @brief Counts a block's requests: sectors, passes over shared memory, and what a first-level cache has.
 */
#include "block.h"
#include "../base/machine.h"
#include "../model/cost.h"

#include <string.h>

/** The first-level cache and shared memory are one memory; of it this much is never shared memory. */
#define ALWAYS_CACHE ((int64_t)28 << 10)
#define BANKS 32
#define BANK_BYTES 4

/* ---- the cache ---- */

/* The cache of one block: its part of what the multiprocessor's blocks leave of the memory. */
static unsigned lines_for_block(const struct umsim_worker *worker)
{
    const struct umsim_attributes *attributes = &umsim_machine_of(umsim_own_device)->attributes;
    const struct umsim_command *command = worker->command;
    const uint64_t shared = command->dynamic_shared + worker->shared_bytes;
    const int64_t fit = umsim_cost_blocks_at_once(attributes, command->threads_a_block, shared);
    const int64_t there = (int64_t)((command->blocks - 1) / (uint64_t)attributes->multiprocessor_count) + 1;
    const int64_t at_once = fit < there ? fit : there;
    const int64_t used =
        shared ? at_once * ((int64_t)shared + attributes->reserved_shared_memory_per_block) : 0;
    int64_t bytes = attributes->max_shared_memory_per_multiprocessor - used;
    bytes = (bytes > 0 ? bytes : 0) + ALWAYS_CACHE;
    int64_t lines = bytes / at_once / UMSIM_LINE / UMSIM_COUNT_WAYS * UMSIM_COUNT_WAYS;
    if (lines < UMSIM_COUNT_WAYS)
        lines = UMSIM_COUNT_WAYS;
    return lines < UMSIM_COUNT_LINES ? (unsigned)lines : UMSIM_COUNT_LINES;
}

/* The bits of a line's number */
#define LINE_BITS 41

static void cache_begin(struct umsim_count_cache *cache, unsigned lines, uint64_t block)
{
    cache->sets = lines / UMSIM_COUNT_WAYS;
    cache->block = block << LINE_BITS;
    if (cache->clock >> 31) { /* long before it would begin anew */
        cache->made = 0;
        memset(cache->place, 0, sizeof cache->place);
        cache->clock = 0;
    }
}

static struct umsim_count_set *set_of(struct umsim_count_cache *cache, uint64_t number)
{
    uint16_t *place = &cache->place[(number * UINT64_C(0x9e3779b97f4a7c15) >> 32) * cache->sets >> 32];
    if (!*place) {
        *place = ++cache->made;
        cache->set[*place - 1] = (struct umsim_count_set){.used = {0}};
    }
    return &cache->set[*place - 1];
}

static unsigned oldest_of(const struct umsim_count_set *set)
{
    unsigned oldest = 0;
    for (unsigned way = 1; way < UMSIM_COUNT_WAYS; way++)
        oldest = set->used[way] < set->used[oldest] ? way : oldest;
    return oldest;
}

/* @return whether the sector was there; it is there from now on */
static bool cache_has(struct umsim_count_cache *cache, uint64_t sector)
{
    const uint64_t number = sector * UMSIM_SECTOR / UMSIM_LINE + 1,
                   line = number + cache->block; /* 0: none */
    const uint8_t bit = (uint8_t)(1U << (sector % (UMSIM_LINE / UMSIM_SECTOR)));
    struct umsim_count_set *set = set_of(cache, number);
    unsigned way = 0;
    while (way < UMSIM_COUNT_WAYS && set->line[way] != line)
        way++;
    const bool has_line = way < UMSIM_COUNT_WAYS;
    if (!has_line)
        way = oldest_of(set);
    const bool is_there = has_line && set->sectors[way] & bit;
    set->line[way] = line;
    set->used[way] = ++cache->clock;
    set->sectors[way] = has_line ? set->sectors[way] | bit : bit;
    return is_there;
}

/* ---- requests ---- */

struct sectors {
    uint64_t sector[2 * UMSIM_WARP_LANES];
    unsigned count;
};

static void seen_begin(struct umsim_count_seen *seen)
{
    if (++seen->now == 0)
        *seen = (struct umsim_count_seen){.now = 1};
}

/* @return whether the request has had the number; it has from now on */
static bool was_seen(struct umsim_count_seen *seen, uint64_t number)
{
    unsigned at = (unsigned)(number * UINT64_C(0x9e3779b97f4a7c15) >> 57);
    for (; seen->when[at] == seen->now; at = (at + 1) % 128)
        if (seen->number[at] == number)
            return true;
    seen->number[at] = number;
    seen->when[at] = seen->now;
    return false;
}

static uint64_t address_of(const struct umsim_counting *it, const struct umsim_count_request *request,
                           unsigned lane)
{
    return request->spill ? it->spill[request->spill][lane] : umsim_count_in_row(request, lane);
}

/* @return the row that all lanes of the request are in; NULL if they are in none, or not seen to be */
static const struct umsim_count_row *row_of(const struct umsim_count_request *request)
{
    const struct umsim_count_row *first = &request->row[0], *second = &request->row[1];
    if (request->spill)
        return NULL;
    if (!umsim_count_half(request, 0) || !umsim_count_half(request, 1))
        return umsim_count_half(request, 0) ? first : second;
    return first->base == second->base && first->stride == second->stride ? first : NULL;
}

/* Whether all lanes ask for one piece of memory, each for what lies behind the one before. */
static bool is_dense(const struct umsim_count_request *request)
{
    const struct umsim_count_row *row = row_of(request);
    return row && row->stride == request->size && request->lanes == UINT32_MAX;
}

/* Whether all lanes of a half ask for one piece of memory. */
static bool is_piece(const struct umsim_count_request *request, unsigned half)
{
    const int64_t stride = request->row[half].stride;
    return !request->spill && (stride == 0 || stride == request->size) &&
           umsim_count_half(request, half) == (UINT32_C(1) << UMSIM_COUNT_HALF) - 1;
}

static void add_sectors(struct umsim_counting *it, uint64_t p, uint64_t end, struct sectors *all)
{
    for (uint64_t sector = p / UMSIM_SECTOR; sector <= (end - 1) / UMSIM_SECTOR; sector++)
        if (!(all->count && all->sector[all->count - 1] == sector) && !was_seen(&it->seen, sector))
            all->sector[all->count++] = sector;
}

static void find_sectors(struct umsim_counting *it, const struct umsim_count_request *request,
                         struct sectors *all)
{
    all->count = 0;
    if (is_dense(request)) {
        const uint64_t first = address_of(it, request, 0),
                       last = (first + (uint64_t)request->size * UMSIM_WARP_LANES - 1) / UMSIM_SECTOR;
        for (uint64_t sector = first / UMSIM_SECTOR; sector <= last; sector++)
            all->sector[all->count++] = sector;
        return;
    }
    seen_begin(&it->seen);
    for (unsigned lane = 0, last; lane < UMSIM_WARP_LANES; lane = last + 1) {
        last = lane % UMSIM_COUNT_HALF == 0 && is_piece(request, lane / UMSIM_COUNT_HALF)
                   ? lane + UMSIM_COUNT_HALF - 1
                   : lane;
        if (request->lanes >> lane & 1)
            add_sectors(it, address_of(it, request, lane), address_of(it, request, last) + request->size,
                        all);
    }
}

static uint64_t line_of(uint64_t sector)
{
    return sector * UMSIM_SECTOR / UMSIM_LINE;
}

static unsigned count_lines(struct umsim_counting *it, const struct sectors *all)
{
    unsigned lines = 0;
    seen_begin(&it->seen);
    for (unsigned i = 0; i < all->count; i++)
        lines += !(i && line_of(all->sector[i]) == line_of(all->sector[i - 1])) &&
                 !was_seen(&it->seen, line_of(all->sector[i]));
    return lines;
}

/* Sectors of one line that are read side by side cross the link together. */
static unsigned runs_of_sectors(const struct sectors *all)
{
    unsigned runs = 0;
    for (unsigned i = 0; i < all->count; i++)
        runs += i == 0 ||
                (all->sector[i] != all->sector[i - 1] + 1 && all->sector[i] + 1 != all->sector[i - 1]) ||
                line_of(all->sector[i]) != line_of(all->sector[i - 1]);
    return runs;
}

/* So do bytes that are written side by side. */
static unsigned runs_of_bytes(const struct umsim_counting *it, const struct umsim_count_request *request)
{
    unsigned runs = 0;
    uint64_t end = 0;
    for (unsigned lane = 0; lane < UMSIM_WARP_LANES; lane++) {
        if (!(request->lanes >> lane & 1))
            continue;
        const uint64_t p = address_of(it, request, lane);
        runs += p != end || p % UMSIM_LINE == 0;
        end = p + request->size;
    }
    return runs;
}

/* How often shared memory is gone over for a request: lanes that ask for different words of one bank are
 * served one after another. Wide accesses are made half a warp, or a quarter, at a time. */
static unsigned passes_anew(const struct umsim_counting *it, const struct umsim_count_request *request)
{
    const unsigned words = request->size > BANK_BYTES ? request->size / BANK_BYTES : 1;
    const unsigned at_a_time = UMSIM_WARP_LANES / words;
    const struct umsim_count_row *row = row_of(request);
    unsigned all = 0;
    if (row && (row->stride == 0 || row->stride == request->size) &&
        request->size >= BANK_BYTES) { /* one word, or one behind the other */
        for (unsigned first = 0; first < UMSIM_WARP_LANES; first += at_a_time)
            all += (request->lanes >> first & (uint32_t)((UINT64_C(1) << at_a_time) - 1)) != 0;
        return all;
    }
    for (unsigned first = 0; first < UMSIM_WARP_LANES; first += at_a_time) {
        uint64_t word[BANKS][UMSIM_WARP_LANES];
        unsigned count[BANKS] = {0}, most = 0;
        for (unsigned k = 0; k < at_a_time * words; k++) {
            const unsigned lane = first + k / words;
            if (!(request->lanes >> lane & 1))
                continue;
            const uint64_t at = address_of(it, request, lane) / BANK_BYTES + k % words;
            unsigned *bank = &count[at % BANKS], i = 0;
            while (i < *bank && word[at % BANKS][i] != at)
                i++;
            if (i == *bank)
                word[at % BANKS][(*bank)++] = at;
            most = *bank > most ? *bank : most;
        }
        all += most;
    }
    return all;
}

/* The same, worked out once for all requests in rows that lie alike to the banks: moved by all of the banks'
 * bytes, a request meets the same banks, and the same of its words are one. */
static unsigned passes(struct umsim_counting *it, const struct umsim_count_request *request)
{
    const struct umsim_count_row *row = request->row;
    if (request->spill)
        return passes_anew(it, request);
    if (request->size == BANK_BYTES && row_of(request) && (row_of(request)->stride == 0 || is_dense(request)))
        return 1; /* one word, or one of each bank */
    const unsigned first = umsim_count_half(request, 0) ? 0 : 1,
                   second = umsim_count_half(request, 1) ? 1 : first;
    struct umsim_count_conflicts like = {.stride = {row[first].stride, row[second].stride},
                                         .apart = (int64_t)(row[second].base - row[first].base),
                                         .lanes = request->lanes,
                                         .place = (uint32_t)(row[first].base % (BANKS * BANK_BYTES)),
                                         .size = request->size};
    const uint64_t hash = ((uint64_t)like.stride[0] * 3 + (uint64_t)like.stride[1] * 5 +
                           (uint64_t)like.apart * 7 + like.lanes + ((uint64_t)like.place << 8) + like.size) *
                          UINT64_C(0x9e3779b97f4a7c15);
    struct umsim_count_conflicts *known = &it->conflicts[hash >> 58];
    if (known->passes && known->stride[0] == like.stride[0] && known->stride[1] == like.stride[1] &&
        known->apart == like.apart && known->lanes == like.lanes && known->place == like.place &&
        known->size == like.size)
        return known->passes;
    like.passes = (uint8_t)passes_anew(it, request);
    *known = like;
    return like.passes;
}

static void count_extent(const struct umsim_counting *it, const struct umsim_count_request *request,
                         struct umsim_counts_site *count)
{
    const uint32_t lanes = request->lanes;
    uint32_t ends = lanes; /* in a row the outermost lanes tell */
    if (row_of(request))
        ends = (lanes & (0 - lanes)) | UINT32_C(0x80000000) >> __builtin_clz(lanes);
    for (unsigned lane = 0; lane < UMSIM_WARP_LANES && ends >> lane; lane++) {
        if (!(ends >> lane & 1))
            continue;
        const uint64_t p = address_of(it, request, lane), end = p + request->size;
        count->lowest = p < count->lowest ? p : count->lowest;
        count->end = end > count->end ? end : count->end;
    }
}

/* A sector that the first level does not have. What memory fetches for it may have come with another one. */
static void count_fetched(struct umsim_counting *it, struct umsim_counts_site *count, uint64_t sector)
{
    const bool writes = count->how != UMSIM_COUNTS_READ;
    count->fetched++;
    if (cache_has(&it->granules[writes], sector / (UMSIM_GRANULE / UMSIM_SECTOR)))
        return;
    count->granules++;
    count->places += !cache_has(&it->places[writes], sector / (UMSIM_NEIGHBOURS / UMSIM_SECTOR));
}

/* Lanes before this one that are at its address. */
static unsigned before_lane(const struct umsim_counting *it, const struct umsim_count_request *request,
                            unsigned lane)
{
    const uint64_t p = address_of(it, request, lane);
    unsigned before = 0;
    for (unsigned other = 0; other < lane; other++)
        before += request->lanes >> other & 1 && address_of(it, request, other) == p;
    return before;
}

/* Atomic operations of a request: those on different addresses of a sector go together, those on one address
 * one after another. */
static unsigned packets_of(const struct umsim_counting *it, const struct umsim_count_request *request,
                           const struct sectors *all)
{
    unsigned most[2 * UMSIM_WARP_LANES] = {0}, packets = 0;
    for (unsigned lane = 0; lane < UMSIM_WARP_LANES; lane++) {
        if (!(request->lanes >> lane & 1))
            continue;
        const uint64_t sector = address_of(it, request, lane) / UMSIM_SECTOR;
        const unsigned times = before_lane(it, request, lane) + 1;
        unsigned i = 0;
        while (i + 1 < all->count && all->sector[i] != sector)
            i++;
        most[i] = times > most[i] ? times : most[i];
    }
    for (unsigned i = 0; i < all->count; i++)
        packets += most[i];
    return packets;
}

/* Shared memory adds no floating-point numbers: lanes at one address read, add, and exchange one after
 * another, in so many passes each. An H200 takes 13.8 clocks for a float, 21 for a double. */
#define SUM_PASSES 14
#define LONG_SUM_PASSES 21

static unsigned passes_of_sums(const struct umsim_counting *it, const struct umsim_count_request *request)
{
    unsigned most = 0;
    for (unsigned lane = 0; lane < UMSIM_WARP_LANES; lane++) {
        const unsigned times = request->lanes >> lane & 1 ? before_lane(it, request, lane) + 1 : 0;
        most = times > most ? times : most;
    }
    return most * (request->size > 4 ? LONG_SUM_PASSES : SUM_PASSES);
}

/* What a thread reads of shared memory in passes that are made side by side, one word behind the other, comes
 * in pieces of PIECE_BYTES: only the last request of a piece is one. */
#define PIECE_BYTES 16

/* Whether each lane of the second request asks for what lies behind what it asked for in the first one. */
static bool is_behind(const struct umsim_count_request *next, const struct umsim_count_request *request)
{
    for (unsigned half = 0; half < 2; half++)
        if (umsim_count_half(next, half) &&
            (next->row[half].base != request->row[half].base + request->size ||
             next->row[half].stride != request->row[half].stride))
            return false;
    return !request->spill && !next->spill;
}

static bool is_joined(struct umsim_counting *it, const struct umsim_count_request *request)
{
    const struct umsim_count_site *site = &it->site[request->site];
    struct umsim_count_request *next = &it->request[request->next_at_site];
    const unsigned words = request->size ? PIECE_BYTES / request->size : 1;
    if (site->how != UMSIM_COUNTS_READ || words < 2 || site->unrolled < words || !request->next_at_site ||
        !is_behind(next, request) || umsim_count_first_address(it, next) % PIECE_BYTES == 0)
        return false;
    next->joined = (uint8_t)(request->joined + 1);
    return true;
}

static void count_shared(struct umsim_counting *it, struct umsim_count_request *request,
                         struct umsim_counts_site *count)
{
    if (is_joined(it, request)) {
        count->requests--;
        return;
    }
    count->passes +=
        it->site[request->site].how == UMSIM_COUNTS_SUM ? passes_of_sums(it, request) : passes(it, request);
}

static void count_request(struct umsim_counting *it, struct umsim_count_request *request)
{
    if (!request->lanes)
        return;
    const struct umsim_count_site *site = &it->site[request->site];
    struct umsim_counts_site *count = &it->count[request->site];
    struct sectors all;
    count->requests++;
    count->lanes += (uint64_t)__builtin_popcount(request->lanes);
    count->bytes += (uint64_t)__builtin_popcount(request->lanes) * request->size;
    if (site->kind == UMSIM_COUNTS_SHARED) { /* from where to where it is accessed tells nothing */
        count_shared(it, request, count);
        return;
    }
    count_extent(it, request, count);
    find_sectors(it, request, &all);
    count->sectors += all.count;
    count->passes += count_lines(it, &all);
    count->runs += site->how == UMSIM_COUNTS_READ ? runs_of_sectors(&all) : runs_of_bytes(it, request);
    const uint64_t fetched = count->fetched, granules = count->granules;
    if (site->how >= UMSIM_COUNTS_ATOMIC)
        count->packets += site->how == UMSIM_COUNTS_EXCHANGE ? (unsigned)__builtin_popcount(request->lanes)
                                                             : packets_of(it, request, &all);
    for (unsigned i = 0; i < all.count; i++)
        if (site->how == UMSIM_COUNTS_READ ? !cache_has(&it->reads, all.sector[i])
                                           : !cache_has(&it->writes, all.sector[i]))
            count_fetched(it, count, all.sector[i]);
    count->waited += count->fetched > fetched;
    count->beside += count->fetched > fetched && count->granules == granules;
}

/* What the first level lacks of late requests is kept apart, too. */
static void count_late(struct umsim_counting *it, struct umsim_count_request *request)
{
    const struct umsim_counts_site *count = &it->count[request->site], before = *count;
    struct umsim_counts_site *late = &it->late[request->site];
    count_request(it, request);
    late->requests += count->requests - before.requests;
    late->sectors += count->sectors - before.sectors;
    late->fetched += count->fetched - before.fetched;
    late->waited += count->waited - before.waited;
    late->beside += count->beside - before.beside;
    late->granules += count->granules - before.granules;
    late->places += count->places - before.places;
}

void umsim_count_replay(struct umsim_worker *worker)
{
    struct umsim_counting *it = worker->counting;
    const unsigned warps =
        (unsigned)((worker->command->threads_a_block + UMSIM_WARP_LANES - 1) / UMSIM_WARP_LANES);
    uint32_t at[UMSIM_BLOCK_THREADS_MAX / UMSIM_WARP_LANES];
    cache_begin(&it->reads, lines_for_block(worker), it->stamp);
    cache_begin(&it->writes, UMSIM_COUNT_LINES, it->stamp);
    for (int writes = 0; writes < 2; writes++) {
        cache_begin(&it->granules[writes], UMSIM_COUNT_LINES, it->stamp);
        cache_begin(&it->places[writes], UMSIM_COUNT_LINES, it->stamp);
    }
    for (unsigned i = 0; i < it->sites; i++) {
        it->count[i] = (struct umsim_counts_site){
            .pc = it->site[i].pc, .kind = it->site[i].kind, .how = it->site[i].how, .lowest = UINT64_MAX};
        it->late[i] = (struct umsim_counts_site){0};
    }
    memcpy(at, it->first_of_warp, sizeof at);
    for (bool any = true; any;) {
        any = false;
        for (unsigned warp = 0; warp < warps; warp++) {
            if (!at[warp])
                continue;
            any = true;
            if (it->request[at[warp]].is_late)
                count_late(it, &it->request[at[warp]]);
            else
                count_request(it, &it->request[at[warp]]);
            at[warp] = it->request[at[warp]].next_of_warp;
        }
    }
    umsim_count_rest_scale(it);
    umsim_count_rounds(it, warps);
}
