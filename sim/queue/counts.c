/**
 * @file counts.c
 * @brief Implementation of counts.h.
 *
 * What the first level of cache did not have passes between it and the second level. What of this comes from
 * memory, the second level decides. What lies between the lowest and the highest address of an instruction
 * comes once. What an instruction asks for beyond that is there, as far as all that the launch asks for fits:
 * into half of the level, because an H200's has two parts that both hold what all multiprocessors read.
 *
 * Memory fetches two sectors at a time, and does this more slowly where it fetches here and there. A sector
 * of which only a part is written has to be fetched first. These rules, and their figures, were read off the
 * cells of tests/cost.
 */
#include "counts.h"
#include "../base/machine.h"
#include "../base/mode.h"
#include "../model/cost.h"

bool umsim_counts_can(const struct umsim_kernel *kernel)
{
    return kernel->counted && !umsim_checks && !umsim_is_grading();
}

/* Memory that is fetched here and there is slower: by this much where nothing is beside it. */
#define SCATTERED 0.75

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

/* How much longer memory takes because of where it is asked. */
static double scattering(const struct umsim_counts_site *site)
{
    const double most = (double)site->places * (UMSIM_NEIGHBOURS / UMSIM_GRANULE);
    const double apart = most > 0 ? 1 - smaller((double)site->granules / most, 1) : 0;
    return 1 + SCATTERED * apart * apart;
}

/* Whether another instruction asks for all that this one does. Of two that ask for the same it is the first.
 */
static bool is_within_other(const struct umsim_counts *counts, unsigned which)
{
    const struct umsim_counts_site *site = &counts->site[which];
    for (unsigned i = 0; i < counts->sites; i++) {
        const struct umsim_counts_site *it = &counts->site[i];
        const bool is_same = it->lowest == site->lowest && it->end == site->end;
        if (i != which && is_in_memory(it) && it->lowest <= site->lowest && it->end >= site->end &&
            extent_of(it) >= extent_of(site) && (!is_same || extent_of(it) > extent_of(site) || i < which))
            return true;
    }
    return false;
}

static double footprint(const struct umsim_counts *counts)
{
    double all = 0;
    for (unsigned i = 0; i < counts->sites; i++)
        if (is_in_memory(&counts->site[i]) && counts->site[i].kind != UMSIM_COUNTS_HOST &&
            !is_within_other(counts, i))
            all += extent_of(&counts->site[i]);
    return all;
}

/* What memory moves for the site. */
static double moved(const struct umsim_counts_site *site, double all)
{
    const double held = (double)umsim_machine.attributes.l2_cache_size / 2, once = extent_of(site);
    const double again = (asked_of(site) - once) * (all > held ? 1 - held / all : 0);
    return (once + again) * scattering(site);
}

static void move(struct umsim_measured *measured, enum umsim_reach reach,
                 const struct umsim_counts_site *site, double bytes)
{
    const bool reads = site->how != UMSIM_COUNTS_WRITE || writes_parts(site, site->fetched);
    if (reads)
        measured->read[reach] += (uint64_t)bytes;
    if (site->how != UMSIM_COUNTS_READ)
        measured->written[reach] += (uint64_t)bytes;
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

static void take_site(struct umsim_measured *measured, const struct umsim_counts_site *site, double all,
                      umsim_resident_fn resident_of)
{
    measured->accesses.passes += site->passes;
    if (!is_in_memory(site))
        return;
    if (site->kind == UMSIM_COUNTS_HOST) {
        move_far(measured, UMSIM_REACH_HOST, site, 1);
        return;
    }
    /* writes pass the first level; parts of sectors take twice as long */
    const uint64_t sectors = site->how == UMSIM_COUNTS_READ ? site->fetched : site->sectors;
    measured->accesses.cache_bytes += sectors * UMSIM_SECTOR * (writes_parts(site, site->sectors) ? 2 : 1);
    queue_up(&measured->accesses, site);
    if (site->kind == UMSIM_COUNTS_DEVICE) {
        move(measured, UMSIM_REACH_DEVICE, site, moved(site, all));
        return;
    }
    const double part = resident_part(site, resident_of);
    move(measured, UMSIM_REACH_MANAGED, site, moved(site, all) * part);
    move_far(measured, UMSIM_REACH_REMOTE, site, 1 - part);
}

void umsim_counts_take(struct umsim_command *command, umsim_resident_fn resident_of)
{
    const struct umsim_counts *counts = &umsim_launches->counted[command->slot];
    struct umsim_measured *measured = &command->measured;
    const double all = footprint(counts);
    for (unsigned i = 0; i < counts->sites; i++)
        take_site(measured, &counts->site[i], all, resident_of);
    measured->accesses.rounds = command->blocks ? counts->rounds / command->blocks : 0;
    measured->accesses.missed = command->blocks ? counts->missed / command->blocks : 0;
}
