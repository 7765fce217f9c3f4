/**
 * @file beside.h
 * @brief Finds copies and memsets that use the memory of a kernel, or of each other, while nothing puts them
 * in order (queue/unordered.h).
 *
 * Two of them are compared by their rows. What a kernel has used is known from the shadow words that find
 * races (race.h), when it has ended. Nothing is told of a kernel that reads flags, by volatile or atomic
 * reads, because a copy may have written such a flag behind its data; nor of one that writes them where the
 * host may see them, which may then ask for the copy. Words of which a copy has a part only are left out.
 * Host process only; callers hold the simulator's lock.
 */
#ifndef UMSIM_CHECK_BESIDE_H
#define UMSIM_CHECK_BESIDE_H

#include "check.h"

/** A copy, or a memset: `from` is 0. */
struct umsim_moved {
    struct umsim_transfer what;
    struct umsim_check_asked asked;
};

/** Whether it writes to `p`, or (`to` false) reads there. */
bool umsim_moved_has(const struct umsim_moved *moved, uintptr_t p, bool to);

/** Two that nothing puts in order have been issued, `a` last. */
void umsim_beside_moved(const struct umsim_moved *a, const struct umsim_moved *b);

/** A kernel has ended, as launch `slot`, that nothing puts in order with a copy.
 * @param launched where it was launched */
void umsim_beside_kernel(const struct umsim_moved *moved, unsigned slot, const char *kernel,
                         const void *launched);

#endif
