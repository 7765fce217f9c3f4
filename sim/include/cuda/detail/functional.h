/**
 * @file functional.h
 * @brief <cuda/functional>: proclaim_return_type(), minimum, maximum.
 */
#ifndef UMSIM_CUDA_FUNCTIONAL_H
#define UMSIM_CUDA_FUNCTIONAL_H

#include <type_traits>
#include <utility>

namespace cuda
{

/** @cond internal */
namespace detail
{
template <class _Result, class _Function> struct returning {
    _Function function;
    template <class... _Ap> constexpr _Result operator()(_Ap &&...__arguments) const
    {
        return function(::std::forward<_Ap>(__arguments)...);
    }
    template <class... _Ap> constexpr _Result operator()(_Ap &&...__arguments)
    {
        return function(::std::forward<_Ap>(__arguments)...);
    }
};
} // namespace detail
/** @endcond */

/** The function with an explicit result type, which nvcc cannot deduce for a device lambda. */
template <class _Result, class _Function>
constexpr detail::returning<_Result, ::std::decay_t<_Function>> proclaim_return_type(_Function &&__function)
{
    return {::std::forward<_Function>(__function)};
}

/** The smaller of two. */
template <class _Tp = void> struct minimum {
    constexpr _Tp operator()(const _Tp &__a, const _Tp &__b) const
    {
        return __b < __a ? __b : __a;
    }
};
template <> struct minimum<void> {
    template <class _Tp, class _Up>
    constexpr ::std::common_type_t<_Tp, _Up> operator()(const _Tp &__a, const _Up &__b) const
    {
        return __b < __a ? __b : __a;
    }
};

/** The larger of two. */
template <class _Tp = void> struct maximum {
    constexpr _Tp operator()(const _Tp &__a, const _Tp &__b) const
    {
        return __a < __b ? __b : __a;
    }
};
template <> struct maximum<void> {
    template <class _Tp, class _Up>
    constexpr ::std::common_type_t<_Tp, _Up> operator()(const _Tp &__a, const _Up &__b) const
    {
        return __a < __b ? __b : __a;
    }
};

} // namespace cuda

#endif
