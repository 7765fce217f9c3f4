/**
 * @file semaphore.h
 * @brief <cuda/semaphore>, <cuda/std/semaphore>: so many may go on, the others wait until one gives up his
 * place.
 */
#ifndef UMSIM_CUDA_SEMAPHORE_H
#define UMSIM_CUDA_SEMAPHORE_H

#include <chrono>

#include "scope.h"

namespace cuda
{

template <thread_scope Scope, ptrdiff_t Most = PTRDIFF_MAX> class counting_semaphore
{
    static_assert(Most >= 0, "a semaphore counts from 0");

  public:
    constexpr counting_semaphore(ptrdiff_t count = 0) : count_(count)
    {
    }
    counting_semaphore(const counting_semaphore &) = delete;
    counting_semaphore &operator=(const counting_semaphore &) = delete;

    void release(ptrdiff_t update = 1)
    {
        __atomic_fetch_add(&count_, update, __ATOMIC_ACQ_REL);
    }
    __host__ __device__ void acquire(UMSIM_PLACE)
    {
        detail::wait_until([&] { return take(); }, [] { return 0u; }, &count_,
                           "cuda::counting_semaphore::acquire()", file, line);
        umsim_synchronised(0);
    }
    __host__ __device__ bool try_acquire() noexcept
    {
        return detail::try_once([&] { return take(); });
    }
    template <class Rep, class Period>
    __host__ __device__ bool try_acquire_for(const ::std::chrono::duration<Rep, Period> &duration)
    {
        return detail::try_for([&] { return take(); },
                               ::std::chrono::duration_cast<::std::chrono::nanoseconds>(duration).count());
    }
    template <class Clock, class Duration>
    __host__ __device__ bool try_acquire_until(const ::std::chrono::time_point<Clock, Duration> &time)
    {
        return try_acquire_for(time - Clock::now());
    }
    static constexpr ptrdiff_t max() noexcept
    {
        return Most;
    }

  private:
    bool take()
    {
        ptrdiff_t seen = __atomic_load_n(&count_, __ATOMIC_ACQUIRE);
        while (seen > 0)
            if (__atomic_compare_exchange_n(&count_, &seen, seen - 1, false, __ATOMIC_ACQ_REL,
                                            __ATOMIC_ACQUIRE))
                return true;
        return false;
    }
    ptrdiff_t count_;
};

/** A semaphore of one place. */
template <thread_scope Scope> using binary_semaphore = counting_semaphore<Scope, 1>;

namespace std
{
/** cuda::counting_semaphore of the widest scope. */
template <ptrdiff_t Most = PTRDIFF_MAX>
class counting_semaphore : public ::cuda::counting_semaphore<thread_scope_system, Most>
{
  public:
    using ::cuda::counting_semaphore<thread_scope_system, Most>::counting_semaphore;
};
typedef counting_semaphore<1> binary_semaphore;
} // namespace std

} // namespace cuda

#endif
