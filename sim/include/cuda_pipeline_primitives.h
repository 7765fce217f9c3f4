/**
 * @file cuda_pipeline_primitives.h
 * @brief __pipeline_memcpy_async() and its kind: copies from global to __shared__ memory that a thread waits
 * for later.
 *
 * Here a copy is made at the call: a program that reads before it has waited finds the data, on a GPU it may
 * not.
 */
#ifndef UMSIM_CUDA_PIPELINE_PRIMITIVES_H
#define UMSIM_CUDA_PIPELINE_PRIMITIVES_H

#include <string.h>
#include "cuda_awbarrier_primitives.h"

#ifdef __cplusplus

/** Copies 4, 8 or 16 bytes, of which the last `zeros` are 0 instead. */
__device__ inline void __pipeline_memcpy_async(void *to_shared, const void *from_global, size_t bytes,
                                               size_t zeros = 0)
{
    memcpy(to_shared, from_global, bytes - zeros);
    if (zeros)
        memset((char *)to_shared + bytes - zeros, 0, zeros);
}
/** What the thread has copied since is one stage. */
__device__ inline void __pipeline_commit()
{
}
/** Lets the barrier's phase end no earlier than the thread's copies (here: they are made). */
__device__ inline void __pipeline_arrive_on(__mbarrier_t *)
{
}
/** Waits for all stages but the last `prior`. */
__device__ inline void __pipeline_wait_prior(size_t)
{
}

#endif
#endif
