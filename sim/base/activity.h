/**
 * @file activity.h
 * @brief Kernels that may be under way, as far as the host knows.
 */
#ifndef UMSIM_ACTIVITY_H
#define UMSIM_ACTIVITY_H

#include <stdbool.h>
#include <stdint.h>

/** Kernels of which the host cannot know yet that they have ended: those of a stream, or all. */
struct umsim_activity {
    _Atomic unsigned unsettled;
    _Atomic uint64_t end_ns; /* of the settled ones */
};

/** A kernel of a stream was issued; it has its end. Both count for all streams' kernels, too. */
void umsim_kernel_issued(struct umsim_activity *stream);
void umsim_kernel_settled(struct umsim_activity *stream, uint64_t end_ns);

/**
 * Whether a kernel of a stream (NULL: of any) may be under way as far as the host knows: it has been issued,
 * and nobody has waited until its end. Async-signal-safe.
 */
bool umsim_kernels_busy(const struct umsim_activity *stream);

#endif
