/**
 * @file broker.h
 * @brief Grading mode's state owner: a thread of the GPU process that carries out the host's requests
 * (request.h).
 *
 * Requests go through a ring in shared memory, one host thread at a time. The broker carries them out in that
 * order, and answers those that a host thread waits for. It trusts nothing: it copies a request before it
 * reads it, checks addresses against its own state, and notes in the ledger what is impossible. It uses no
 * heap (seal_host_memory.h).
 *
 * Bytes of the host's own memory go through a shared buffer, in parts. The host puts them in or takes them
 * out itself. So a bad pointer of the program's still faults in the program, and no process needs permission
 * to read another's memory.
 */
#ifndef UMSIM_BROKER_H
#define UMSIM_BROKER_H

#include "../record/request.h"

#include <sys/types.h>

/** Host process: hands the state over to the broker. This process loses for good what the broker keeps: the
 * windows, the policy's state, the device arena. */
void umsim_broker_take_over(void);

/** @name GPU process @{ */
#define UMSIM_BROKER_STACK ((size_t)256 << 10)

/** The broker's thread. */
void *umsim_broker_main(void *unused);

/** Whether the host may open these pages now: umsim_watch_allows(), under the broker's lock. */
bool umsim_broker_allows(uintptr_t start, size_t bytes, int protection);

/** Worker 0 calls these around each launch. Requests posted before the launch are done before it begins. What
 * it touched will be charged as to a launch of `blocks` blocks of `threads` threads each. */
void umsim_broker_before_command(void);
void umsim_broker_after_command(uint64_t blocks, uint64_t threads);
/** @} */

#endif
