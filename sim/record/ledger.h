/**
 * @file ledger.h
 * @brief Writes down what a graded program does (include/umsim_grading.h has the ledger itself).
 *
 * The process that serves the program writes it, in its one thread; for others all of this does nothing. Only
 * umsim_ledger_touched() is the GPU process's, which has the ledger mapped, too.
 */
#ifndef UMSIM_LEDGER_H
#define UMSIM_LEDGER_H

#include "../include/umsim_grading.h"
#include "op_times.h"

/** Says where the ledger is. Called before the fork. */
void umsim_ledger_open(struct umsim_ledger *where);

/** What graded kernels mix values with (umsim/keyed_value.h); NULL: nothing is graded. */
const struct umsim_key *umsim_ledger_key(void);

/** A call of the API, by its name, whether it succeeds or not. Names that are not CUDA's are ignored. */
void umsim_ledger_call(const char *name);
/** It had to wait for work that had not ended. */
void umsim_ledger_stalled(const char *name);
/** umsim_host_copied(). */
void umsim_ledger_host_copied(uint64_t bytes);

/** That call failed. */
void umsim_ledger_failed(const char *name, uint64_t error);

/** Something was created, or released. `bytes` is 0 for streams and events. */
void umsim_ledger_made(enum umsim_ledger_kind kind, uint64_t bytes);
void umsim_ledger_released(enum umsim_ledger_kind kind, uint64_t bytes);

/** The host waited for everything. (Other waits, and queries, are counted by the names of their calls.) */
void umsim_ledger_waited(void);

/** A host access to memory that the host may not access was explained. Async-signal-safe. */
void umsim_ledger_host_fault(void);

/** The times of an operation are known. */
void umsim_ledger_operation(const struct umsim_op_times *op);

/** So many operations had not run when the student's process ended. */
void umsim_ledger_unfinished(uint64_t operations);

/** Writes down the clock, and all counters as they are. Async-signal-safe. */
void umsim_ledger_totals(void);

/** GPU process: threads of a kernel have touched this many bytes. Any worker may call it. */
void umsim_ledger_touched(uint64_t bytes);

#endif
