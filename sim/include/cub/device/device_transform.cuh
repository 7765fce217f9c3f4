/**
 * @file device_transform.cuh
 * @brief cub::DeviceTransform: a function of the elements of one or more arrays.
 */
#ifndef UMSIM_CUB_DEVICE_DEVICE_TRANSFORM_CUH
#define UMSIM_CUB_DEVICE_DEVICE_TRANSFORM_CUH

#include "../../cuda/std/tuple"
#include "../detail/calls.cuh"

namespace cub
{
/** out[i] = f(a[i], b[i], ...): `__in` is an array, or a tuple of arrays. */
struct DeviceTransform {
    template <class _Ip, class _Op, class _Np, class _Fp>
    static cudaError_t Transform(_Ip __in, _Op __out, _Np __n, _Fp __f, cudaStream_t __stream = nullptr)
    {
        return Transform(std::make_tuple(__in), __out, __n, __f, __stream);
    }
    template <class... _Ip, class _Op, class _Np, class _Fp>
    static cudaError_t Transform(std::tuple<_Ip...> __in, _Op __out, _Np __n, _Fp __f,
                                 cudaStream_t __stream = nullptr)
    {
        return detail::run(__stream, [&](detail::on_device __s) {
            auto __to = detail::raw(__out);
            const auto __arrays =
                std::apply([](auto... __a) { return std::make_tuple(detail::raw(__a)...); }, __in);
            detail::each(__s, __n, [=](detail::index __i) mutable {
                __to[__i] = std::apply([&](const auto &...__a) { return __f(__a[__i]...); }, __arrays);
            });
        });
    }
    template <class... _Ap> static cudaError_t Transform(void *__storage, std::size_t &__bytes, _Ap... __a)
    {
        __bytes = __storage ? __bytes : 1;
        return __storage ? Transform(__a...) : cudaSuccess;
    }
    /** Elements are passed by reference here in any case. */
    template <class... _Ap> static cudaError_t TransformStableArgumentAddresses(_Ap &&...__a)
    {
        return Transform(std::forward<_Ap>(__a)...);
    }
};
} // namespace cub

#endif
