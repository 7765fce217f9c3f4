/**
 * @file rows.h
 * @brief For lab 4: what its rows have in common.
 */
#ifndef LAB4_ROWS_H
#define LAB4_ROWS_H

#include "host_memory.h"

/** Time of a row's copies and kernels, microseconds. */
static inline double work_us(const struct um_row *row)
{
    return (isnan(row->h2d_us) ? 0 : row->h2d_us) + row->kernel_us + (isnan(row->d2h_us) ? 0 : row->d2h_us);
}

/** Opens the row "STRATEGY PATTERN"; NULL when this device cannot do it: the row says so. */
static inline struct um_row *open_row(struct um_run *run, enum memory kind, const char *pattern)
{
    char name[40];

    snprintf(name, sizeof name, "%s %s", run->strategy, pattern);
    struct um_row *row = um_row(run, name);

    if (in_place(kind) && !um_device()->can_map_host)
        um_row_skip(row, "this device maps no host memory (cudaDevAttrCanMapHostMemory is 0)");
    else if (kind == REGISTERED && !um_device()->host_register)
        um_row_skip(row, "this device registers no host memory (cudaDevAttrHostRegisterSupported is 0)");
    else
        return row;
    return NULL;
}

/** Fills in what all rows report alike: `used` bytes of the host's data, for which `crossing` went over the
 * bus. */
static inline void finish(struct um_row *row, double used, double crossing)
{
    um_phase_end(row);
    row->bandwidth_gbs = um_gbs(used, work_us(row));
    um_extra_number(row, "work_us", "work", "us", work_us(row), 1);
    um_extra_number(row, "bus_mib", "over bus", "MiB", crossing / (1 << 20), 2);
}

#endif
