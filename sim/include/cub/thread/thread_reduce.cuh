/**
 * @file thread_reduce.cuh
 * @brief cub::ThreadReduce: one value of a thread's own array.
 */
#ifndef UMSIM_CUB_THREAD_THREAD_REDUCE_CUH
#define UMSIM_CUB_THREAD_THREAD_REDUCE_CUH

#include "../config.cuh"
#include "../util_ptx.cuh"
#include "thread_load.cuh"
#include "thread_operators.cuh"

#include <type_traits>
#include <utility>

namespace cub
{
/** The elements of an array (or std::array, span) put together in order, behind `__start` if there is one. @{
 */
template <class _Ap, class _Fp, class _Tp>
__host__ __device__ auto ThreadReduce(const _Ap &__items, _Fp __op, _Tp __start)
{
    std::decay_t<decltype(__op(__start, __items[0]))> __sum = __start;
    for (const auto &__item : __items)
        __sum = __op(__sum, __item);
    return __sum;
}
template <class _Ap, class _Fp> __host__ __device__ auto ThreadReduce(const _Ap &__items, _Fp __op)
{
    std::decay_t<decltype(__op(__items[0], __items[0]))> __sum = __items[0];
    bool __first = true;
    for (const auto &__item : __items) {
        if (!__first)
            __sum = __op(__sum, __item);
        __first = false;
    }
    return __sum;
}
/** @} */

/** @cond internal CUDA 12's place. */
namespace internal
{
using cub::ThreadReduce;
}
/** @endcond */
} // namespace cub

#endif
