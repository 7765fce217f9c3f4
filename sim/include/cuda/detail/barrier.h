/**
 * @file barrier.h
 * @brief <cuda/barrier>, <cuda/std/barrier>: a phase ends when as many threads have arrived as the barrier
 * was made for.
 *
 * In __shared__ memory it is made by init(&barrier, expected) of one thread, and __syncthreads(). Threads
 * that wait give their turn away (detail/scope.h); where nobody is left who could arrive, the launch fails
 * with a message.
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

template <thread_scope Scope, class Completion = detail::nothing> class barrier
{
  public:
    /** Which phase a thread has arrived at. */
    class arrival_token
    {
      public:
        arrival_token() = default;

      private:
        friend class barrier;
        explicit arrival_token(unsigned phase) : phase_(phase)
        {
        }
        unsigned phase_;
    };

    barrier() = default;
    /** Expects so many arrivals a phase; the last one's thread calls `completion`. */
    constexpr barrier(ptrdiff_t expected, Completion completion = Completion())
        : state_(word(0, (unsigned)expected, (unsigned)expected)), completion_(completion)
    {
    }
    barrier(const barrier &) = delete;
    barrier &operator=(const barrier &) = delete;

    /** Makes a barrier where there is none yet, for all to use after a __syncthreads(). */
    friend inline void init(barrier *b, ptrdiff_t expected)
    {
        b->set(word(0, (unsigned)expected, (unsigned)expected));
    }
    friend inline void init(barrier *b, ptrdiff_t expected, Completion completion)
    {
        b->completion_ = completion;
        b->set(word(0, (unsigned)expected, (unsigned)expected));
    }

    /** Counts `update` arrivals, and goes on. */
    arrival_token arrive(ptrdiff_t update = 1)
    {
        return arrival_token(take((unsigned)update, 0));
    }
    /** Waits for the end of the phase that the token is of. */
    __host__ __device__ void wait(arrival_token &&token, UMSIM_PLACE) const
    {
        wait_for_phase(token.phase_, "cuda::barrier::wait()", file, line);
    }
    /** Waits for the end of the phase whose number is even (false) or odd, the current one or the one before.
     */
    __host__ __device__ void wait_parity(bool parity, UMSIM_PLACE) const
    {
        detail::wait_until([&] { return is_past(parity); }, [&] { return pending(look()); }, &state_,
                           "cuda::barrier::wait_parity()", file, line);
        umsim_synchronised(expected(look()));
    }
    /** Arrives, and waits for the others. */
    __host__ __device__ void arrive_and_wait(UMSIM_PLACE)
    {
        wait_for_phase(take(1, 0), "cuda::barrier::arrive_and_wait()", file, line);
    }
    /** Arrives, and leaves the barrier: later phases expect one less. */
    void arrive_and_drop()
    {
        take(1, 1);
    }

    /** Whether the phase has ended; others have their turn first. */
    __host__ __device__ bool try_wait(arrival_token &&token) const
    {
        return noted(detail::try_once([&] { return is_over(token.phase_); }));
    }
    /** The same, for so long. */
    template <class Rep, class Period>
    __host__ __device__ bool try_wait_for(arrival_token &&token,
                                          const ::std::chrono::duration<Rep, Period> &duration) const
    {
        return noted(detail::try_for([&] { return is_over(token.phase_); }, nanoseconds(duration)));
    }
    template <class Clock, class Duration>
    __host__ __device__ bool try_wait_until(arrival_token &&token,
                                            const ::std::chrono::time_point<Clock, Duration> &time) const
    {
        return try_wait_for(::std::move(token), time - Clock::now());
    }
    __host__ __device__ bool try_wait_parity(bool parity) const
    {
        return noted(detail::try_once([&] { return is_past(parity); }));
    }
    template <class Rep, class Period>
    __host__ __device__ bool try_wait_parity_for(bool parity,
                                                 const ::std::chrono::duration<Rep, Period> &duration) const
    {
        return noted(detail::try_for([&] { return is_past(parity); }, nanoseconds(duration)));
    }

    /** The most arrivals that a phase can have. */
    static constexpr ptrdiff_t max() noexcept
    {
        return (1 << 20) - 1;
    }

  private:
    /* How many are expected, how many have yet to come, and the phase's number, in one word. */
    static constexpr uint64_t word(unsigned phase, unsigned expected, unsigned pending)
    {
        return (uint64_t)(phase & 0xffffff) << 40 | (uint64_t)expected << 20 | pending;
    }
    static unsigned phase(uint64_t state)
    {
        return (unsigned)(state >> 40);
    }
    static unsigned expected(uint64_t state)
    {
        return (unsigned)(state >> 20) & 0xfffff;
    }
    static unsigned pending(uint64_t state)
    {
        return (unsigned)state & 0xfffff;
    }
    uint64_t look() const
    {
        return __atomic_load_n(&state_, __ATOMIC_ACQUIRE);
    }
    void set(uint64_t state)
    {
        __atomic_store_n(&state_, state, __ATOMIC_RELEASE);
    }
    bool is_over(unsigned number) const
    {
        return phase(look()) != number;
    }
    bool is_past(bool parity) const
    {
        return (phase(look()) & 1) != (unsigned)parity;
    }
    bool noted(bool over) const
    {
        if (over)
            umsim_synchronised(expected(look()));
        return over;
    }
    template <class Rep, class Period>
    static long long nanoseconds(const ::std::chrono::duration<Rep, Period> &duration)
    {
        return ::std::chrono::duration_cast<::std::chrono::nanoseconds>(duration).count();
    }

    /* @return the phase that was arrived at */
    unsigned take(unsigned arrivals, unsigned dropped)
    {
        uint64_t seen = look(), next;
        bool last;
        do {
            last = pending(seen) == arrivals;
            next = word(phase(seen), expected(seen) - dropped, pending(seen) - arrivals);
        } while (
            !__atomic_compare_exchange_n(&state_, &seen, next, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
        if (last) { /* nobody else arrives until the phase has ended */
            completion_();
            set(word(phase(next) + 1, expected(next), expected(next)));
        }
        return phase(seen);
    }
    __host__ __device__ void wait_for_phase(unsigned number, const char *what, const char *file,
                                            int line) const
    {
        detail::wait_until([&] { return is_over(number); }, [&] { return pending(look()); }, &state_, what,
                           file, line);
        umsim_synchronised(expected(look()));
    }

    uint64_t state_;
    [[no_unique_address]] Completion completion_;
};

/** Copies, and lets the barrier's current phase end no earlier than the copy. Here the copy is made at the
 * call. */
template <class T, class Size, thread_scope Scope, class Completion>
inline async_contract_fulfillment memcpy_async(T *to, const T *from, Size bytes, barrier<Scope, Completion> &)
{
    return detail::copy(to, from, bytes);
}
/** The same by all threads of a group. */
template <class Group, class T, class Size, thread_scope Scope, class Completion>
__device__ inline async_contract_fulfillment memcpy_async(const Group &group, T *to, const T *from,
                                                          Size bytes, barrier<Scope, Completion> &)
{
    return detail::copy_together(group, to, from, bytes);
}

namespace std
{
/** cuda::barrier of the widest scope. */
template <class Completion = detail::nothing>
class barrier : public ::cuda::barrier<thread_scope_system, Completion>
{
  public:
    using ::cuda::barrier<thread_scope_system, Completion>::barrier;
};
} // namespace std

} // namespace cuda

#endif
