/**
 * @file counts.c
 * @brief Implementation of counts.h.
 *
 * What the first level of cache did not have passes between it and the second level. What of this comes from
 * memory, the second level decides. What lies between the lowest and the highest address of an instruction
 * comes once. What an instruction asks for beyond that is there, as far as all that the launch asks for fits:
 * into half of the level, because an H200's has two parts that both hold what all multiprocessors read. And
 * what earlier launches have left there does not come from memory at all (level2.h).
 *
 * Memory fetches two sectors at a time, and does this more slowly where it fetches here and there. A sector
 * of which only a part is written has to be fetched first. These rules, and their figures, were read off the
 * cells of tests/cost.
 */
#include "counts.h"
#include "level2.h"
#include "../base/machine.h"
#include "../base/mode.h"
#include "../model/cost.h"
#include "../model/throughput.h"
#include "../space/registry.h"

bool umsim_counts_can(const struct umsim_kernel *kernel)
{
    return (kernel->counted || (kernel->counted_blocks && kernel->blocks)) && !umsim_checks;
}

/* Memory that is fetched here and there is slower: by this much where nothing is beside it. */
#define SCATTERED 0.75
/* ... and by so much where parts of sectors are written. */
#define SCATTERED_PARTS 1.7

static uint64_t extent(const struct umsim_counts_site *site)
{
    return site->end - site->lowest;
}

static bool is_in_memory(const struct umsim_counts_site *site)
{
    return site->kind != UMSIM_COUNTS_SHARED && site->end > site->lowest;
}

