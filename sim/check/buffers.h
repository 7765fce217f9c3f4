/**
 * @file buffers.h
 * @brief Finds host accesses to pinned buffers that an asynchronous copy has yet to write, or to read.
 *
 * Until the copy has been made, the buffer's pages are closed to the host (only to its writes, if the copy
 * reads the buffer). The first touch is reported, and opens them.
 *
 * A page that also holds bytes of anything else stays open, so that no correct access is stopped; what lies
 * between the rows of a two-dimensional copy opens the whole buffer, and is not told. Under the default
 * schedule a copy is made when the program waits for it. A copy that the simulator makes because the program
 * has been idle counts as waited for, and so does one under UMSIM_SCHED=eager.
 */
#ifndef UMSIM_CHECK_BUFFERS_H
#define UMSIM_CHECK_BUFFERS_H

#include "check.h"
#include "../base/access.h"

struct umsim_op;

/** Host process, with the simulator's lock: a copy that the call does not wait for was issued; it has been
 * made. */
void umsim_buffers_issued(const struct umsim_op *op, const struct umsim_transfer *what,
                          struct umsim_check_asked asked);
void umsim_buffers_done(const struct umsim_op *op);

/** In the fault handler: whether a closed buffer caused the fault, which is then dealt with.
 * @param pc of the access */
bool umsim_buffers_touched(const void *p, struct umsim_access access, const void *pc);

#endif
