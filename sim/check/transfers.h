/**
 * @file transfers.h
 * @brief The last copies and memsets that wrote to device memory, for explanations.
 *
 * Where a kernel reads what nobody has written, a copy that was too short is the usual cause. Host process
 * only; callers hold the simulator's lock.
 */
#ifndef UMSIM_CHECK_TRANSFERS_H
#define UMSIM_CHECK_TRANSFERS_H

#include "check.h"

struct umsim_transfer_note {
    uintptr_t to;
    size_t bytes;
    struct umsim_check_asked asked;
};

/** A copy or memset has written. */
void umsim_transfer_note(uintptr_t to, size_t bytes, struct umsim_check_asked asked);

/** The memory at `base` has become another allocation. */
void umsim_transfers_forget(uintptr_t base, size_t bytes);

/** The one among those kept that wrote from `base` on and ended at or before `p`: the last of them. NULL if
 * none did, or if another wrote elsewhere in between, because then the program copies in parts. */
const struct umsim_transfer_note *umsim_transfer_before(uintptr_t base, uintptr_t p);

#endif
