/**
 * @file cuda_pipeline_primitives.h
 * @brief __pipeline_memcpy_async() and related functions: copies from global to __shared__ memory that a
 * thread waits for later.
 *
 * Here a copy is made at the call. So a program that reads before it has waited finds the data here, but
 * may not find it on a GPU.
 */
#ifndef UMSIM_CUDA_PIPELINE_PRIMITIVES_H
#define UMSIM_CUDA_PIPELINE_PRIMITIVES_H

#include <string.h>
#include "cuda_awbarrier_primitives.h"

#ifdef __cplusplus

/** Copies 4, 8 or 16 bytes, of which the last `zeros` are 0 instead. */
__device__ inline void __pipeline_memcpy_async(void *__to_shared, const void *__from_global, size_t __bytes,
                                               size_t __zeros = 0)
{
    memcpy(__to_shared, __from_global, __bytes - __zeros);
    if (__zeros)
        memset((char *)__to_shared + __bytes - __zeros, 0, __zeros);
}
/** Makes one stage of what the thread has copied since the last commit. */
__device__ inline void __pipeline_commit()
{
}
/** The barrier's phase ends no earlier than the thread's copies (here: they are complete). */
__device__ inline void __pipeline_arrive_on(__mbarrier_t *)
{
}
/** Waits for all stages but the last `prior`. */
__device__ inline void __pipeline_wait_prior(size_t)
{
}

#endif
#endif
