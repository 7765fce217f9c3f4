/**
 * @file buffers.h
 * @brief Pinned buffers of the host's that an asynchronous copy has yet to write, or to read.
 *
 * Until it has been made, their pages are closed to the host (to its writes, where the copy reads): the first
 * touch is told, and opens them.
 *
 * A page that holds bytes of anything else stays open, so that nobody who does right is stopped. Under the
 * default schedule a copy is made when somebody waits for it; one that the simulator makes because the
 * program has been idle counts as waited for, and so does one under UMSIM_SCHED=eager.
 */
#ifndef UMSIM_CHECK_BUFFERS_H
#define UMSIM_CHECK_BUFFERS_H

#include "check.h"
#include "../base/access.h"

struct umsim_op;

/** Host process, with the simulator's lock. A copy was issued that the call does not wait for; it has been
 * made. */
void umsim_buffers_issued(const struct umsim_op *op, const struct umsim_transfer *what,
                          struct umsim_check_asked asked);
void umsim_buffers_done(const struct umsim_op *op);

/** In the fault handler: whether the fault came from this, and is done with. @param pc of the access */
bool umsim_buffers_touched(const void *p, struct umsim_access access, const void *pc);

#endif
