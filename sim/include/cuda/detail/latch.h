/**
 * @file latch.h
 * @brief <cuda/latch>, <cuda/std/latch>: a barrier for one use.
 */
#ifndef UMSIM_CUDA_LATCH_H
#define UMSIM_CUDA_LATCH_H

#include "scope.h"

namespace cuda
{

/** Waits end when count_down() has been called as often as it was made for. */
template <thread_scope Scope> class latch
{
  public:
    constexpr explicit latch(ptrdiff_t expected) : left_(expected)
    {
    }
    latch(const latch &) = delete;
    latch &operator=(const latch &) = delete;

    void count_down(ptrdiff_t update = 1)
    {
        __atomic_fetch_sub(&left_, update, __ATOMIC_ACQ_REL);
    }
    __host__ __device__ bool try_wait() const noexcept
    {
        return detail::try_once([&] { return left() == 0; });
    }
    __host__ __device__ void wait(UMSIM_PLACE) const
    {
        detail::wait_until([&] { return left() == 0; }, [&] { return (unsigned)left(); }, &left_,
                           "cuda::latch::wait()", file, line);
        umsim_synchronised(0);
    }
    __host__ __device__ void arrive_and_wait(ptrdiff_t update = 1, UMSIM_PLACE)
    {
        count_down(update);
        wait(file, line);
    }
    static constexpr ptrdiff_t max() noexcept
    {
        return PTRDIFF_MAX;
    }

  private:
    ptrdiff_t left() const
    {
        return __atomic_load_n(&left_, __ATOMIC_ACQUIRE);
    }
    ptrdiff_t left_;
};

namespace std
{
/** cuda::latch of the widest scope. */
class latch : public ::cuda::latch<thread_scope_system>
{
  public:
    using ::cuda::latch<thread_scope_system>::latch;
};
} // namespace std

} // namespace cuda

#endif