/* Whether sectors are written in part. */
static bool writes_parts(const struct umsim_counts_site *site, uint64_t sectors)
{
    return site->how == UMSIM_COUNTS_WRITE && site->bytes * 10 < sectors * UMSIM_SECTOR * 9;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* The bytes that memory fetches or takes for the site, if the second level had nothing. */
static double asked_of(const struct umsim_counts_site *site)
{
    return (double)(site->how == UMSIM_COUNTS_WRITE && !writes_parts(site, site->fetched)
                        ? site->fetched * UMSIM_SECTOR
                        : site->granules * UMSIM_GRANULE);
}

static double extent_of(const struct umsim_counts_site *site)
{
    return smaller(asked_of(site), (double)extent(site) + UMSIM_GRANULE);
}

/* Which part of what lies around the fetches is not fetched: 0 if all is. */
static double apart_of(const struct umsim_counts_site *site)
{
    const double most = (double)site->places * (UMSIM_NEIGHBOURS / UMSIM_GRANULE);
    const double apart = most > 0 ? 1 - smaller((double)site->granules / most, 1) : 0;
    const bool is_whole = site->bytes >= site->sectors * UMSIM_SECTOR; /* blocks side by side have the rest */
    return is_whole ? smaller(apart, 1 - smaller(asked_of(site) / (double)extent(site), 1)) : apart;
}

/* How much longer memory takes because of where it is asked. */
static double scattering(const struct umsim_counts_site *site)
{
    const double apart = apart_of(site);
    return writes_parts(site, site->fetched) ? 1 + SCATTERED_PARTS * apart : 1 + SCATTERED * apart * apart;
}

/* Memory that some instructions access together: their ranges overlap. */
struct together {
    uint64_t begin, end;
    double bytes; /* each counted once */
};

static bool is_near_memory(const struct umsim_counts_site *site)
{
    return is_in_memory(site) && site->kind != UMSIM_COUNTS_HOST && site->kind != UMSIM_COUNTS_PEER;
}

/* Adds a site, and each one of `open` that overlaps with what is there by then. */
static struct together gather(const struct umsim_counts *counts, bool *open, unsigned first)
{
    struct together it = {counts->site[first].lowest, counts->site[first].end, 0};
    for (bool any = true; any;) {
        any = false;
        for (unsigned i = first; i < counts->sites; i++) {
            const struct umsim_counts_site *site = &counts->site[i];
            if (!open[i] || site->lowest >= it.end || site->end <= it.begin)
                continue;
            it.begin = site->lowest < it.begin ? site->lowest : it.begin;
            it.end = site->end > it.end ? site->end : it.end;
            it.bytes +=
                extent_of(site) * (1 + apart_of(site)); /* a line has its place, however little is used */
            open[i] = false;
            any = true;
        }
    }
    it.bytes = smaller(it.bytes, (double)(it.end - it.begin) + UMSIM_GRANULE);
    return it;
}

/* Calls `fn`, unless it is NULL, with each range of the device's or managed memory. @return what the launch
 * accesses of it, each byte once */
static double footprint(const struct umsim_counts *counts, unsigned device,
                        void (*fn)(unsigned device, uint64_t begin, uint64_t end))
{
    bool open[UMSIM_COUNTS_SITES];
    double all = 0;
    for (unsigned i = 0; i < counts->sites; i++)
        open[i] = is_near_memory(&counts->site[i]);
    for (unsigned i = 0; i < counts->sites; i++) {
        if (!open[i])
            continue;
        const struct together it = gather(counts, open, i);
        all += it.bytes;
        if (fn)
            fn(device, it.begin, it.end);
    }
    return all;
}

/* What all sites have in common. */
struct launch {
    umsim_whereabouts_fn where;
    unsigned device;
    double bytes;                 /* what the launch accesses, each once */
    double fetched, fetched_near; /* sectors that reads fetch; those of them that the second level has */
    double managed, managed_far;  /* ... of managed memory; those of them that are not on the device */
};

/* What memory moves for the site. `here`: the part of it that earlier launches have left in the second level
 */
static double moved(const struct umsim_counts_site *site, const struct launch *launch, double here)
{
    const double all = launch->bytes, once = extent_of(site);
    const double held = (double)umsim_machine_of(launch->device)->attributes.l2_cache_size / 2;
    const double again = (asked_of(site) - once) * (all > held ? 1 - held / all : 0);
    return (once * (1 - here) + again) * scattering(site);
}

/* Of a sector that is written in part all is fetched, with its neighbour; only the sector goes back. An
 * instruction whose sectors another one has already moved moves nothing. */
static void move(struct umsim_measured *measured, enum umsim_reach reach,
                 const struct umsim_counts_site *site, double bytes)
{
    const bool in_parts = writes_parts(site, site->fetched);
    if (!(bytes > 0))
        return;
    if (site->how != UMSIM_COUNTS_WRITE || in_parts)
        measured->read[reach] += (uint64_t)bytes;
    if (site->how != UMSIM_COUNTS_READ)
        measured->written[reach] +=
            (uint64_t)(in_parts ? bytes * (double)(site->fetched * UMSIM_SECTOR) / asked_of(site) : bytes);
}

/* What a piece costs beside the first one of its line, and what a write costs where a line has many: read off
 * words of mapped memory 32 bytes to 4 KiB apart. */
#define NEXT_READ 0.6
#define MANY_WRITES 2

/* Pieces that cross the link, as many as would take as long in lines of their own. */
static double pieces_of(const struct umsim_counts_site *site)
{
    const double runs = (double)site->runs, lines = (double)site->passes;
    if (site->how == UMSIM_COUNTS_READ)
        return runs > lines ? lines + NEXT_READ * (runs - lines) : runs;
    return runs > MANY_WRITES * lines ? runs : UMSIM_FEW_WRITES * runs;
}

/* Over the link: what the first level did not have. */
static void move_far(struct umsim_measured *measured, enum umsim_reach reach,
                     const struct umsim_counts_site *site, double part)
{
    const bool writes = site->how == UMSIM_COUNTS_WRITE;
    const double missed = site->sectors ? (double)site->fetched / (double)site->sectors : 0;
    const double pieces = part * pieces_of(site);
    if (!writes)
        measured->read[reach] += (uint64_t)(part * (double)site->fetched * UMSIM_SECTOR);
    if (site->how != UMSIM_COUNTS_READ)
        measured->written[reach] += (uint64_t)(part * (double)site->bytes);
    if (writes)
        measured->accesses.far_writes += pieces;
    else
        measured->accesses.far_reads += pieces * missed;
}

/* Managed memory between the site's addresses, as parts of 1. */
struct parts {
    double own, peers;
};

static struct parts parts_of(const struct umsim_counts_site *site, const struct launch *launch)
{
    if (!launch->where)
        return (struct parts){1, 0};
    const struct umsim_whereabouts found =
        launch->where(launch->device, (const void *)(uintptr_t)site->lowest, extent(site));
    const double all = (double)extent(site), own = smaller((double)found.own / all, 1);
    return (struct parts){own, smaller((double)found.peers / all, 1 - own)};
}

/** Sums of floats take so much longer at one sector than those of whole numbers. */
#define ATOMIC_SUM 2.4
/** What one of the second level's units for atomic operations has, bytes; and by how much more than its part
 * the busiest of many has to do. */
#define ATOMIC_UNIT 512
#define ATOMIC_UNEVEN 0.7
/** An atomic operation takes as long as so many bytes between the levels. */
#define ATOMIC_BYTES 52

/* Atomic operations wait for each other at a sector, and at the units that make them. */
static void queue_up(const struct umsim_counts_site *site, uint64_t *same_address, uint64_t *same_line)
{
    if (!site->packets)
        return;
    const double sectors = (double)((site->end - 1) / UMSIM_SECTOR - site->lowest / UMSIM_SECTOR + 1);
    const double units = (double)((site->end - 1) / ATOMIC_UNIT - site->lowest / ATOMIC_UNIT + 1);
    const double uneven = units > 2 ? 1 + ATOMIC_UNEVEN * (1 - 2 / units) : 1;
    const double slower = site->how == UMSIM_COUNTS_SUM ? ATOMIC_SUM : 1;
    *same_address += (uint64_t)(slower * (double)site->packets / sectors);
    *same_line += (uint64_t)(uneven * (double)site->packets / units);
}

/* Over the link to another device: what the first level did not have, in packets of sectors that are side by
 * side in a line. Whole sectors are written. Atomic operations are made there. */
static void move_to_peer(struct umsim_measured *measured, const struct umsim_counts_site *site)
{
    struct umsim_access_work *work = &measured->accesses;
    const double missed = site->sectors ? (double)site->fetched / (double)site->sectors : 0;
    if (site->how == UMSIM_COUNTS_READ) {
        measured->read[UMSIM_REACH_PEER] += site->fetched * UMSIM_SECTOR;
        work->peer_reads += (double)site->runs * missed;
        return;
    }
    measured->written[UMSIM_REACH_PEER] += site->sectors * UMSIM_SECTOR;
    work->peer_writes += (double)(site->runs < site->sectors ? site->runs : site->sectors);
    uint64_t address = 0, line = 0;
    queue_up(site, &address, &line);
    work->peer_queue += address > line ? address : line;
}

/* What passes between the levels. Writes pass the first level; parts of sectors take as long as half a line.
 */
static uint64_t passing(const struct umsim_counts_site *site)
{
    const uint64_t sectors = (site->how == UMSIM_COUNTS_READ ? site->fetched : site->sectors) * UMSIM_SECTOR;
    const uint64_t lines = writes_parts(site, site->sectors) ? site->passes * (UMSIM_LINE / 2) : 0;
    const uint64_t atomics = site->packets * ATOMIC_BYTES;
    const uint64_t most = sectors > lines ? sectors : lines;
    return most > atomics ? most : atomics;
}

static void take_site(struct umsim_measured *measured, const struct umsim_counts_site *site,
                      struct launch *launch)
{
    measured->accesses.passes += site->passes;
    if (!is_in_memory(site))
        return;
    if (site->kind == UMSIM_COUNTS_HOST) {
        move_far(measured, UMSIM_REACH_HOST, site, 1);
        return;
    }
    if (site->kind == UMSIM_COUNTS_PEER) {
        move_to_peer(measured, site);
        return;
    }
    measured->accesses.cache_bytes += passing(site);
    queue_up(site, &measured->accesses.same_address, &measured->accesses.same_line);
    /* pages that have just come are not there: of managed memory all counts as new */
    const bool may_be_here = launch->where && site->kind == UMSIM_COUNTS_DEVICE;
    const double here =
        may_be_here ? umsim_level2_has(launch->device, site->lowest, site->end, launch->bytes) : 0;
    const double bytes = moved(site, launch, here);
    if (site->how == UMSIM_COUNTS_READ) {
        launch->fetched += (double)site->fetched;
        launch->fetched_near += here * (double)site->fetched;
    }
    if (site->kind == UMSIM_COUNTS_DEVICE) {
        move(measured, UMSIM_REACH_DEVICE, site, bytes);
        return;
    }
    const struct parts parts = parts_of(site, launch);
    const double far = 1 - parts.own - parts.peers;
    if (site->how == UMSIM_COUNTS_READ) {
        launch->managed += (double)site->fetched;
        launch->managed_far += far * (double)site->fetched;
    }
    move(measured, UMSIM_REACH_MANAGED, site, bytes * parts.own);
    move(measured, UMSIM_REACH_PEER, site, bytes * parts.peers);
    move_far(measured, UMSIM_REACH_REMOTE, site, far);
}

/* Instructions, and what warps do together. */
static void take_work(struct umsim_access_work *work, const struct umsim_counts *counts,
                      const struct umsim_command *command)
{
    const double blocks = command->blocks ? (double)command->blocks : 1;
    const double warps = (double)((command->threads_a_block + 31) / 32);
    double slots = 0, chain = (double)counts->work[UMSIM_WORK_CHAIN] / UMSIM_WORK_ONE;
    for (int c = 0; c < UMSIM_WORK_INSTRUCTIONS; c++)
        slots += umsim_slots[c] * (double)counts->work[c] / UMSIM_WORK_ONE;
    for (unsigned i = 0; i < counts->sites; i++)
        slots += (counts->site[i].kind == UMSIM_COUNTS_SHARED ? UMSIM_SHARED_SLOTS : UMSIM_ACCESS_SLOTS) *
                 (double)counts->site[i].requests;
    for (int m = 0; m < UMSIM_COUNTS_MEETINGS; m++) {
        slots += umsim_meeting_slots[m] * (double)counts->met[m];
        chain += umsim_meeting_clocks[m] * (double)counts->met[m] / warps;
    }
    slots += UMSIM_BARRIER_SLOTS * warps * (double)counts->barriers;
    chain += UMSIM_BARRIER_CLOCKS * (double)counts->barriers;
    work->slots = (uint64_t)slots;
    work->special = (uint64_t)(UMSIM_SPECIAL_SLOTS *
                               (double)(counts->work[UMSIM_WORK_SPECIAL] + counts->work[UMSIM_WORK_CONVERT]) /
                               UMSIM_WORK_ONE);
    work->chain = (uint64_t)(UMSIM_CHAIN_CLOCKS * chain / blocks);
}

uint64_t umsim_counts_touches(const struct umsim_command *command)
{
    const struct umsim_counts *counts = &umsim_launches->counted[command->slot];
    uint64_t touches = 0;
    for (unsigned i = 0; i < counts->sites; i++) {
        const struct umsim_counts_site *site = &counts->site[i];
        if (site->kind != UMSIM_COUNTS_MANAGED)
            continue;
        touches += site->how == UMSIM_COUNTS_WRITE ? 0 : site->granules;
        touches += site->how == UMSIM_COUNTS_READ ? 0 : site->sectors;
    }
    return touches;
}

/* What the warps of a block wait for. */
static void take_waits(struct umsim_access_work *work, const struct umsim_counts *counts,
                       const struct launch *launch, uint64_t blocks)
{
    const double each = blocks ? 1 / (double)blocks : 0;
    const double far_part = launch->managed > 0 ? launch->managed_far / launch->managed : 0;
    const double near_part = launch->fetched > 0 ? launch->fetched_near / launch->fetched : 0;
    const double far = each * ((double)counts->missed_of_host + far_part * (double)counts->missed_of_managed);
    work->rounds = (uint64_t)(each * (double)counts->rounds);
    work->missed = (uint64_t)(each * (double)counts->missed);
    work->far = far < (double)work->missed ? (uint64_t)far : work->missed;
    work->peer = (uint64_t)smaller(each * (double)counts->missed_of_peer, (double)(work->missed - work->far));
    const double here = (double)(work->missed - work->far - work->peer);
    const double beside = smaller(each * (double)counts->beside, here);
    work->near = (uint64_t)(beside + (here - beside) * near_part);
}

/* Of few blocks only from where to where one or two access is known (UMSIM_COUNTS_FEW). */
static void widen(struct umsim_counts *counts)
{
    for (unsigned i = 0; i < counts->sites; i++) {
        struct umsim_counts_site *site = &counts->site[i];
        const struct umsim_alloc *allocation = is_in_memory(site) && !site->packets
                                                   ? umsim_registry_find((void *)(uintptr_t)site->lowest)
                                                   : NULL;
        if (!allocation)
            continue;
        const uint64_t begin = (uint64_t)(uintptr_t)allocation->base, end = begin + allocation->bytes;
        site->lowest = begin;
        site->end = site->end > end ? site->end : end;
    }
}

void umsim_counts_take(struct umsim_command *command, umsim_whereabouts_fn where)
{
    struct umsim_counts *counts = &umsim_launches->counted[command->slot];
    if (where && command->blocks > 1 && command->blocks <= UMSIM_COUNTS_FEW)
        widen(counts);
    struct umsim_measured *measured = &command->measured;
    struct launch launch = {
        .where = where, .device = command->device, .bytes = footprint(counts, command->device, NULL)};
    for (unsigned i = 0; i < counts->sites; i++)
        take_site(measured, &counts->site[i], &launch);
    if (where)
        umsim_level2_pass(command->device, footprint(counts, command->device, umsim_level2_keep));
    struct umsim_access_work *work = &measured->accesses;
    take_work(work, counts, command);
    work->touches = umsim_counts_touches(command);
    take_waits(work, counts, &launch, command->blocks);
}
