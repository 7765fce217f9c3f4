/**
 * @file report_memory.h
 * @brief The lines of a report that say which memory an address is in, or next to.
 *
 * Host process only; callers hold the simulator's lock, or are in a fault handler.
 */
#ifndef UMSIM_CHECK_REPORT_MEMORY_H
#define UMSIM_CHECK_REPORT_MEMORY_H

#include "finding.h"
#include "lines.h"
#include "own_array.h"

/** A finding's address as text: in __shared__ memory it is counted from the start of its variable, because
 * the address in the worker's own memory says nothing. */
const char *umsim_report_address(const struct umsim_finding *finding, char *out, size_t size);

/** Adds which allocation or variable an access out of bounds is next to. @return what to do */
const char *umsim_report_outside(struct umsim_lines *text, const struct umsim_finding *finding);

/** Adds, for tools, the array that an index is outside of. @param what kind of variable it is */
void umsim_report_own_array(struct umsim_lines *text, const struct umsim_own_array *array, const char *what);

/** Adds which memory an access is in, if it stays within it. */
void umsim_report_inside(struct umsim_lines *text, const struct umsim_finding *finding);

/** Adds the copy that ended before `p`. @return what to do; NULL if there was none */
const char *umsim_report_short_transfer(struct umsim_lines *text, uintptr_t p);

/** Whether its allocation has been written from the start to `p`. */
bool umsim_report_written_until(uintptr_t p);

#endif
