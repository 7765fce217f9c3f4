/**
 * @file scope.h
 * @brief What <cuda/atomic>, <cuda/barrier> and related headers share: scopes, memory orders, waiting.
 *
 * One machine's cores see each other's atomics alike, so a scope changes nothing here. Functions that wait
 * are marked __device__, so that umcc gives fibers to the kernels that call them.
 */
#ifndef UMSIM_CUDA_SCOPE_H
#define UMSIM_CUDA_SCOPE_H

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "../../umsim/abi.h"
#include "../../cuda_runtime.h"
#include "../../umsim/library.h"

namespace cuda
{

/** The threads that a synchronisation applies to. */
enum thread_scope {
    thread_scope_system = 0,
    thread_scope_device = 1,
    thread_scope_block = 2,
    thread_scope_thread = 10
};

using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

namespace std
{
using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;
} // namespace std

/** @cond internal */
namespace detail
{

/* The position of a wait in the source; the default arguments supply it, callers never pass them. */
#define UMSIM_PLACE const char *__file = __builtin_FILE(), int __line = __builtin_LINE()

/* Yields until `__done()` holds; `__missing()` is the number of threads that still have to arrive. */
template <class _Done, class _Missing>
__host__ __device__ inline void wait_until(_Done __done, _Missing __missing, const void *__object,
                                           const char *__what, const char *__file, int __line)
{
    umsim_awaited __awaited = {__what, __file, __line, __object, 0};
    for (unsigned __round = 0; !__done(); __round++) {
        __awaited.missing = __missing();
        umsim_wait_yield(&__awaited, __round);
    }
}

/* Polls once; if the condition does not hold, other threads run first. @return whether it holds now */
template <class _Done> __host__ __device__ inline bool try_once(_Done __done)
{
    if (__done())
        return true;
    umsim_poll_yield();
    return __done();
}

/* Polls until the condition holds, or until `__nanoseconds` of the thread's clock have passed. */
template <class _Done> __host__ __device__ inline bool try_for(_Done __done, long long __nanoseconds)
{
    const uint64_t __start = umsim_clock_ns();
    while (!__done()) {
        if ((long long)(umsim_clock_ns() - __start) >= __nanoseconds)
            return false;
        umsim_sleep_ns(100);
        umsim_poll_yield();
    }
    return true;
}

} // namespace detail
/** @endcond */

} // namespace cuda

#endif
