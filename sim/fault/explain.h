/**
 * @file explain.h
 * @brief Errors as lessons.
 *
 * Who touched what, which allocation it is and where it was made, why that side cannot touch it, what to do
 * instead; on stderr. Host process only; may be called in a fault handler.
 */
#ifndef UMSIM_EXPLAIN_H
#define UMSIM_EXPLAIN_H

#include "../base/access.h"
#include "../worker/launches.h"

#include <stdbool.h>

/** A host thread touched memory that the host cannot touch. Says nothing when the address is none of the
 *  simulator's. @param forbidden managed memory, on a device without concurrent access, before a wait */
void umsim_explain_host_fault(const void *address, struct umsim_access access, bool forbidden);

/** Keeps the list of this process's mappings open, for when it may no longer be opened. */
void umsim_explain_keep_maps(void);

/** A kernel failed. */
void umsim_explain_kernel_fault(const struct umsim_kernel_fault *fault);

#endif
