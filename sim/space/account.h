/**
 * @file account.h
 * @brief What has happened to each managed allocation's pages: counts and traces the paging policy's events.
 *
 * Counts are kept by VA block, because a block belongs to one allocation, or to several small ones whose
 * pages move together. record/counters.h has the totals.
 */
#ifndef UMSIM_ACCOUNT_H
#define UMSIM_ACCOUNT_H

#include "views.h"
#include "../include/umsim.h"
#include "../uvm/uvm.h"

/** @name Counts of each allocation. Callers hold the managed lock. @{ */

/** A range of managed memory becomes alive: its blocks' counts start at 0. */
void umsim_account_begin(const struct umsim_managed_space *space, uintptr_t address, size_t bytes);

/** A space ends, with its counts. */
void umsim_account_end(const struct umsim_managed_space *space);

/** The observer of struct uvm_delta: counts the event and passes it on to the trace, if there is one.
 * Async-signal-safe. */
void umsim_account_event(void *unused, const struct uvm_event *event);

/** Adds up the counts of the blocks of a range. */
void umsim_account_read(const struct umsim_managed_space *space, const void *p, size_t bytes,
                        struct umsim_counters *out);

/** Traces an event, with the allocation that it is about. Callers have asked umsim_tracing() first. */
void umsim_account_trace(const struct uvm_event *event);

/** Traces pages that have been populated on `processor` without a fault; these are not counted. */
void umsim_account_populated(enum uvm_processor processor, uintptr_t address, size_t bytes);
/** @} */

#endif
