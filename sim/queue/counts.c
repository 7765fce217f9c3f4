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

bool umsim_counts_can(const struct umsim_kernel *kernel)
{
    return kernel->counted && !umsim_checks && !umsim_is_grading();
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
    return most > 0 ? 1 - smaller((double)site->granules / most, 1) : 0;
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
    return is_in_memory(site) && site->kind != UMSIM_COUNTS_HOST;
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
static double footprint(const struct umsim_counts *counts, void (*fn)(uint64_t begin, uint64_t end))
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
            fn(it.begin, it.end);
    }
    return all;
}

/* What memory moves for the site. `here`: the part of it that earlier launches have left in the second level
 */
static double moved(const struct umsim_counts_site *site, double all, double here)
{
    const double held = (double)umsim_machine.attributes.l2_cache_size / 2, once = extent_of(site);
    const double again = (asked_of(site) - once) * (all > held ? 1 - held / all : 0);
    return (once * (1 - here) + again) * scattering(site);
}

/* Of a sector that is written in part all is fetched, with its neighbour; only the sector goes back. */
static void move(struct umsim_measured *measured, enum umsim_reach reach,
                 const struct umsim_counts_site *site, double bytes)
{
    const bool in_parts = writes_parts(site, site->fetched);
    if (site->how != UMSIM_COUNTS_WRITE || in_parts)
        measured->read[reach] += (uint64_t)bytes;
    if (site->how != UMSIM_COUNTS_READ)
        measured->written[reach] +=
            (uint64_t)(in_parts ? bytes * (double)(site->fetched * UMSIM_SECTOR) / asked_of(site) : bytes);
}

/* Over the link: what the first level did not have. */
static void move_far(struct umsim_measured *measured, enum umsim_reach reach,
                     const struct umsim_counts_site *site, double part)
{
    const bool writes = site->how == UMSIM_COUNTS_WRITE;
    const double missed = site->sectors ? (double)site->fetched / (double)site->sectors : 0;
    const double pieces = part * (double)site->runs;
    if (!writes)
        measured->read[reach] += (uint64_t)(part * (double)site->fetched * UMSIM_SECTOR);
    if (site->how != UMSIM_COUNTS_READ)
        measured->written[reach] += (uint64_t)(part * (double)site->bytes);
    if (writes)
        measured->accesses.far_writes += (uint64_t)pieces;
    else
        measured->accesses.far_reads += (uint64_t)(pieces * missed);
}

/* Managed memory between the site's addresses, as a part of 1, that is on the device. */
static double resident_part(const struct umsim_counts_site *site, umsim_resident_fn resident_of)
{
    if (!resident_of)
        return 1;
    const size_t resident = resident_of((const void *)(uintptr_t)site->lowest, extent(site));
    return smaller((double)resident / (double)extent(site), 1);
}

/* Atomic operations wait for each other at an address, and their requests at a line. */
static void queue_up(struct umsim_access_work *work, const struct umsim_counts_site *site)
{
    const uint64_t size = site->lanes ? site->bytes / site->lanes : 0;
    if (site->how != UMSIM_COUNTS_ATOMIC || !size)
        return;
    const uint64_t lines = (site->end - 1) / UMSIM_LINE - site->lowest / UMSIM_LINE + 1;
    work->same_address += site->lanes * size / extent(site);
    work->same_line += site->passes / lines;
}

/* What passes between the levels. Writes pass the first level; parts of sectors take as long as half a line.
 */
static uint64_t passing(const struct umsim_counts_site *site)
{
    const uint64_t sectors = (site->how == UMSIM_COUNTS_READ ? site->fetched : site->sectors) * UMSIM_SECTOR;
    const uint64_t lines = writes_parts(site, site->sectors) ? site->passes * (UMSIM_LINE / 2) : 0;
    return sectors > lines ? sectors : lines;
}

/* What all sites have in common. */
struct launch {
    umsim_resident_fn resident_of;
    double bytes;                 /* what the launch accesses, each once */
    double fetched, fetched_near; /* sectors that reads fetch; those of them that the second level has */
};

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
    measured->accesses.cache_bytes += passing(site);
    queue_up(&measured->accesses, site);
    /* pages that have just come are not there: of managed memory all counts as new */
    const bool may_be_here = launch->resident_of && site->kind == UMSIM_COUNTS_DEVICE;
    const double here = may_be_here ? umsim_level2_has(site->lowest, site->end, launch->bytes) : 0;
    const double bytes = moved(site, launch->bytes, here);
    if (site->how == UMSIM_COUNTS_READ) {
        launch->fetched += (double)site->fetched;
        launch->fetched_near += here * (double)site->fetched;
    }
    if (site->kind == UMSIM_COUNTS_DEVICE) {
        move(measured, UMSIM_REACH_DEVICE, site, bytes);
        return;
    }
    const double part = resident_part(site, launch->resident_of);
    move(measured, UMSIM_REACH_MANAGED, site, bytes * part);
    move_far(measured, UMSIM_REACH_REMOTE, site, 1 - part);
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

void umsim_counts_take(struct umsim_command *command, umsim_resident_fn resident_of)
{
    const struct umsim_counts *counts = &umsim_launches->counted[command->slot];
    struct umsim_measured *measured = &command->measured;
    struct launch launch = {resident_of, footprint(counts, NULL), 0, 0};
    for (unsigned i = 0; i < counts->sites; i++)
        take_site(measured, &counts->site[i], &launch);
    if (resident_of)
        umsim_level2_pass(footprint(counts, umsim_level2_keep));
    struct umsim_access_work *work = &measured->accesses;
    work->touches = umsim_counts_touches(command);
    work->rounds = command->blocks ? counts->rounds / command->blocks : 0;
    work->missed = command->blocks ? counts->missed / command->blocks : 0;
    work->near =
        launch.fetched > 0 ? (uint64_t)((double)work->missed * launch.fetched_near / launch.fetched) : 0;
}
