/**
 * @file executor.h
 * @brief Runs operations and settles their times.
 *
 * This is the interface between queue.c and the operations; no other code but the server's loop calls it.
 */
#ifndef UMSIM_EXECUTOR_H
#define UMSIM_EXECUTOR_H

#include "queue.h"

/** An operation was issued and is pending from now on. Takes over a reference. */
void umsim_executor_take(struct umsim_op *op);

/** An operation has its times: updates its stream. */
void umsim_op_settled(struct umsim_op *op);

/** The order in which the queue is processed: UMSIM_SCHED. */
enum umsim_schedule { UMSIM_LAZY, UMSIM_EAGER, UMSIM_RANDOM };
void umsim_schedule_set(enum umsim_schedule schedule, uint64_t seed);

/** A server's, at the end of each call: runs what `eager` or `random` wants to run now. Elsewhere a thread
 * does. */
void umsim_queue_serve(void);
/** A server's, while the program makes no call: runs what is queued up to the first host function. */
void umsim_queue_serve_silent(void);

#endif
