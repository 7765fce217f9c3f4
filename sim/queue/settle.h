/**
 * @file settle.h
 * @brief When operations that have run began and ended in virtual time.
 */
#ifndef UMSIM_SETTLE_H
#define UMSIM_SETTLE_H

#include "queue.h"

/** Places operations that have run on the engines, and writes them down (trace, ledger). With the lock held.
 */
void umsim_settle(struct umsim_op **batch, size_t count);

#endif
