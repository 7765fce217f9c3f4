/**
 * @file counts.c
 * @brief Implementation of counts.h.
 *
 * What the first level of cache did not have passes between it and the second level. What of this comes from
 * memory, the second level decides: as long as all that a launch asks for fits there, each byte comes once;
 * beyond that, once for each wave of blocks, because blocks of one wave run side by side. In either case an
 * instruction's accesses fetch no more than what lies between its lowest and its highest address.
 */
#include "counts.h"
#include "../base/machine.h"
#include "../base/mode.h"
#include "../model/cost.h"
#include "../space/managed.h"

bool umsim_counts_can(const struct umsim_kernel *kernel, bool cooperative)
{
    return kernel->counted && !cooperative && !umsim_checks && !umsim_is_grading();
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t extent(const struct umsim_counts_site *site)
{
    return (site->highest - site->lowest + 1) * UMSIM_SECTOR;
}

/* All that the launch asks memory for, if each byte comes once. */
static uint64_t footprint(const struct umsim_counts *counted)
{
    uint64_t all = 0;
    for (unsigned i = 0; i < counted->sites; i++)
        if (counted->site[i].kind != UMSIM_COUNTS_SHARED)
            all += smaller(counted->site[i].fetched * UMSIM_SECTOR, extent(&counted->site[i]));
    return all;
}

static uint64_t waves(const struct umsim_command *command)
{
    const struct umsim_attributes *attributes = &umsim_machine.attributes;
    const uint64_t at_once =
        umsim_cost_blocks_at_once(attributes, command->threads_a_block, command->dynamic_shared) *
        (uint64_t)attributes->multiprocessor_count;
    return (command->blocks + at_once - 1) / at_once;
}

static void move(struct umsim_measured *measured, enum umsim_reach reach,
                 const struct umsim_counts_site *site, uint64_t bytes)
{
    if (site->how != UMSIM_COUNTS_WRITE)
        measured->read[reach] += bytes;
    if (site->how != UMSIM_COUNTS_READ)
        measured->written[reach] += bytes;
}

/* Managed memory between the site's addresses, as a part of 1024, that is on the device. */
static uint64_t resident_part(const struct umsim_counts_site *site)
{
    const uint64_t all = extent(site);
    const uint64_t resident =
        umsim_managed_resident((const void *)(uintptr_t)(site->lowest * UMSIM_SECTOR), all);
    return smaller(resident * 1024 / all, 1024);
}

static void take_site(struct umsim_measured *measured, const struct umsim_counts_site *site, uint64_t times)
{
    const uint64_t asked = site->fetched * UMSIM_SECTOR,
                   passed = (site->how == UMSIM_COUNTS_READ ? site->fetched : site->sectors) * UMSIM_SECTOR,
                   bytes = smaller(asked, times * extent(site));
    measured->passes += site->lines;
    if (site->kind == UMSIM_COUNTS_SHARED)
        return;
    if (site->kind == UMSIM_COUNTS_HOST) {
        move(measured, UMSIM_REACH_HOST, site, asked);
        return;
    }
    measured->passed += passed;
    if (site->kind == UMSIM_COUNTS_DEVICE) {
        move(measured, UMSIM_REACH_DEVICE, site, bytes);
        return;
    }
    const uint64_t part = resident_part(site);
    move(measured, UMSIM_REACH_MANAGED, site, bytes / 1024 * part + bytes % 1024 * part / 1024);
    move(measured, UMSIM_REACH_REMOTE, site,
         asked / 1024 * (1024 - part) + asked % 1024 * (1024 - part) / 1024);
}

void umsim_counts_take(struct umsim_command *command)
{
    const struct umsim_counts *counted = &umsim_launches->counted[command->slot];
    const bool fits = footprint(counted) <= (uint64_t)umsim_machine.attributes.l2_cache_size;
    const uint64_t times = fits ? 1 : waves(command);
    for (unsigned i = 0; i < counted->sites; i++)
        take_site(&command->measured, &counted->site[i], times);
}
