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
    _Atomic unsigned unsettled, to_run; /* to_run: of the unsettled ones, those that have not run yet */
    _Atomic uint64_t end_ns;            /* the latest end of the settled ones */
};

/**
 * Counts a kernel of `stream` as issued, as run, or as settled: its end is known. Each also updates the count
 * over all streams.
 */
void umsim_kernel_issued(struct umsim_activity *stream);
void umsim_kernel_ran(struct umsim_activity *stream);
void umsim_kernel_settled(struct umsim_activity *stream, uint64_t end_ns);

/**
 * Whether a kernel of a stream (NULL: of any stream) may still be under way as far as the host knows: it has
 * been issued, and nobody has waited until its end. Async-signal-safe.
 */
bool umsim_kernels_busy(const struct umsim_activity *stream);

/**
 * From here on, until NULL is set, the calling thread is in a host function of `stream`: what stands before
 * that in the stream has ended, what stands behind it has not begun. Only kernels of other streams may be
 * under way.
 */
void umsim_kernels_stand_still(const struct umsim_activity *stream);

#endif
