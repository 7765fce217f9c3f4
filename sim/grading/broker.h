/**
 * @file broker.h
 * @brief Grading mode's state owner: a thread of the GPU process that does what the host asks
 * (request.h).
 *
 * Requests go through a ring in shared memory, one host thread at a time; the broker does them in that order
 * and answers those for which somebody waits. It believes nothing: a request is copied before it is looked
 * at, addresses are checked against its own state, and what cannot be is noted in the ledger. It uses no heap
 * (seal_host_memory.h).
 *
 * Bytes of the host's own memory go through a shared buffer, in parts: the host puts them in or takes them
 * out itself, so that a bad pointer of the program's is its own fault as ever, and nobody needs leave to look
 * into another process.
 */
#ifndef UMSIM_BROKER_H
#define UMSIM_BROKER_H

#include "../record/request.h"

#include <sys/types.h>

/** Host process: the broker has taken over. What it keeps is withdrawn from this process for good: the
 * windows, the policy's state, the device arena. */
void umsim_broker_take_over(void);

/** @name GPU process @{ */
#define UMSIM_BROKER_STACK ((size_t)256 << 10)

/** Thread body. */
void *umsim_broker_main(void *unused);

/** Whether the host may open those pages now: umsim_watch_allows(). */
bool umsim_broker_allows(uintptr_t start, size_t bytes, int protection);

/** Worker 0, around each launch: what was told before it is done before it; what it touched will be charged,
 * as to a launch of so many blocks, of so many threads each. */
void umsim_broker_before_command(void);
void umsim_broker_after_command(uint64_t blocks, uint64_t threads);
/** @} */

#endif
