/**
 * @file semaphore.h
 * @brief <cuda/semaphore>, <cuda/std/semaphore>: a fixed number of threads may continue; the others wait
 * until one of them releases the semaphore.
 */
#ifndef UMSIM_CUDA_SEMAPHORE_H
#define UMSIM_CUDA_SEMAPHORE_H

#include <chrono>

#include "scope.h"

namespace cuda
{

template <thread_scope _Scope, ptrdiff_t _Most = PTRDIFF_MAX> class counting_semaphore
{
    static_assert(_Most >= 0, "a semaphore counts from 0");

  public:
    constexpr counting_semaphore(ptrdiff_t __count = 0) : __count_(__count)
    {
    }
    counting_semaphore(const counting_semaphore &) = delete;
    counting_semaphore &operator=(const counting_semaphore &) = delete;

    void release(ptrdiff_t __update = 1)
    {
        __atomic_fetch_add(&__count_, __update, __ATOMIC_ACQ_REL);
    }
    __host__ __device__ void acquire(UMSIM_PLACE)
    {
        detail::wait_until([&] { return take(); }, [] { return 0u; }, &__count_,
                           "cuda::counting_semaphore::acquire()", __file, __line);
        umsim_synchronised(0);
    }
    __host__ __device__ bool try_acquire() noexcept
    {
        return detail::try_once([&] { return take(); });
    }
    template <class _Rep, class _Period>
    __host__ __device__ bool try_acquire_for(const ::std::chrono::duration<_Rep, _Period> &__duration)
    {
        return detail::try_for([&] { return take(); },
                               ::std::chrono::duration_cast<::std::chrono::nanoseconds>(__duration).count());
    }
    template <class _Clock, class _Duration>
    __host__ __device__ bool try_acquire_until(const ::std::chrono::time_point<_Clock, _Duration> &__time)
    {
        return try_acquire_for(__time - _Clock::now());
    }
    static constexpr ptrdiff_t max() noexcept
    {
        return _Most;
    }

  private:
    bool take()
    {
        ptrdiff_t __seen = __atomic_load_n(&__count_, __ATOMIC_ACQUIRE);
        while (__seen > 0)
            if (__atomic_compare_exchange_n(&__count_, &__seen, __seen - 1, false, __ATOMIC_ACQ_REL,
                                            __ATOMIC_ACQUIRE))
                return true;
        return false;
    }
    ptrdiff_t __count_;
};

/** A semaphore that admits one thread at a time. */
template <thread_scope _Scope> using binary_semaphore = counting_semaphore<_Scope, 1>;

namespace std
{
/** cuda::counting_semaphore with the widest scope. */
template <ptrdiff_t _Most = PTRDIFF_MAX>
class counting_semaphore : public ::cuda::counting_semaphore<thread_scope_system, _Most>
{
  public:
    using ::cuda::counting_semaphore<thread_scope_system, _Most>::counting_semaphore;
};
typedef counting_semaphore<1> binary_semaphore;
} // namespace std

} // namespace cuda

#endif
