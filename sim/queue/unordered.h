/**
 * @file unordered.h
 * @brief Under --check: which kernels nothing puts in order, although they do not run at the same time here.
 *
 * A kernel comes behind another if its operation depends on the other's, by any number of operations between,
 * or if the other had run when it was issued. All other pairs are noted with both kernels, for the race check
 * (check/race.h). 64 kernels that have not run are told apart; of more, and of those in graphs, nothing is
 * noted.
 *
 * Host process only; callers hold the simulator's lock.
 */
#ifndef UMSIM_UNORDERED_H
#define UMSIM_UNORDERED_H

#include "queue.h"
#include "../worker/launches.h"

/** Before a kernel's operation is issued: gives it a bit among those of the kernels that have not run.
 * @param its what it is unordered with; lies in the operation */
void umsim_unordered_begin(struct umsim_op *op, struct umsim_unordered *its);

/** It has been issued. */
void umsim_unordered_issued(const struct umsim_op *op);

#endif
