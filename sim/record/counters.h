/**
 * @file counters.h
 * @brief Everything is counted, in one place.
 *
 * Additions are atomic: host threads fault when they like.
 *
 * Managed memory is counted in total here, from what each operation of the policy came to; for each
 * allocation in space/account.h, from the policy's events.
 */
#ifndef UMSIM_COUNTERS_H
#define UMSIM_COUNTERS_H

#include "../include/umsim.h"
#include "../uvm/uvm.h"

/** The totals since the program started. */
extern struct umsim_counters umsim_counters;

/** umsim_count(launches, 1) */
#define umsim_count(counter, amount)                                                                         \
    __atomic_fetch_add(&umsim_counters.counter, (uint64_t)(amount), __ATOMIC_RELAXED)

/** Adds what an operation of the policy did to the totals. Async-signal-safe. */
void umsim_count_paging(const struct uvm_delta *delta);

#endif
