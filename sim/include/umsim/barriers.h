/**
 * @file umsim/barriers.h
 * @brief Barriers of a block, fences, __nanosleep(). Included by umsim/device.h.
 *
 * Each barrier passes on its position in the source. It distinguishes threads of a block that wait at
 * different barriers, and the error message names it. The default arguments supply the position; callers
 * never pass them.
 */
#ifndef UMSIM_BARRIERS_H
#define UMSIM_BARRIERS_H

#include "umsim/abi.h"
#include "umsim/library.h"

/**
 * @name Barriers
 * They wait for every thread of the block that has not ended. Threads that wait at different barriers, on
 * other lines, fail the launch: on a GPU that mostly hangs.
 * @{
 */
inline void __syncthreads(const char *__file = __builtin_FILE(), int __line = __builtin_LINE())
{
    umsim_syncthreads(__file, __line);
}
/** @return the number of threads of the block whose predicate is not 0 */
inline int __syncthreads_count(int __predicate, const char *__file = __builtin_FILE(),
                               int __line = __builtin_LINE())
{
    return umsim_syncthreads_count(__predicate, __file, __line);
}
/** @return whether it is not 0 for any */
inline int __syncthreads_or(int __predicate, const char *__file = __builtin_FILE(),
                            int __line = __builtin_LINE())
{
    return umsim_syncthreads_count(__predicate, __file, __line) != 0;
}
/** @return whether it is not 0 for all */
inline int __syncthreads_and(int __predicate, const char *__file = __builtin_FILE(),
                             int __line = __builtin_LINE())
{
    return umsim_syncthreads_count(__predicate == 0, __file, __line) == 0;
}
/** @} */

/**
 * @name Fences
 * Whoever sees what was written after the fence also sees what was written before it: the block, the device,
 * or the host too.
 * @{
 */
inline void __threadfence_block()
{
    umsim::scope<true> __scope{};
    (void)__scope;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
inline void __threadfence()
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
inline void __threadfence_system()
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
/** @} */

/**
 * @name Programmatic dependent launch
 * A kernel may begin before the one that it depends on has ended
 * (cudaLaunchAttributeProgrammaticStreamSerialization), and waits for that here. In the simulator it never
 * begins early, so there is nothing to wait for.
 * @{
 */
__device__ inline void cudaGridDependencySynchronize()
{
}
/** Kernels that depend on this one may begin. */
__device__ inline void cudaTriggerProgrammaticLaunchCompletion()
{
}
/** @} */

/** Lets the block's other threads run first. The time passes on the thread's clock (clock64()). */
inline void __nanosleep(unsigned __nanoseconds)
{
    umsim_sleep_ns(__nanoseconds);
    umsim_poll_yield();
}

/** @cond internal */
namespace umsim
{
/* umcc/spin.c inserts it into the condition of a loop that waits for other threads. */
inline bool poll_yield()
{
    umsim_poll_yield();
    return true;
}
/* For umcc --check, likewise: around what is polled, behind umsim_polls(1). */
template <class _Tp> inline _Tp polled(_Tp __value)
{
    umsim_polls(0);
    return __value;
}
/* umcc/lockstep.c inserts it: every lane has its value before the first one continues. */
template <class _Tp> inline _Tp lockstep(_Tp __value)
{
    umsim_yield();
    return __value;
}
} // namespace umsim
/** @endcond */

#endif
