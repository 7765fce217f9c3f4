/**
 * @file report.h
 * @brief Prints findings on stderr, in the layout of compute-sanitizer's messages.
 *
 * Host process only; callers hold the simulator's lock.
 */
#ifndef UMSIM_CHECK_REPORT_H
#define UMSIM_CHECK_REPORT_H

#include "check.h"
#include "../base/access.h"
#include "../space/registry.h"

/** Prints, once, the allocations that were never freed (UMSIM_CHECK_LEAK). */
void umsim_report_leaks(void);

/** Kernels that ran when the program ended have called printf(), `kernel` last. */
void umsim_report_lost_output(const char *kernel);

/** A copy reads device memory that was never written: `bytes` of it from `p` on. */
void umsim_report_copy_of_nothing(uintptr_t p, size_t bytes, const char *call, const void *caller);

/** In the fault handler: the host touches a buffer of a copy that has not been made yet. */
struct umsim_report_buffer {
    uintptr_t start;
    size_t bytes, pitch,
        width;    /* from the first byte to the last; of its rows, of which `width` bytes are copied */
    bool is_read; /* by the copy */
    struct umsim_check_asked asked;
};
void umsim_report_buffer(uintptr_t p, struct umsim_access access, const void *pc,
                         const struct umsim_report_buffer *buffer);

/** Prints the table of UMSIM_CHECK_COALESCING. */
void umsim_report_coalescing(void);

/** Prints the last line. @return the number of errors */
unsigned long umsim_report_summary(void);

#endif
