/**
 * @file traffic.h
 * @brief What the kernels of an algorithm move, told to the simulator.
 *
 * Reductions, scans, sorts and selections here are not NVIDIA's: each thread goes over neighbours, which is
 * what the host's processor likes and a GPU does not. Counted by its accesses such a kernel would take ten
 * times as long as NVIDIA's for the same work. So these kernels say what they go over, and are priced by it
 * (umsim_kernel_reads()). What an iterator computes is no memory: where nothing is told, the kernel is
 * counted. What a user's function does with the elements is not in the price of a kernel that tells.
 */
#ifndef UMSIM_THRUST_TRAFFIC_H
#define UMSIM_THRUST_TRAFFIC_H

#include "system.h"

#include <tuple>

extern "C" {
void umsim_kernel_reads(const void *__p, std::size_t __bytes);
void umsim_kernel_writes(const void *__p, std::size_t __bytes);
}

namespace thrust
{
namespace detail
{
template <class _Ip, class = void> struct is_zipped : std::false_type {
};
template <class _Ip>
struct is_zipped<_Ip, std::void_t<decltype(std::declval<const _Ip &>().get_iterator_tuple())>>
    : std::true_type {
};
/* Around another iterator, whose elements it goes along, or goes back from. Others leap. @{ */
template <class _Ip, class = void> struct goes_along : std::false_type {
};
template <class _Ip>
struct goes_along<_Ip, std::void_t<decltype(_Ip::thrust_goes_along), decltype(std::declval<_Ip>().base())>>
    : std::true_type {
};

template <class _Ip, class = void> struct goes_back : std::false_type {
};
template <class _Ip> struct goes_back<_Ip, std::void_t<decltype(_Ip::thrust_goes_back)>> : std::true_type {
};
/* @} */

/* The next kernel goes over n elements from `__i` on. */
template <bool _Writes, class _Ip> void tell(const _Ip &__i, index __n)
{
    if constexpr (std::is_pointer_v<_Ip>) {
        if constexpr (_Writes)
            umsim_kernel_writes(__i, (std::size_t)__n * sizeof *__i);
        else
            umsim_kernel_reads(__i, (std::size_t)__n * sizeof *__i);
    } else if constexpr (is_zipped<_Ip>::value)
        std::apply([=](const auto &...__each) { (tell<_Writes>(__each, __n), ...); },
                   __i.get_iterator_tuple());
    else if constexpr (goes_along<_Ip>::value)
        tell<_Writes>(__i.base(), __n);
    else if constexpr (goes_back<_Ip>::value)
        tell<_Writes>(__i.base() - __n, __n);
    else if constexpr (has_raw<_Ip>::value)
        if constexpr (!std::is_same_v<decltype(__i.thrust_raw()), _Ip>)
            tell<_Writes>(__i.thrust_raw(), __n);
}

/* What tells it: called with the number of elements, on the host, before a kernel that reads or writes them
 * all. @{ */
template <class... _Ip> auto reading(const _Ip &...__i)
{
    return [=](index __n) { (tell<false>(__i, __n), ...); };
}
template <class... _Ip> auto writing(const _Ip &...__i)
{
    return [=](index __n) { (tell<true>(__i, __n), ...); };
}
template <class _Ap, class _Bp> auto together(_Ap __a, _Bp __b)
{
    return [=](index __n) {
        __a(__n);
        __b(__n);
    };
}
/* @} */

/* Begins f(0) to f(count - 1), whose kernel moves what `__told` tells of n elements. In a kernel or on the
 * host it is done then; else finish() waits for it. */
template <class _Sp, class _Fp, class _Mp>
void begin(_Sp __s, index __count, _Fp __f, index __n, const _Mp &__told)
{
    if constexpr (_Sp::device)
        if (!umsim_in_kernel()) {
            if (__count > 0)
                __told(__n);
            launch(__count, __f, __s.stream);
            return;
        }
    for (index __i = 0; __i < __count; __i++)
        __f(__i);
}

/* Waits for what was begun. @throws thrust::system_error */
template <class _Sp> void finish(_Sp __s)
{
    if constexpr (_Sp::device)
        if (!umsim_in_kernel())
            check(cudaStreamSynchronize(__s.stream), "a kernel of Thrust's failed");
}
} // namespace detail
} // namespace thrust

#endif
