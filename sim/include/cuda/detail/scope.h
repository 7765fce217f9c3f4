/**
 * @file scope.h
 * @brief What <cuda/atomic>, <cuda/barrier> and their kind share: scopes, memory orders, waiting.
 *
 * One machine's cores see each other's atomics alike, so a scope changes nothing here. What waits is marked
 * __device__, so that umcc gives kernels that call it fibers.
 */
#ifndef UMSIM_CUDA_SCOPE_H
#define UMSIM_CUDA_SCOPE_H

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "../../umsim/abi.h"
#include "../../cuda_runtime.h"

namespace cuda
{

/** Which threads a synchronisation is between. */
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

/* Where a wait stands in the source; the default arguments are nobody's to give. */
#define UMSIM_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

/* Gives the turn away until `done()` holds; `missing()` more threads have to come. */
template <class Done, class Missing>
__host__ __device__ inline void wait_until(Done done, Missing missing, const void *object, const char *what,
                                           const char *file, int line)
{
    umsim_awaited awaited = {what, file, line, object, 0};
    for (unsigned round = 0; !done(); round++) {
        awaited.missing = missing();
        umsim_wait_turn(&awaited, round);
    }
}

/* One look at what is not so yet: others go on first. @return whether it is so now */
template <class Done> __host__ __device__ inline bool try_once(Done done)
{
    if (done())
        return true;
    umsim_give_turn();
    return done();
}

/* Looks until it is so, or so many nanoseconds of the thread's clock have passed. */
template <class Done> __host__ __device__ inline bool try_for(Done done, long long nanoseconds)
{
    const uint64_t start = umsim_clock_ns();
    while (!done()) {
        if ((long long)(umsim_clock_ns() - start) >= nanoseconds)
            return false;
        umsim_sleep_ns(100);
        umsim_give_turn();
    }
    return true;
}

} // namespace detail
/** @endcond */

} // namespace cuda

#endif
