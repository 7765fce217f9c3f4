/**
 * @file copying.h
 * @brief copy(), copy_n(): within one memory, or between host and device by one cudaMemcpy.
 */
#ifndef UMSIM_THRUST_COPYING_H
#define UMSIM_THRUST_COPYING_H

#include "device_ptr.h"
#include "functional.h"

#include <algorithm>
#include <vector>

namespace thrust
{
namespace detail
{

template <class _Ap, class _Bp> constexpr bool same_plain()
{
    if constexpr (std::is_pointer_v<_Ap> && std::is_pointer_v<_Bp>) {
        using _Tp = std::remove_cv_t<std::remove_pointer_t<_Ap>>;
        return std::is_same_v<_Tp, std::remove_cv_t<std::remove_pointer_t<_Bp>>> &&
               std::is_trivially_copyable_v<_Tp>;
    } else
        return false;
}

inline void transfer(void *__to, const void *__from, std::size_t __bytes)
{
    if (__bytes != 0)
        check(cudaMemcpy(__to, __from, __bytes, cudaMemcpyDefault), "a copy failed");
}

/* The device's elements pass through an array of their own if they are computed or have another type. */
template <class _Ip, class _Op> _Op from_device(_Ip __first, index __n, _Op __out)
{
    using _Tp = value_of<_Ip>;
    const auto __from = raw(__first);
    if constexpr (same_plain<std::decay_t<decltype(__from)>, _Op>()) {
        transfer(__out, __from, __n * sizeof(_Tp));
        return __out + __n;
    } else {
        temporary<_Tp, on_device> __there(on_device{}, __n);
        temporary<_Tp, on_host> __here(on_host{}, __n);
        _Tp *const __p = __there.get();
        each(on_device{}, __n, [=](index __i) { __p[__i] = __from[__i]; });
        transfer(__here.get(), __p, __n * sizeof(_Tp));
        for (index __i = 0; __i < __n; __i++, ++__out)
            *__out = __here.get()[__i];
        return __out;
    }
}

template <class _Ip, class _Op> _Op to_device(_Ip __first, index __n, _Op __out)
{
    using _Tp = std::conditional_t<std::is_void_v<value_of<_Op>>, value_of<_Ip>, value_of<_Op>>;
    auto __to = raw(__out);
    if constexpr (same_plain<_Ip, decltype(__to)>())
        transfer(__to, __first, __n * sizeof(_Tp));
    else {
        temporary<_Tp, on_device> __there(on_device{}, __n);
        temporary<_Tp, on_host> __here(on_host{}, __n);
        _Tp *const __p = __there.get();
        for (index __i = 0; __i < __n; __i++, ++__first)
            __here.get()[__i] = (_Tp)*__first;
        transfer(__p, __here.get(), __n * sizeof(_Tp));
        each(on_device{}, __n, [=](index __i) mutable { __to[__i] = __p[__i]; });
    }
    return __out + __n;
}

template <class _Sp, class _Ip, class _Op> _Op copy_within(_Sp __s, _Ip __first, index __n, _Op __out)
{
    if constexpr (!_Sp::device && !has_raw<_Ip>::value && !has_raw<_Op>::value) {
        for (index __i = 0; __i < __n; __i++, ++__first, ++__out)
            *__out = *__first;
        return __out;
    } else {
        auto __from = raw(__first);
        auto __to = raw(__out);
        each(__s, __n, [=](index __i) mutable { __to[__i] = __from[__i]; });
        return __out + __n;
    }
}

/* Without a policy, or with one for each side, the iterators determine the direction. */
template <class _Ip, class _Op> _Op copy_by_memory_space(_Ip __first, index __n, _Op __out)
{
    constexpr bool __from_host = memory_space_of<_Ip>() == memory_space::host,
                   __to_host = memory_space_of<_Op>() == memory_space::host;
    constexpr bool __from_there = memory_space_of<_Ip>() == memory_space::device,
                   __to_there = memory_space_of<_Op>() == memory_space::device;
    if constexpr (__from_there && __to_host)
        return from_device(__first, __n, __out);
    else if constexpr (__from_host && __to_there)
        return to_device(__first, __n, __out);
    else
        return copy_within(system_of<_Ip, _Op>(), __first, __n, __out);
}
} // namespace detail

/** @return behind the last element written */
template <class _Ip, class _Op> _Op copy(_Ip __first, _Ip __last, _Op __out)
{
    return detail::copy_by_memory_space(__first, (detail::index)std::distance(__first, __last), __out);
}
/** With the policy thrust::device, plain pointers are device pointers. */
template <class _Pp, class _Ip, class _Op, class = std::enable_if_t<detail::is_policy<_Pp>::value>>
_Op copy(const _Pp &__policy, _Ip __first, _Ip __last, _Op __out)
{
    return copy_n(__policy, __first, __last - __first, __out);
}
template <class _Ip, class _Np, class _Op, class = std::enable_if_t<!detail::is_policy<_Ip>::value>>
_Op copy_n(_Ip __first, _Np __n, _Op __out)
{
    return detail::copy_by_memory_space(__first, (detail::index)__n, __out);
}
template <class _Pp, class _Ip, class _Np, class _Op, class = std::enable_if_t<detail::is_policy<_Pp>::value>>
_Op copy_n(const _Pp &__policy, _Ip __first, _Np __n, _Op __out)
{
    constexpr detail::memory_space __from = detail::memory_space_of<_Ip>(),
                                   __to = detail::memory_space_of<_Op>();
    constexpr bool __apart = (__from == detail::memory_space::device && __to == detail::memory_space::host &&
                              !std::is_pointer_v<_Op>) ||
                             (__to == detail::memory_space::device && __from == detail::memory_space::host &&
                              !std::is_pointer_v<_Ip>);
    if constexpr (__apart)
        return detail::copy_by_memory_space(__first, (detail::index)__n, __out);
    else
        return detail::copy_within(__policy.thrust_system(), __first, (detail::index)__n, __out);
}
} // namespace thrust

#endif
