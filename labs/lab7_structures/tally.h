/**
 * @file tally.h
 * @brief For lab 7: what a row reports beside times and faults: calls made, and bytes needed against bytes
 * moved.
 */
#ifndef LAB7_TALLY_H
#define LAB7_TALLY_H

#include <math.h>

#include "kernels.h"
#include "um_lab.h"

struct tally {
    int64_t allocations, copies; /**< calls that the strategy made in its phases */
    double asked, fetched;       /**< bytes: what the kernels' code asks for; what memory moves for it */
    double needed;               /**< bytes that have to cross the bus, however it is done */
    double in_place;             /**< bytes that crossed with no copy and no migration (mapped memory) */
};

/** Bytes that crossed the bus; NAN where the driver's part of them is not known. */
static inline double crossed(const struct um_row *row, const struct tally *tally)
{
    const struct um_counters *c = &row->counters;
    double bytes = tally->in_place;

    if (c->bytes_migrated_h2d == UM_NONE || c->bytes_migrated_d2h == UM_NONE)
        return NAN;
    bytes += (double)(c->bytes_migrated_h2d + c->bytes_migrated_d2h);
    if (tally->copies > 0) /* on cuda, copies that nobody reported do not exist */
        bytes += (double)((c->bytes_h2d == UM_NONE ? 0 : c->bytes_h2d) +
                          (c->bytes_d2h == UM_NONE ? 0 : c->bytes_d2h));
    return bytes;
}

/** Ends the row's last phase and fills in its columns. */
static inline void finish(struct um_row *row, const struct tally *tally)
{
    um_phase_end(row);
    um_extra_count(row, "allocations", "mallocs", "calls", tally->allocations);
    um_extra_count(row, "copies", "copies", "calls", tally->copies);
    um_extra_number(row, "kernel_asked_kib", "asked", "KiB", tally->asked / 1024, 0);
    um_extra_number(row, "kernel_moved_kib", "fetched", "KiB", tally->fetched / 1024, 0);
    um_extra_number(row, "bus_used_percent", "bus used", "%", 100 * tally->needed / crossed(row, tally), 1);
}

/** True, after a row that says why, where this device has no managed memory. */
static inline bool skipped(struct um_run *run)
{
    if (um_device()->managed)
        return false;
    um_row_skip(um_row(run, NULL), "this device has no managed memory (managedMemory is 0)");
    return true;
}

#endif
