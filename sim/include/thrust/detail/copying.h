/**
 * @file copying.h
 * @brief copy(), copy_n(): within one memory, or between host and device by one cudaMemcpy.
 */
#ifndef UMSIM_THRUST_COPYING_H
#define UMSIM_THRUST_COPYING_H

#include "../device_ptr.h"
#include "../functional.h"

#include <algorithm>
#include <vector>

namespace thrust
{
namespace detail
{

template <class A, class B> constexpr bool same_plain()
{
    if constexpr (std::is_pointer_v<A> && std::is_pointer_v<B>) {
        using T = std::remove_cv_t<std::remove_pointer_t<A>>;
        return std::is_same_v<T, std::remove_cv_t<std::remove_pointer_t<B>>> &&
               std::is_trivially_copyable_v<T>;
    } else
        return false;
}

inline void transfer(void *to, const void *from, std::size_t bytes)
{
    if (bytes != 0)
        check(cudaMemcpy(to, from, bytes, cudaMemcpyDefault), "a copy failed");
}

/* The device's elements pass through an array of their own when they are computed or of another type. */
template <class I, class O> O from_device(I first, index n, O out)
{
    using T = value_of<I>;
    const auto from = raw(first);
    if constexpr (same_plain<std::decay_t<decltype(from)>, O>()) {
        transfer(out, from, n * sizeof(T));
        return out + n;
    } else {
        temporary<T, on_device> there(on_device{}, n);
        temporary<T, on_host> here(on_host{}, n);
        T *const p = there.get();
        each(on_device{}, n, [=](index i) { p[i] = from[i]; });
        transfer(here.get(), p, n * sizeof(T));
        for (index i = 0; i < n; i++, ++out)
            *out = here.get()[i];
        return out;
    }
}

template <class I, class O> O to_device(I first, index n, O out)
{
    using T = std::conditional_t<std::is_void_v<value_of<O>>, value_of<I>, value_of<O>>;
    auto to = raw(out);
    if constexpr (same_plain<I, decltype(to)>())
        transfer(to, first, n * sizeof(T));
    else {
        temporary<T, on_device> there(on_device{}, n);
        temporary<T, on_host> here(on_host{}, n);
        T *const p = there.get();
        for (index i = 0; i < n; i++, ++first)
            here.get()[i] = (T)*first;
        transfer(p, here.get(), n * sizeof(T));
        each(on_device{}, n, [=](index i) mutable { to[i] = p[i]; });
    }
    return out + n;
}

template <class S, class I, class O> O copy_within(S s, I first, index n, O out)
{
    if constexpr (!S::device && !has_raw<I>::value && !has_raw<O>::value) {
        for (index i = 0; i < n; i++, ++first, ++out)
            *out = *first;
        return out;
    } else {
        auto from = raw(first);
        auto to = raw(out);
        each(s, n, [=](index i) mutable { to[i] = from[i]; });
        return out + n;
    }
}

/* Without a policy, or with one for each side, the iterators say where to. */
template <class I, class O> O copy_by_room(I first, index n, O out)
{
    constexpr bool from_host = room_of<I>() == room::host, to_host = room_of<O>() == room::host;
    constexpr bool from_there = room_of<I>() == room::device, to_there = room_of<O>() == room::device;
    if constexpr (from_there && to_host)
        return from_device(first, n, out);
    else if constexpr (from_host && to_there)
        return to_device(first, n, out);
    else
        return copy_within(system_of<I, O>(), first, n, out);
}
} // namespace detail

/** @return behind the last element written */
template <class I, class O> O copy(I first, I last, O out)
{
    return detail::copy_by_room(first, (detail::index)std::distance(first, last), out);
}
/** A policy that is thrust::device says of plain pointers that they are the device's. */
template <class P, class I, class O, class = std::enable_if_t<detail::is_policy<P>::value>>
O copy(const P &policy, I first, I last, O out)
{
    return copy_n(policy, first, last - first, out);
}
template <class I, class N, class O, class = std::enable_if_t<!detail::is_policy<I>::value>>
O copy_n(I first, N n, O out)
{
    return detail::copy_by_room(first, (detail::index)n, out);
}
template <class P, class I, class N, class O, class = std::enable_if_t<detail::is_policy<P>::value>>
O copy_n(const P &policy, I first, N n, O out)
{
    constexpr detail::room from = detail::room_of<I>(), to = detail::room_of<O>();
    constexpr bool apart =
        (from == detail::room::device && to == detail::room::host && !std::is_pointer_v<O>) ||
        (to == detail::room::device && from == detail::room::host && !std::is_pointer_v<I>);
    if constexpr (apart)
        return detail::copy_by_room(first, (detail::index)n, out);
    else
        return detail::copy_within(policy.thrust_system(), first, (detail::index)n, out);
}
} // namespace thrust

#endif
