/*
 * ledger.h: how the library reports what a graded program does (include/umsim_grading.h has the ledger itself).
 *
 * Every function is a message of a few plain values, and does nothing in a program that is not graded. Callers hold the
 * simulator's lock, except for umsim_ledger_host_fault() and umsim_ledger_publish(), which signal handlers call. What
 * counts follows from the messages alone, so the books can be kept anywhere: here in the process that reports.
 */
#ifndef UMSIM_LEDGER_H
#define UMSIM_LEDGER_H

#include "../include/umsim_grading.h"
#include "../space/registry.h"

struct umsim_op;

/** From here on the books are kept in `books`, which both processes map. */
void umsim_ledger_open(struct umsim_ledger *books);

/** A call of the API by its name, whatever it comes to. Names that are not CUDA's are passed over. */
void umsim_ledger_call(const char *name);

/** Something came to life, or ended. `bytes` is 0 for streams and events. */
void umsim_ledger_made(enum umsim_ledger_kind kind, uint64_t bytes);
void umsim_ledger_released(enum umsim_ledger_kind kind, uint64_t bytes);

/** The host waited for everything. (Other waits and queries are known by their calls' names.) */
void umsim_ledger_waited(void);

/** An allocation: its kind is that of its memory; variables of modules are not counted. */
static inline void umsim_ledger_allocated(enum umsim_memory memory, uint64_t bytes)
{
    if (memory <= UMSIM_REGISTERED)
        umsim_ledger_made((enum umsim_ledger_kind)memory, bytes);
}
static inline void umsim_ledger_freed(enum umsim_memory memory, uint64_t bytes)
{
    if (memory <= UMSIM_REGISTERED)
        umsim_ledger_released((enum umsim_ledger_kind)memory, bytes);
}

/** A host access to memory that is not the host's was explained. Async-signal-safe. */
void umsim_ledger_host_fault(void);

/** An operation has its times. */
void umsim_ledger_operation(const struct umsim_op *op);

/** Totals as they are now: counters and the calling thread's clock. Async-signal-safe. */
void umsim_ledger_publish(void);

#endif
