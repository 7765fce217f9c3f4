/**
 * @file paging_server.h
 * @brief The authoritative state of managed memory: the paging policy's state (sim/uvm), what the GPU process
 * has open because of it, and the counts.
 *
 * The host's requests come in through umsim_ask() (record/request.h); managed.h is the host's side.
 *
 * This code runs in the process that owns the state. The exception is the start, when there is only one
 * process. Callers make sure that only one thread at a time is in here: in the host process by the managed
 * lock, in the GPU process by the broker's lock.
 */
#ifndef UMSIM_PAGING_SERVER_H
#define UMSIM_PAGING_SERVER_H

#include "protection.h"
#include "../record/request.h"
#include "views.h"

/** The pages of a variable's section already have values in host memory, which the loader wrote. */
void umsim_paging_populate(struct umsim_managed_space *space, char *base, size_t bytes);

/** Before the fork: from now on tasks below UMSIM_PAGING_TASKS are carried out here. */
void umsim_paging_start(void);

/** GPU process: the running kernel has opened a page, for which it has to be charged. Async-signal-safe. */
void umsim_paging_touched(void);

/** A copy engine touches a range now. Does nothing if the range was named by the latest
 * UMSIM_ENGINE_TOUCH. */
void umsim_paging_engine_has_touched(uintptr_t address, size_t bytes, bool is_write);

/** Whether a launch's touches have not been charged yet; the second function charges them. The cost is in the
 * answer to the next UMSIM_AFTER_LAUNCH, and what the launch takes from the host's pages is in the next
 * answer. */
bool umsim_paging_uncharged(void);
void umsim_paging_charge(uint64_t start_ns);

#endif
