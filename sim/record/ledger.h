/**
 * @file ledger.h
 * @brief Writes down what a graded program does (include/umsim_grading.h has the ledger itself).
 *
 * The first part is what the library reports from the program's process: messages of a few plain values,
 * which do nothing in a program that is not graded. The second part belongs to the broker (grading/broker.h),
 * which owns the ledger: it writes these messages down, and adds what it sees itself.
 */
#ifndef UMSIM_LEDGER_H
#define UMSIM_LEDGER_H

#include "request.h"
#include "op_times.h"

/**
 * @name Host process
 * Callers hold the simulator's lock, except for umsim_ledger_host_fault() and umsim_ledger_totals(), which
 * signal handlers call. @{
 */

/** A call of the API, by its name, whether it succeeds or not. Names that are not CUDA's are ignored. */
void umsim_ledger_call(const char *name);

/** That call failed. Needs no lock. */
void umsim_ledger_failed(const char *name, uint64_t error);

/** Something was created, or released. `bytes` is 0 for streams and events. */
void umsim_ledger_made(enum umsim_ledger_kind kind, uint64_t bytes);
void umsim_ledger_released(enum umsim_ledger_kind kind, uint64_t bytes);

/** A release was queued in a stream; or (false) is about to come true. */
void umsim_ledger_to_release(enum umsim_ledger_kind kind, bool is_queued);

/** The host waited for everything. (Other waits, and queries, are counted by the names of their calls.) */
void umsim_ledger_waited(void);

/** A host access to memory that the host may not access was explained. Async-signal-safe. */
void umsim_ledger_host_fault(void);

/** The times of an operation are known. */
void umsim_ledger_operation(const struct umsim_op_times *op);

/**
 * Reports what only the host knows, if it has changed: the first thread's clock, and waits.
 * Async-signal-safe.
 */
void umsim_ledger_totals(void);
/** @} */

/** @name GPU process; one thread at a time @{ */

/** Says where the ledger is. Called before the fork. */
void umsim_ledger_open(struct umsim_ledger *where);

/**
 * From now on writes messages down (serves UMSIM_NOTE); a message that cannot be true counts as tampering.
 */
void umsim_ledger_start(void);

/** What graded kernels mix values with (umsim/keyed_value.h); NULL: nothing is graded. */
const struct umsim_key *umsim_ledger_key(void);

/** Writes the current counters into the ledger. */
void umsim_ledger_publish(const struct umsim_counters *counters);

/** Records whether there is a supervisor (grading/supervisor.h). */
void umsim_ledger_guarded(bool guarded);

/**
 * Reports how many bytes of pages are alive in a kind of memory that has an arena. They are compared with the
 * messages now and from now on.
 */
void umsim_ledger_alive(enum umsim_ledger_kind kind, uint64_t bytes);
void umsim_ledger_check(void);

/** So many operations had not run when the student's process ended. */
void umsim_ledger_unfinished(uint64_t operations);

/** Threads of a kernel have touched this many bytes. Any worker may call it. */
void umsim_ledger_touched(uint64_t bytes);

/** Records signs of tampering (enum umsim_ledger_tampering). Does nothing when there is no ledger. */
void umsim_ledger_tampered(uint64_t signs);
/** @} */

#endif
