/*
 * counters.h: everything is counted, in one place. Additions are atomic: host threads fault when they like.
 */
#ifndef UMSIM_COUNTERS_H
#define UMSIM_COUNTERS_H

#include "../include/umsim.h"

/** The totals since the program started. */
extern struct umsim_counters umsim_counters;

/** umsim_count(launches, 1) */
#define umsim_count(counter, amount)                                                                         \
    __atomic_fetch_add(&umsim_counters.counter, (uint64_t)(amount), __ATOMIC_RELAXED)

#endif
