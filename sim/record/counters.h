/**
 * @file counters.h
 * @brief Everything is counted, in one place.
 *
 * Additions are atomic: host threads fault when they like.
 *
 * Managed memory is counted twice: in total, from what each operation of the policy came to, and for each
 * allocation, from the policy's events. The latter goes by VA block, as blocks belong to one allocation each,
 * or are shared by small ones, whose pages move together.
 */
#ifndef UMSIM_COUNTERS_H
#define UMSIM_COUNTERS_H

#include "../device/shared.h"
#include "../include/umsim.h"
#include "../uvm/uvm.h"

/** The totals since the program started. */
extern struct umsim_counters umsim_counters;

/** umsim_count(launches, 1) */
#define umsim_count(counter, amount)                                                                         \
    __atomic_fetch_add(&umsim_counters.counter, (uint64_t)(amount), __ATOMIC_RELAXED)

/** Adds what an operation of the policy did to the totals. Async-signal-safe. */
void umsim_count_paging(const struct uvm_delta *delta);

/** @name Counts of each allocation. Callers hold the managed lock. @{ */

/** A stretch of managed memory comes to life: its blocks' counts start at 0. */
void umsim_account_begin(const struct umsim_managed_space *space, uintptr_t address, size_t bytes);

/** struct uvm_delta's observer: counts the event, and hands it on to the trace, if there is one.
 * Async-signal-safe. */
void umsim_account_event(void *unused, const struct uvm_event *event);

/** Adds up the counts of the blocks of a stretch. */
void umsim_account_read(const struct umsim_managed_space *space, const void *p, size_t bytes,
                        struct umsim_counters *out);
/** @} */

#endif
