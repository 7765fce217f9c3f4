/**
 * @file latch.h
 * @brief <cuda/latch>, <cuda/std/latch>: a barrier for one use.
 */
#ifndef UMSIM_CUDA_LATCH_H
#define UMSIM_CUDA_LATCH_H

#include "scope.h"

namespace cuda
{

/** Waits end when count_down() has been called as many times as the latch was made for. */
template <thread_scope _Scope> class latch
{
  public:
    constexpr explicit latch(ptrdiff_t __expected) : __left_(__expected)
    {
    }
    latch(const latch &) = delete;
    latch &operator=(const latch &) = delete;

    void count_down(ptrdiff_t __update = 1)
    {
        __atomic_fetch_sub(&__left_, __update, __ATOMIC_ACQ_REL);
    }
    __host__ __device__ bool try_wait() const noexcept
    {
        return detail::try_once([&] { return left() == 0; });
    }
    __host__ __device__ void wait(UMSIM_PLACE) const
    {
        detail::wait_until([&] { return left() == 0; }, [&] { return (unsigned)left(); }, &__left_,
                           "cuda::latch::wait()", __file, __line);
        umsim_synchronised(0);
    }
    __host__ __device__ void arrive_and_wait(ptrdiff_t __update = 1, UMSIM_PLACE)
    {
        count_down(__update);
        wait(__file, __line);
    }
    static constexpr ptrdiff_t max() noexcept
    {
        return PTRDIFF_MAX;
    }

  private:
    ptrdiff_t left() const
    {
        return __atomic_load_n(&__left_, __ATOMIC_ACQUIRE);
    }
    ptrdiff_t __left_;
};

namespace std
{
/** cuda::latch with the widest scope. */
class latch : public ::cuda::latch<thread_scope_system>
{
  public:
    using ::cuda::latch<thread_scope_system>::latch;
};
} // namespace std

} // namespace cuda

#endif
