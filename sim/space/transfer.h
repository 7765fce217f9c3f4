/**
 * @file transfer.h
 * @brief Moves the bytes of copies and memsets.
 *
 * The process that owns the state does this, because it has the copy windows (arena.h).
 */
#ifndef UMSIM_TRANSFER_H
#define UMSIM_TRANSFER_H

#include "../record/request.h"

/**
 * Host process: moves (UMSIM_COPY) or fills (UMSIM_SET) a rectangle, and counts the copy. Callers hold the
 * simulator's lock.
 * @return false when that was impossible because the GPU process has ended
 */
bool umsim_transfer(enum umsim_task task, const struct umsim_transfer *what);

/** Before the fork: from now on UMSIM_COPY and UMSIM_SET are carried out here, in the process that owns the
 * state. */
void umsim_transfer_start(void);

#endif
