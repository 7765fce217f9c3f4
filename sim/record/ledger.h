/**
 * @file ledger.h
 * @brief What a graded program does, written down (include/umsim_grading.h has the ledger itself).
 *
 * First what the library in the program's process reports: messages of a few plain values, which do nothing
 * in a program that is not graded. Then what the broker (grading/broker.h), who has the ledger, makes of
 * them, and adds of its own.
 */
#ifndef UMSIM_LEDGER_H
#define UMSIM_LEDGER_H

#include "request.h"
#include "op_times.h"

/** @name Host process
 * Callers hold the simulator's lock, except for umsim_ledger_host_fault() and umsim_ledger_totals(), which
 * signal handlers call. @{ */

/** A call of the API by its name, whatever it comes to. Names that are not CUDA's are passed over. */
void umsim_ledger_call(const char *name);

/** Something came to life, or ended. `bytes` is 0 for streams and events. */
void umsim_ledger_made(enum umsim_ledger_kind kind, uint64_t bytes);
void umsim_ledger_released(enum umsim_ledger_kind kind, uint64_t bytes);

/** The host waited for everything. (Other waits and queries are known by their calls' names.) */
void umsim_ledger_waited(void);

/** A host access to memory that is not the host's was explained. Async-signal-safe. */
void umsim_ledger_host_fault(void);

/** An operation has its times. */
void umsim_ledger_operation(const struct umsim_op_times *op);

/** What only the host knows, if it has changed: the first thread's clock, waits. Async-signal-safe. */
void umsim_ledger_totals(void);
/** @} */

/** @name GPU process; one thread at a time @{ */

/** Before the fork: where the ledger is. */
void umsim_ledger_open(struct umsim_ledger *where);

/** Writes messages down from now on, unless they cannot be: serves UMSIM_NOTE. */
void umsim_ledger_start(void);

/** The counts as they are now. */
void umsim_ledger_publish(const struct umsim_counters *counters);

/** Whether there is a supervisor (grading/supervisor.h). */
void umsim_ledger_guarded(bool guarded);

/** So many bytes of pages are alive of a kind of memory that has an arena. To be looked at now, and from now
 * on. */
void umsim_ledger_alive(enum umsim_ledger_kind kind, uint64_t bytes);
void umsim_ledger_check(void);

/** Threads of a kernel have touched so many bytes. By any worker. */
void umsim_ledger_touched(uint64_t bytes);

/** Signs of tampering (enum umsim_ledger_tampering). Nothing where there is no ledger. */
void umsim_ledger_tampered(uint64_t signs);
/** @} */

#endif
