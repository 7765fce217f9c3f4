/**
 * @file activity.h
 * @brief Which kernels may still be under way, as far as the host knows.
 */
#ifndef UMSIM_ACTIVITY_H
#define UMSIM_ACTIVITY_H

#include <stdbool.h>
#include <stdint.h>

/** The kernels, of one stream or of all, that may still be under way as far as the host knows. */
struct umsim_activity {
    _Atomic unsigned unsettled;
    _Atomic uint64_t end_ns; /* the latest end of the settled ones */
};

/**
 * Counts a kernel of `stream` as issued, or as settled: its end is known. Both also update the count over all
 * streams.
 */
void umsim_kernel_issued(struct umsim_activity *stream);
void umsim_kernel_settled(struct umsim_activity *stream, uint64_t end_ns);

/**
 * Whether a kernel of a stream (NULL: of any stream) may still be under way as far as the host knows: it has
 * been issued, and nobody has waited until its end. Async-signal-safe.
 */
bool umsim_kernels_busy(const struct umsim_activity *stream);

#endif
