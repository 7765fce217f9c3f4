/**
 * @file radix.h
 * @brief Sorts of numbers by their bits, eight at a time, from the lowest: what a sort by < or > becomes.
 */
#ifndef UMSIM_THRUST_RADIX_H
#define UMSIM_THRUST_RADIX_H

#include "traffic.h"

#include <cstdint>
#include <functional>
#include <tuple>

struct __half;
struct __nv_bfloat16;

namespace thrust
{
namespace detail
{
template <int _Bytes> struct unsigned_of;
template <> struct unsigned_of<1> {
    using type = std::uint8_t;
};
template <> struct unsigned_of<2> {
    using type = std::uint16_t;
};
template <> struct unsigned_of<4> {
    using type = std::uint32_t;
};
template <> struct unsigned_of<8> {
    using type = std::uint64_t;
};
template <> struct unsigned_of<16> {
    using type = unsigned __int128;
};

template <class _Kp>
constexpr bool is_float =
    std::is_floating_point_v<_Kp> || std::is_same_v<_Kp, __half> || std::is_same_v<_Kp, __nv_bfloat16>;
template <class _Kp>
constexpr bool
    is_signed_integer = (std::is_integral_v<_Kp> && std::is_signed_v<_Kp>) || std::is_same_v<_Kp, __int128>;
template <class _Kp>
constexpr bool is_number = is_float<_Kp> || std::is_integral_v<_Kp> || std::is_same_v<_Kp, __int128> ||
                           std::is_same_v<_Kp, unsigned __int128>;

/* The bits of a number, as an unsigned number that is ordered as the numbers are; -0.0 and 0.0 are the same.
 */
template <class _Kp> __host__ __device__ auto ordered_bits(const _Kp &__key)
{
    static_assert(is_number<_Kp>, "a radix sort orders numbers; structures need a decomposer");
    using __bits_type = typename unsigned_of<sizeof(_Kp)>::type;
    constexpr __bits_type __sign = (__bits_type)((__bits_type)1 << (sizeof(_Kp) * 8 - 1));
    __bits_type __bits;
    __builtin_memcpy(&__bits, &__key, sizeof(_Kp));
    if constexpr (is_float<_Kp>) {
        if (__bits == __sign)
            __bits = 0;
        return (__bits_type)(__bits & __sign ? ~__bits : __bits | __sign);
    } else
        return (__bits_type)(is_signed_integer<_Kp> ? __bits ^ __sign : __bits);
}

/* Whether an order of elements is one of numbers by their bits, and by which. */
template <class _Cp, class _Tp, class = void> struct radix_order : std::false_type {
};
template <class _Tp, bool _Descending> struct radix_by_size : std::true_type {
    template <class _Cp> static int bits(const _Cp &)
    {
        return sizeof(_Tp) * 8;
    }
    template <class _Cp> static auto digits(const _Cp &, const _Tp &__key)
    {
        const auto __bits = ordered_bits(__key);
        return (decltype(ordered_bits(__key)))(_Descending ? ~__bits : __bits);
    }
};
template <class _Tp> constexpr bool is_plain_number = std::is_arithmetic_v<_Tp> && sizeof(_Tp) <= 8;
template <class _Tp>
struct radix_order<std::less<_Tp>, _Tp, std::enable_if_t<is_plain_number<_Tp>>> : radix_by_size<_Tp, false> {
};
template <class _Tp>
struct radix_order<std::less<>, _Tp, std::enable_if_t<is_plain_number<_Tp>>> : radix_by_size<_Tp, false> {
};
template <class _Tp>
struct radix_order<std::greater<_Tp>, _Tp, std::enable_if_t<is_plain_number<_Tp>>>
    : radix_by_size<_Tp, true> {
};
template <class _Tp>
struct radix_order<std::greater<>, _Tp, std::enable_if_t<is_plain_number<_Tp>>> : radix_by_size<_Tp, true> {
};

/* Orders pairs by what is first in them. */
template <class _Cp> struct by_first {
    _Cp less;
    template <class _Tp> bool operator()(const _Tp &__a, const _Tp &__b)
    {
        return less(std::get<0>(__a), std::get<0>(__b));
    }
};
template <class _Cp, class _Kp, class _Vp>
struct radix_order<by_first<_Cp>, std::tuple<_Kp, _Vp>, std::enable_if_t<radix_order<_Cp, _Kp>::value>>
    : std::true_type {
    static int bits(const by_first<_Cp> &__order)
    {
        return radix_order<_Cp, _Kp>::bits(__order.less);
    }
    static auto digits(const by_first<_Cp> &__order, const std::tuple<_Kp, _Vp> &__pair)
    {
        return radix_order<_Cp, _Kp>::digits(__order.less, std::get<0>(__pair));
    }
};

constexpr int radix_values = 256;
/* A part has counters of its own, which are gone over for each eight bits. */
inline index radix_parts(index __n)
{
    const index __wanted = (__n + 4095) / 4096;
    return __wanted < 64 ? __wanted : 64;
}

/* From p to q, by the eight bits from `__shift` on. `__counts` has a number for each value of each part. */
template <class _Tp, class _Sp, class _Cp>
void radix_pass(_Sp __s, const _Tp *__p, _Tp *__q, index __n, _Cp __order, int __shift, index *__counts)
{
    const index __parts = radix_parts(__n);
    const auto __digit = [=](const _Tp &__v) {
        return (unsigned)(radix_order<_Cp, _Tp>::digits(__order, __v) >> __shift) % radix_values;
    };
    begin(
        __s, __parts,
        [=](index __part) {
            index __mine[radix_values] = {};
            const index __end = part_begin(__part + 1, __parts, __n);
            for (index __i = part_begin(__part, __parts, __n); __i < __end; __i++)
                __mine[__digit(__p[__i])]++;
            for (int __d = 0; __d < radix_values; __d++)
                __counts[__d * __parts + __part] = __mine[__d];
        },
        __n, reading(__p));
    begin(
        __s, 1,
        [=](index) {
            index __before = 0;
            for (index __i = 0; __i < radix_values * __parts; __i++) {
                const index __count = __counts[__i];
                __counts[__i] = __before;
                __before += __count;
            }
        },
        radix_values * __parts, together(reading(__counts), writing(__counts)));
    begin(
        __s, __parts,
        [=](index __part) {
            index __at[radix_values];
            for (int __d = 0; __d < radix_values; __d++)
                __at[__d] = __counts[__d * __parts + __part];
            const index __end = part_begin(__part + 1, __parts, __n);
            for (index __i = part_begin(__part, __parts, __n); __i < __end; __i++)
                __q[__at[__digit(__p[__i])]++] = __p[__i];
        },
        __n, together(reading(__p), writing(__q)));
}

/* @return the one of `__p` and `__q`, both of `__n` elements, that has p's elements in order */
template <class _Tp, class _Sp, class _Cp>
_Tp *radix_sort_array(_Sp __s, _Tp *__p, _Tp *__q, index __n, _Cp __order)
{
    temporary<index, _Sp> __counts(__s, radix_values * radix_parts(__n));
    for (int __shift = 0; __shift < radix_order<_Cp, _Tp>::bits(__order); __shift += 8) {
        radix_pass(__s, __p, __q, __n, __order, __shift, __counts.get());
        _Tp *const __sorted = __q;
        __q = __p;
        __p = __sorted;
    }
    return __p;
}
} // namespace detail
} // namespace thrust

#endif
