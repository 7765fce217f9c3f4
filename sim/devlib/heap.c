/**
 * @file heap.c
 * @brief malloc(), free(), new and delete in kernels, over the heap of space/heap.h; alloca() in kernels.
 *
 * The same functions serve host code, where they call the C library's.
 */
#include "heap.h"
#include "../base/mode.h"
#include "../check/pieces.h"
#include "../space/heap.h"
#include "../include/umsim/library.h"
#include "../include/umsim/types_error.h"
#include "../worker/fail.h"
#include "../worker/stacks.h"
#include "../worker/worker.h"

#include <stdint.h>
#include <stdlib.h>

int umsim_in_kernel(void)
{
    return umsim_this_worker && umsim_this_worker->in_kernel;
}

/* If there is no space for the gap behind it, a checked program gets the piece all the same. */
void *umsim_kernel_malloc_for(size_t bytes, size_t alignment, const void *caller)
{
    if (!umsim_checks || !bytes || bytes > SIZE_MAX - UMSIM_PIECES_GAP)
        return umsim_heap_take(bytes, alignment);
    void *p = umsim_heap_take(bytes + UMSIM_PIECES_GAP, alignment);
    p = p ? p : umsim_heap_take(bytes, alignment);
    umsim_pieces_taken(p, bytes, caller);
    return p;
}

void *umsim_kernel_malloc(size_t bytes, size_t alignment)
{
    return umsim_kernel_malloc_for(bytes, alignment, __builtin_return_address(0));
}

void *umsim_malloc(size_t bytes)
{
    return umsim_in_kernel() ? umsim_kernel_malloc_for(bytes, 0, __builtin_return_address(0)) : malloc(bytes);
}

size_t umsim_alloca(size_t bytes)
{
    if (umsim_in_kernel() && bytes > umsim_this_worker->command->stack_limit)
        umsim_stack_refuse(umsim_this_worker, bytes);
    return bytes;
}

void umsim_free(void *p)
{
    if (!umsim_in_kernel()) {
        free(p);
        return;
    }
    if (umsim_checks)
        umsim_pieces_given_back(p);
    if (p && !umsim_heap_give_back(p))
        umsim_gpu_fail(umsim_this_worker, cudaErrorLaunchFailure,
                       "freed what malloc() or new in a kernel did not give it, or freed it twice");
}
