/**
 * @file cuda_awbarrier_primitives.h
 * @brief __mbarrier_init() and related functions: barriers in __shared__ memory, for C.
 *
 * They are implemented with cuda::barrier (<cuda/barrier>).
 *
 * Not provided: __mbarrier_arrive_and_drop(), __mbarrier_token_pending_count().
 */
#ifndef UMSIM_CUDA_AWBARRIER_PRIMITIVES_H
#define UMSIM_CUDA_AWBARRIER_PRIMITIVES_H

#include "cuda_runtime.h"

#ifdef __cplusplus

#include "cuda/barrier"

/** A barrier, and the phase that a thread has arrived at. */
typedef cuda::barrier<cuda::thread_scope_block> __mbarrier_t;
typedef __mbarrier_t::arrival_token __mbarrier_token_t;

/** The most arrivals that a phase can have. */
__device__ inline uint32_t __mbarrier_maximum_count()
{
    return (uint32_t)__mbarrier_t::max();
}
/** Makes a barrier for this many arrivals in each phase. */
__device__ inline void __mbarrier_init(__mbarrier_t *__barrier, uint32_t __expected)
{
    init(__barrier, (ptrdiff_t)__expected);
}
/** Ends the barrier, so that the memory can be used for something else. */
__device__ inline void __mbarrier_inval(__mbarrier_t *)
{
}
/** Counts one arrival, and continues. */
__device__ inline __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *__barrier)
{
    return __barrier->arrive();
}
/** Whether the phase has ended. */
__device__ inline bool __mbarrier_test_wait(__mbarrier_t *__barrier, __mbarrier_token_t __token)
{
    return __barrier->try_wait(static_cast<__mbarrier_token_t &&>(__token));
}
/** Whether the phase with that parity has ended, the current one or the one before. */
__device__ inline bool __mbarrier_test_wait_parity(__mbarrier_t *__barrier, bool __parity)
{
    return __barrier->try_wait_parity(__parity);
}
/** The same; a GPU may wait this long for it. */
__device__ inline bool __mbarrier_try_wait(__mbarrier_t *__barrier, __mbarrier_token_t __token, uint32_t)
{
    return __barrier->try_wait(static_cast<__mbarrier_token_t &&>(__token));
}
__device__ inline bool __mbarrier_try_wait_parity(__mbarrier_t *__barrier, bool __parity, uint32_t)
{
    return __barrier->try_wait_parity(__parity);
}

#endif
#endif
