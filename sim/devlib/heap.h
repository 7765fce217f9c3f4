/**
 * @file devlib/heap.h
 * @brief The kernels' malloc(), for those that have been asked by another name.
 *
 * GPU process only.
 */
#ifndef UMSIM_DEVLIB_HEAP_H
#define UMSIM_DEVLIB_HEAP_H

#include <stddef.h>

/** umsim_kernel_malloc(), on behalf of the code that `caller` returns to: umcc --check names it. */
void *umsim_kernel_malloc_for(size_t bytes, size_t alignment, const void *caller);

#endif
