/**
 * @file barrier.h
 * @brief <cuda/barrier>, <cuda/std/barrier>: a phase ends when as many threads have arrived as the barrier
 * expects.
 *
 * In __shared__ memory, one thread initializes the barrier by init(&barrier, expected), and __syncthreads()
 * follows. Threads that wait yield (detail/scope.h). If no thread is left that could arrive, the launch
 * fails with a message.
 */
#ifndef UMSIM_CUDA_BARRIER_H
#define UMSIM_CUDA_BARRIER_H

#include <chrono>
#include <utility>

#include "memcpy_async.h"
#include "scope.h"

namespace cuda
{

/** @cond internal */
namespace detail
{
struct nothing {
    void operator()() noexcept
    {
    }
};
} // namespace detail
/** @endcond */

template <thread_scope _Scope, class _Completion = detail::nothing> class barrier
{
  public:
    /** The phase that a thread has arrived at. */
    class arrival_token
    {
      public:
        arrival_token() = default;

      private:
        friend class barrier;
        explicit arrival_token(unsigned __phase) : __phase_(__phase)
        {
        }
        unsigned __phase_;
    };

    barrier() = default;
    /** Expects this many arrivals in each phase; the thread that arrives last calls `__completion`. */
    constexpr barrier(ptrdiff_t __expected, _Completion __completion = _Completion())
        : __state_(word(0, (unsigned)__expected, (unsigned)__expected)), __completion_(__completion)
    {
    }
    barrier(const barrier &) = delete;
    barrier &operator=(const barrier &) = delete;

    /** Constructs a barrier in raw memory. All threads may use it after a __syncthreads(). */
    friend inline void init(barrier *__b, ptrdiff_t __expected)
    {
        __b->set(word(0, (unsigned)__expected, (unsigned)__expected));
    }
    friend inline void init(barrier *__b, ptrdiff_t __expected, _Completion __completion)
    {
        __b->__completion_ = __completion;
        __b->set(word(0, (unsigned)__expected, (unsigned)__expected));
    }

    /** Counts `__update` arrivals, and continues. */
    arrival_token arrive(ptrdiff_t __update = 1)
    {
        return arrival_token(take((unsigned)__update, 0));
    }
    /** Waits for the end of the phase that the token belongs to. */
    __host__ __device__ void wait(arrival_token &&__token, UMSIM_PLACE) const
    {
        wait_for_phase(__token.__phase_, "cuda::barrier::wait()", __file, __line);
    }
    /** Waits for the end of the phase whose number is even (false) or odd: the current one, or the one
     * before. */
    __host__ __device__ void wait_parity(bool __parity, UMSIM_PLACE) const
    {
        detail::wait_until([&] { return is_past(__parity); }, [&] { return pending(load()); }, &__state_,
                           "cuda::barrier::wait_parity()", __file, __line);
        umsim_synchronised(expected(load()));
    }
    /** Arrives, and waits for the others. */
    __host__ __device__ void arrive_and_wait(UMSIM_PLACE)
    {
        wait_for_phase(take(1, 0), "cuda::barrier::arrive_and_wait()", __file, __line);
    }
    /** Arrives, and leaves the barrier: later phases expect one arrival less. */
    void arrive_and_drop()
    {
        take(1, 1);
    }

    /** Whether the phase has ended; other threads run first. */
    __host__ __device__ bool try_wait(arrival_token &&__token) const
    {
        return noted(detail::try_once([&] { return is_over(__token.__phase_); }));
    }
    /** The same, for at most this long. */
    template <class _Rep, class _Period>
    __host__ __device__ bool try_wait_for(arrival_token &&__token,
                                          const ::std::chrono::duration<_Rep, _Period> &__duration) const
    {
        return noted(detail::try_for([&] { return is_over(__token.__phase_); }, nanoseconds(__duration)));
    }
    template <class _Clock, class _Duration>
    __host__ __device__ bool try_wait_until(arrival_token &&__token,
                                            const ::std::chrono::time_point<_Clock, _Duration> &__time) const
    {
        return try_wait_for(::std::move(__token), __time - _Clock::now());
    }
    __host__ __device__ bool try_wait_parity(bool __parity) const
    {
        return noted(detail::try_once([&] { return is_past(__parity); }));
    }
    template <class _Rep, class _Period>
    __host__ __device__ bool
    try_wait_parity_for(bool __parity, const ::std::chrono::duration<_Rep, _Period> &__duration) const
    {
        return noted(detail::try_for([&] { return is_past(__parity); }, nanoseconds(__duration)));
    }

    /** The most arrivals that a phase can have. */
    static constexpr ptrdiff_t max() noexcept
    {
        return (1 << 20) - 1;
    }

  private:
    /* The number of expected arrivals, of missing arrivals, and the phase's number, in one word. */
    static constexpr uint64_t word(unsigned __phase, unsigned __expected, unsigned __pending)
    {
        return (uint64_t)(__phase & 0xffffff) << 40 | (uint64_t)__expected << 20 | __pending;
    }
    static unsigned phase(uint64_t __state)
    {
        return (unsigned)(__state >> 40);
    }
    static unsigned expected(uint64_t __state)
    {
        return (unsigned)(__state >> 20) & 0xfffff;
    }
    static unsigned pending(uint64_t __state)
    {
        return (unsigned)__state & 0xfffff;
    }
    uint64_t load() const
    {
        return __atomic_load_n(&__state_, __ATOMIC_ACQUIRE);
    }
    void set(uint64_t __state)
    {
        __atomic_store_n(&__state_, __state, __ATOMIC_RELEASE);
    }
    bool is_over(unsigned __number) const
    {
        return phase(load()) != __number;
    }
    bool is_past(bool __parity) const
    {
        return (phase(load()) & 1) != (unsigned)__parity;
    }
    bool noted(bool __over) const
    {
        if (__over)
            umsim_synchronised(expected(load()));
        return __over;
    }
    template <class _Rep, class _Period>
    static long long nanoseconds(const ::std::chrono::duration<_Rep, _Period> &__duration)
    {
        return ::std::chrono::duration_cast<::std::chrono::nanoseconds>(__duration).count();
    }

    /* @return the phase that was arrived at */
    unsigned take(unsigned __arrivals, unsigned __dropped)
    {
        uint64_t __seen = load(), __next;
        bool __last;
        do {
            __last = pending(__seen) == __arrivals;
            __next = word(phase(__seen), expected(__seen) - __dropped, pending(__seen) - __arrivals);
        } while (!__atomic_compare_exchange_n(&__state_, &__seen, __next, false, __ATOMIC_ACQ_REL,
                                              __ATOMIC_ACQUIRE));
        if (__last) { /* no other thread arrives until the phase has ended */
            __completion_();
            set(word(phase(__next) + 1, expected(__next), expected(__next)));
        }
        return phase(__seen);
    }
    __host__ __device__ void wait_for_phase(unsigned __number, const char *__what, const char *__file,
                                            int __line) const
    {
        detail::wait_until([&] { return is_over(__number); }, [&] { return pending(load()); }, &__state_,
                           __what, __file, __line);
        umsim_synchronised(expected(load()));
    }

    uint64_t __state_;
    [[no_unique_address]] _Completion __completion_;
};

/** Copies; the barrier's current phase ends no earlier than the copy. Here the copy is made at the call. */
template <class _Tp, class _Size, thread_scope _Scope, class _Completion>
inline async_contract_fulfillment memcpy_async(_Tp *__to, const _Tp *__from, _Size __bytes,
                                               barrier<_Scope, _Completion> &)
{
    return detail::copy(__to, __from, __bytes);
}
/** The same for all threads of a group. */
template <class _Group, class _Tp, class _Size, thread_scope _Scope, class _Completion>
__device__ inline async_contract_fulfillment memcpy_async(const _Group &__group, _Tp *__to, const _Tp *__from,
                                                          _Size __bytes, barrier<_Scope, _Completion> &)
{
    return detail::copy_together(__group, __to, __from, __bytes);
}

namespace std
{
/** cuda::barrier with the widest scope. */
template <class _Completion = detail::nothing>
class barrier : public ::cuda::barrier<thread_scope_system, _Completion>
{
  public:
    using ::cuda::barrier<thread_scope_system, _Completion>::barrier;
};
} // namespace std

} // namespace cuda

#endif
