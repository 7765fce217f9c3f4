/**
 * @file rows.c
 * @brief Implementation of rows.h: how lab 4 opens and ends a row.
 */
#include "rows.h"

struct um_row *open_row(struct um_run *run, enum memory kind, const char *pattern)
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

void finish(struct um_row *row, double used, double crossing)
{
    um_phase_end(row);
    row->bandwidth_gbs = um_gbs(used, work_us(row));
    um_extra_number(row, "work_us", "work", "us", work_us(row), 1);
    um_extra_number(row, "bus_mib", "bus", "MiB", crossing / (1 << 20), 2);
}
