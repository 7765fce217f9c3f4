/**
 * @file tally.c
 * @brief Implementation of tally.h: ends lab 7's rows with calls, bytes needed and bytes moved.
 */
#include <math.h>

#include "tally.h"

/* Bytes that crossed the bus; NAN where the driver's part of them is not known. */
static double crossed(const struct um_row *row, const struct tally *tally)
{
    const struct um_counters *c = &row->counters;
    double bytes = tally->in_place;

    if (c->bytes_migrated_h2d == UM_NONE || c->bytes_migrated_d2h == UM_NONE)
        return NAN;
    bytes += (double)(c->bytes_migrated_h2d + c->bytes_migrated_d2h);
    if (tally->copies > 0) /* on cuda, copies that the lab did not report do not exist */
        bytes += (double)((c->bytes_h2d == UM_NONE ? 0 : c->bytes_h2d) +
                          (c->bytes_d2h == UM_NONE ? 0 : c->bytes_d2h));
    return bytes;
}

void finish(struct um_row *row, const struct tally *tally)
{
    um_phase_end(row);
    um_extra_count(row, "allocations", "mallocs", "calls", tally->allocations);
    um_extra_count(row, "copies", "copies", "calls", tally->copies);
    um_extra_number(row, "kernel_asked_kib", "asked", "KiB", tally->asked / 1024, 0);
    um_extra_number(row, "kernel_moved_kib", "fetched", "KiB", tally->fetched / 1024, 0);
    um_extra_number(row, "bus_used_percent", "bus used", "%", 100 * tally->needed / crossed(row, tally), 1);
}

bool skipped(struct um_run *run)
{
    if (um_device()->managed)
        return false;
    um_row_skip(um_row(run, NULL), "this device has no managed memory (managedMemory is 0)");
    return true;
}
