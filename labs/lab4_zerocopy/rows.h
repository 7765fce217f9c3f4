/**
 * @file rows.h
 * @brief What the rows of lab 4 have in common.
 */
#ifndef LAB4_ROWS_H
#define LAB4_ROWS_H

#include <math.h>

#include "host_memory.h"

/** Time of a row's copies and kernels, microseconds. */
static inline double work_us(const struct um_row *row)
{
    return (isnan(row->h2d_us) ? 0 : row->h2d_us) + row->kernel_us + (isnan(row->d2h_us) ? 0 : row->d2h_us);
}

/** Opens the row "STRATEGY PATTERN"; NULL when this device cannot do it, which the row then says. */
struct um_row *open_row(struct um_run *run, enum memory kind, const char *pattern);

/**
 * Fills in what all rows report alike: the work uses `used` bytes of the host's data, for which `crossing`
 * bytes crossed the bus.
 */
void finish(struct um_row *row, double used, double crossing);

#endif
