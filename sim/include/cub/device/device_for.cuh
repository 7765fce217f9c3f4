/**
 * @file device_for.cuh
 * @brief cub::DeviceFor: a function for each element or index.
 */
#ifndef UMSIM_CUB_DEVICE_DEVICE_FOR_CUH
#define UMSIM_CUB_DEVICE_DEVICE_FOR_CUH

#include "../detail/calls.cuh"

namespace cub
{
/** Calls a function for each index or element, in any order. Each form is there with and without storage. */
struct DeviceFor {
    template <class _Np, class _Fp, class = std::enable_if_t<std::is_integral_v<_Np>>>
    static cudaError_t Bulk(_Np __n, _Fp __f, cudaStream_t __stream = nullptr)
    {
        return detail::run(__stream, [&](detail::on_device __s) {
            detail::each(__s, __n, [=](detail::index __i) mutable { __f((_Np)__i); });
        });
    }
    template <class _Ip, class _Np, class _Fp, class = std::enable_if_t<std::is_integral_v<_Np>>>
    static cudaError_t ForEachN(_Ip __first, _Np __n, _Fp __f, cudaStream_t __stream = nullptr)
    {
        return detail::run(__stream, [&](detail::on_device __s) {
            auto __a = detail::raw(__first);
            detail::each(__s, __n, [=](detail::index __i) mutable { __f(__a[__i]); });
        });
    }
    template <class _Ip, class _Fp>
    static cudaError_t ForEach(_Ip __first, _Ip __last, _Fp __f, cudaStream_t __stream = nullptr)
    {
        return ForEachN(__first, (detail::index)(__last - __first), __f, __stream);
    }
    /** The function gets copies. @{ */
    template <class _Ip, class _Np, class _Fp, class = std::enable_if_t<std::is_integral_v<_Np>>>
    static cudaError_t ForEachCopyN(_Ip __first, _Np __n, _Fp __f, cudaStream_t __stream = nullptr)
    {
        using _Tp = detail::value_of<_Ip>;
        return ForEachN(
            __first, __n,
            [=](const _Tp &__v) mutable {
                _Tp __copy = __v;
                __f(__copy);
            },
            __stream);
    }
    template <class _Ip, class _Fp>
    static cudaError_t ForEachCopy(_Ip __first, _Ip __last, _Fp __f, cudaStream_t __stream = nullptr)
    {
        return ForEachCopyN(__first, (detail::index)(__last - __first), __f, __stream);
    }
    /** @} */
#define UMSIM_CUB_WITH_STORAGE(name)                                                                         \
    template <class... _Ap> static cudaError_t name(void *__storage, std::size_t &__bytes, _Ap... __a)       \
    {                                                                                                        \
        __bytes = __storage ? __bytes : 1;                                                                   \
        return __storage ? name(__a...) : cudaSuccess;                                                       \
    }
    UMSIM_CUB_WITH_STORAGE(Bulk)
    UMSIM_CUB_WITH_STORAGE(ForEachN)
    UMSIM_CUB_WITH_STORAGE(ForEach)
    UMSIM_CUB_WITH_STORAGE(ForEachCopyN)
    UMSIM_CUB_WITH_STORAGE(ForEachCopy)
#undef UMSIM_CUB_WITH_STORAGE
};
} // namespace cub

#endif
