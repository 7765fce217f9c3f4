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
    const struct umsim_attributes *attributes = &umsim_machine.attributes;
    const struct umsim_command *command = worker->command;
    const uint64_t shared = command->dynamic_shared + worker->shared_bytes;
    const int64_t at_once = umsim_cost_blocks_at_once(attributes, command->threads_a_block, shared);
    const int64_t used =
        shared ? at_once * ((int64_t)shared + attributes->reserved_shared_memory_per_block) : 0;
    int64_t bytes = attributes->max_shared_memory_per_multiprocessor - used;
    bytes = (bytes > 0 ? bytes : 0) + ALWAYS_CACHE;
    int64_t lines = bytes / at_once / UMSIM_LINE / UMSIM_COUNT_WAYS * UMSIM_COUNT_WAYS;
    if (lines < UMSIM_COUNT_WAYS)
        lines = UMSIM_COUNT_WAYS;
    return lines < UMSIM_COUNT_LINES ? (unsigned)lines : UMSIM_COUNT_LINES;
}

static void cache_begin(struct umsim_count_cache *cache, unsigned lines)
{
    cache->lines = lines;
    cache->clock = 0;
    memset(cache->line, 0, lines * sizeof cache->line[0]);
}

/* @return whether the sector was there; it is there from now on */
static bool cache_has(struct umsim_count_cache *cache, uint64_t sector)
{
    const uint64_t line = sector * UMSIM_SECTOR / UMSIM_LINE + 1; /* 0: none */
    const unsigned bit = 1U << (sector % (UMSIM_LINE / UMSIM_SECTOR));
    const uint64_t set = (line * UINT64_C(0x9e3779b97f4a7c15) >> 32) % (cache->lines / UMSIM_COUNT_WAYS);
    struct umsim_count_line *ways = &cache->line[set * UMSIM_COUNT_WAYS], *oldest = ways;
    cache->clock++;
    for (unsigned way = 0; way < UMSIM_COUNT_WAYS; way++) {
        if (ways[way].line == line) {
            const bool is_there = ways[way].sectors & bit;
            ways[way].sectors |= bit;
            ways[way].used = cache->clock;
            return is_there;
        }
        if (ways[way].used < oldest->used)
            oldest = &ways[way];
    }
    *oldest = (struct umsim_count_line){line, cache->clock, bit};
    return false;
}

/* ---- requests ---- */

struct sectors {
    uint64_t sector[2 * UMSIM_WARP_LANES];
    unsigned count;
};

static void add_sector(struct sectors *all, uint64_t sector)
{
    for (unsigned i = all->count; i > 0; i--)
        if (all->sector[i - 1] == sector)
            return;
    all->sector[all->count++] = sector;
}

static uint64_t address_of(const struct umsim_counting *it, const struct umsim_count_request *request,
                           unsigned lane)
{
    return request->spill ? it->spill[request->spill][lane]
                          : request->base + (uint64_t)(request->stride * ((int)lane - request->first_lane));
}

static void find_sectors(const struct umsim_counting *it, const struct umsim_count_request *request,
                         struct sectors *all)
{
    all->count = 0;
    for (unsigned lane = 0; lane < UMSIM_WARP_LANES; lane++) {
        if (!(request->lanes >> lane & 1))
            continue;
        const uint64_t p = address_of(it, request, lane), last = (p + request->size - 1) / UMSIM_SECTOR;
        for (uint64_t sector = p / UMSIM_SECTOR; sector <= last; sector++)
            add_sector(all, sector);
    }
}

static unsigned count_lines(const struct sectors *all)
{
    struct sectors lines = {.count = 0};
    for (unsigned i = 0; i < all->count; i++)
        add_sector(&lines, all->sector[i] * UMSIM_SECTOR / UMSIM_LINE);
    return lines.count;
}

/* How often shared memory is gone over for a request: lanes that ask for different words of one bank are
 * served one after another. Wide accesses are made half a warp, or a quarter, at a time. */
static unsigned passes(const struct umsim_counting *it, const struct umsim_count_request *request)
{
    const unsigned words = request->size > BANK_BYTES ? request->size / BANK_BYTES : 1;
    const unsigned at_a_time = UMSIM_WARP_LANES / words;
    unsigned all = 0;
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

static void count_request(struct umsim_counting *it, const struct umsim_count_request *request)
{
    const struct umsim_count_site *site = &it->site[request->site];
    struct umsim_counts_site *count = &it->count[request->site];
    struct sectors all;
    count->requests++;
    count->bytes += (uint64_t)__builtin_popcount(request->lanes) * request->size;
    if (site->kind == UMSIM_COUNTS_SHARED) {
        count->lines += passes(it, request);
        return;
    }
    find_sectors(it, request, &all);
    count->sectors += all.count;
    count->lines += count_lines(&all);
    for (unsigned i = 0; i < all.count; i++) {
        const uint64_t sector = all.sector[i];
        count->fetched += site->how == UMSIM_COUNTS_ATOMIC ||
                          !cache_has(site->how == UMSIM_COUNTS_READ ? &it->reads : &it->writes, sector);
        count->lowest = sector < count->lowest ? sector : count->lowest;
        count->highest = sector > count->highest ? sector : count->highest;
    }
}

void umsim_count_replay(struct umsim_worker *worker)
{
    struct umsim_counting *it = worker->counting;
    const unsigned warps =
        (unsigned)((worker->command->threads_a_block + UMSIM_WARP_LANES - 1) / UMSIM_WARP_LANES);
    uint32_t at[UMSIM_BLOCK_THREADS_MAX / UMSIM_WARP_LANES];
    cache_begin(&it->reads, lines_for_block(worker));
    cache_begin(&it->writes, UMSIM_COUNT_LINES);
    for (unsigned i = 0; i < it->sites; i++)
        it->count[i] = (struct umsim_counts_site){
            .pc = it->site[i].pc, .kind = it->site[i].kind, .how = it->site[i].how, .lowest = UINT64_MAX};
    memcpy(at, it->first_of_warp, sizeof at);
    for (bool any = true; any;) {
        any = false;
        for (unsigned warp = 0; warp < warps; warp++) {
            if (!at[warp])
                continue;
            any = true;
            count_request(it, &it->request[at[warp]]);
            at[warp] = it->request[at[warp]].next_of_warp;
        }
    }
}
