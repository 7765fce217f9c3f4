/**
 * @file paging_server.h
 * @brief The authoritative state of managed memory: the paging policy's state (sim/uvm), what the GPU process
 * has open because of it, and the counts.
 *
 * Host process only, but for umsim_paging_touched(). The managed lock sees to it that only one thread at a
 * time is in here; managed.h is what others call.
 */
#ifndef UMSIM_PAGING_SERVER_H
#define UMSIM_PAGING_SERVER_H

#include "protection.h"
#include "request.h"
#include "views.h"

/** The pages of a variable's section already have values in host memory, which the loader wrote. */
void umsim_paging_populate(struct umsim_managed_space *space, char *base, size_t bytes);

/** Carries out a request. Async-signal-safe when the task is the touch of a page. */
void umsim_paging_serve(const struct umsim_request *request, struct umsim_answer *answer);

/** GPU process: the running kernel has opened a page, for which it has to be charged. Async-signal-safe. */
void umsim_paging_touched(void);

#endif
