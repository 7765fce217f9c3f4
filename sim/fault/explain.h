/**
 * @file explain.h
 * @brief Explains a bad access on stderr, as a lesson.
 *
 * An explanation says who touched what, which allocation it is and where that was made, why this side cannot
 * touch it, and what to do instead. Host process only; may be called in a fault handler.
 */
#ifndef UMSIM_EXPLAIN_H
#define UMSIM_EXPLAIN_H

#include "../base/access.h"
#include "../worker/launches.h"

#include <stdbool.h>

/** A host thread touched memory that the host cannot touch. Prints nothing if the address is not the
 * simulator's.
 * @param forbidden managed memory, on a device without concurrent access, before a wait */
void umsim_explain_host_fault(const void *address, struct umsim_access access, bool forbidden);

/** The same in a child of fork(), which touched its parent's device or managed memory. */
void umsim_explain_child_fault(const void *address, struct umsim_access access);

/** Opens the list of this process's mappings and keeps it open, because the process may later not be allowed
 * to open it. */
void umsim_explain_keep_maps(void);

/** Which part of the host's memory `p` is in: "in the host's heap (malloc)"; NULL where nothing is mapped. */
const char *umsim_explain_host_place(const void *p);

/** As umsim_describe(), with source lines to be found out later (base/source_line.h). */
size_t umsim_explain_place(const void *p, char *text, size_t size);

/** A kernel failed: prints why. Where it was launched is told if that is in Python, whose own traceback ends
 * at the wait. */
void umsim_explain_kernel_fault(const struct umsim_kernel_fault *fault);

#endif
