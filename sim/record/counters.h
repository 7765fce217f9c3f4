/**
 * @file counters.h
 * @brief The counters of everything that the simulator counts.
 *
 * Additions are atomic, because host threads can fault at any time.
 *
 * Managed memory is counted twice. The totals are here, from the result of each operation of the policy. The
 * counts of each allocation are in space/account.h, from the policy's events.
 */
#ifndef UMSIM_COUNTERS_H
#define UMSIM_COUNTERS_H

#include "../include/umsim.h"
#include "../uvm/uvm.h"

/** The totals since the program started. */
extern struct umsim_counters umsim_counters;

/** Adds `amount` to a counter, as in umsim_count(launches, 1). */
#define umsim_count(counter, amount)                                                                         \
    __atomic_fetch_add(&umsim_counters.counter, (uint64_t)(amount), __ATOMIC_RELAXED)

/** Adds to the totals what an operation of the policy did. Async-signal-safe. */
void umsim_count_paging(const struct uvm_delta *delta);

#endif
