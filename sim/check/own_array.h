/**
 * @file own_array.h
 * @brief Finds indices beyond the arrays of a thread's own stack.
 *
 * Accesses to such arrays are not looked at one by one: gcc keeps their elements in registers where it can.
 * What gcc does tell (-fsanitize=bounds) is an index outside an array's type, but not where the array lies;
 * an index outside a row of a two-dimensional `__shared__` array is usual, and stays inside the array. So an
 * index is kept until the thread's next access is seen: if that is as wide as an element, it may be the
 * access to the array, and the other checks judge it. If not, or if none follows, the access was not seen,
 * and the array is the thread's own. That a program only forms an address (`&tile[0][i]`) cannot be told from
 * an access, so these are notes, and leave the verdict alone. An array whose own access is followed by
 * another one as wide is missed.
 *
 * Beyond the end of a variable gcc tells the access itself (-fsanitize=object-size), where it knows at
 * compile time which variable that is, or which ones it may be. That is an error: nothing is there that the
 * program may use. It is not told before a variable's start, because gcc takes a negative distance for a sum
 * that is not done yet. GPU process only; one worker runs all.
 */
#ifndef UMSIM_CHECK_OWN_ARRAY_H
#define UMSIM_CHECK_OWN_ARRAY_H

#include "finding.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** An index outside of an array. @param array what g++ says of it: a struct umsim_undefined_operation
 *  @param pc the return address of gcc's call */
void umsim_own_array_index(const void *array, uint64_t index, const void *pc);

/** An access to `p`, which is beyond the end of its variable, comes next; or `p` is not aligned: what g++
 * says of it, a struct umsim_undefined_pointer, is read by the host, which drops that one. */
void umsim_own_array_outside(const void *access, uintptr_t p, const void *pc);

/** The current thread accesses memory at `p`. @return whether it has been told as one
 * beyond the end of a variable @param is_own on its
 * stack
 *  @param is_before_shared where no variable is, before the block's `__shared__` memory */
bool umsim_own_array_access(uintptr_t p, size_t bytes, bool is_own, bool is_before_shared);

/** The launch has ended. */
void umsim_own_array_settle(void);

/** Whether the next access, whichever it is, settles nothing. */
bool umsim_own_array_is_idle(void);

/** An array of a thread's own, and an index outside of it. */
struct umsim_own_array {
    char type[64];
    size_t elements, element_bytes;
    int64_t index;
};

/** Host process: an access beyond the end of a variable of the thread's own, `bytes` wide (0: not known).
 * @return false: it is none */
bool umsim_own_array_accessed(const struct umsim_finding *finding, bool *is_write, size_t *bytes);

/** Host process: what a finding in `__local__` memory is about.
 * @return false: no index is known; or the array may be another, whose access was judged, or its elements'
 * size is not known */
bool umsim_own_array_of(const struct umsim_finding *finding, struct umsim_own_array *out);

#endif
