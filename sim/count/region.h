/**
 * @file region.h
 * @brief Which kind of memory lies at an address, and how far around it.
 *
 * GPU process only.
 */
#ifndef UMSIM_COUNT_REGION_H
#define UMSIM_COUNT_REGION_H

#include "../worker/counts.h"
#include "../worker/worker.h"

/** Memory of one kind. Of what is not counted (stacks, parameters, constants) it is all between what is. */
struct umsim_count_region {
    uintptr_t begin, end;
    enum umsim_counts_kind kind;
};

/** The region around `p`, as the worker's threads see it. */
struct umsim_count_region umsim_count_region_at(const struct umsim_worker *worker, uintptr_t p);

#endif
