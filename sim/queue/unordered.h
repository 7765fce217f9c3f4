/**
 * @file unordered.h
 * @brief Under --check: which kernels and copies nothing puts in order, although they do not run at the same
 * time here.
 *
 * One comes behind another if its operation depends on the other's, by any number of operations between, or
 * if the other had run when it was issued. All other pairs of kernels are noted with both, for the race check
 * (check/race.h); those with a copy, or memset, are given to check/beside.h. 64 operations that have not run
 * are told apart; of more, and of those in graphs, nothing is noted.
 *
 * Host process only; callers hold the simulator's lock.
 */
#ifndef UMSIM_UNORDERED_H
#define UMSIM_UNORDERED_H

#include "queue.h"
#include "../check/beside.h"
#include "../worker/launches.h"

/** Whether the program's checks ask for it. */
bool umsim_unordered_asked(void);

/** Before a kernel's operation is issued, or a copy's: gives it a bit among those that have not run.
 * @param its what the kernel is unordered with; lies in the operation */
void umsim_unordered_begin(struct umsim_op *op, struct umsim_unordered *its);
void umsim_unordered_begin_moved(struct umsim_op *op, const struct umsim_moved *moved);

/** It has been issued. */
void umsim_unordered_issued(const struct umsim_op *op);

/** A kernel has ended, as launch `slot`. */
void umsim_unordered_ended(const struct umsim_op *op, unsigned slot, const char *kernel,
                           const void *launched);

#endif
