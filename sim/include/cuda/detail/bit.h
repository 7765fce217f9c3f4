/**
 * @file bit.h
 * @brief <cuda/std/bit>: queries about bits. C++20 has them; here they are available from C++17 on, as in
 * CUDA.
 */
#ifndef UMSIM_CUDA_BIT_H
#define UMSIM_CUDA_BIT_H

#include <limits>
#include <type_traits>

namespace cuda
{
namespace std
{

/** The same bytes as another type. */
template <class _To, class _From> constexpr _To bit_cast(const _From &__value) noexcept
{
    static_assert(sizeof(_To) == sizeof(_From), "bit_cast() is between types of one size");
    return __builtin_bit_cast(_To, __value);
}

/** The number of bits that are set. */
template <class _Tp> constexpr int popcount(_Tp __value) noexcept
{
    static_assert(::std::is_unsigned<_Tp>::value, "of unsigned integers");
    return __builtin_popcountll(__value);
}
/** The number of zeros from the highest bit down. */
template <class _Tp> constexpr int countl_zero(_Tp __value) noexcept
{
    static_assert(::std::is_unsigned<_Tp>::value, "of unsigned integers");
    constexpr int __bits = ::std::numeric_limits<_Tp>::digits;
    return __value == 0 ? __bits : __builtin_clzll(__value) - (64 - __bits);
}
/** The number of zeros from the lowest bit up. */
template <class _Tp> constexpr int countr_zero(_Tp __value) noexcept
{
    static_assert(::std::is_unsigned<_Tp>::value, "of unsigned integers");
    return __value == 0 ? ::std::numeric_limits<_Tp>::digits : __builtin_ctzll(__value);
}
/** The number of ones from the highest bit down. */
template <class _Tp> constexpr int countl_one(_Tp __value) noexcept
{
    return countl_zero((_Tp)~__value);
}
/** The number of ones from the lowest bit up. */
template <class _Tp> constexpr int countr_one(_Tp __value) noexcept
{
    return countr_zero((_Tp)~__value);
}
/** The number of bits needed to write the value. */
template <class _Tp> constexpr int bit_width(_Tp __value) noexcept
{
    return ::std::numeric_limits<_Tp>::digits - countl_zero(__value);
}
/** Whether it is a power of two. */
template <class _Tp> constexpr bool has_single_bit(_Tp __value) noexcept
{
    return popcount(__value) == 1;
}
/** The largest power of two that is not above it; 0 for 0. */
template <class _Tp> constexpr _Tp bit_floor(_Tp __value) noexcept
{
    return __value == 0 ? (_Tp)0 : (_Tp)((_Tp)1 << (bit_width(__value) - 1));
}
/** The smallest power of two that is not below it. */
template <class _Tp> constexpr _Tp bit_ceil(_Tp __value) noexcept
{
    return __value <= 1 ? (_Tp)1 : (_Tp)((_Tp)1 << bit_width((_Tp)(__value - 1)));
}
/** Rotations: bits that leave on one side come back on the other. */
template <class _Tp> constexpr _Tp rotl(_Tp __value, int __by) noexcept
{
    constexpr int __bits = ::std::numeric_limits<_Tp>::digits;
    const int __left = ((__by % __bits) + __bits) % __bits;
    return __left == 0 ? __value : (_Tp)((_Tp)(__value << __left) | (_Tp)(__value >> (__bits - __left)));
}
template <class _Tp> constexpr _Tp rotr(_Tp __value, int __by) noexcept
{
    return rotl(__value, -__by);
}

/** The bytes in the other order. */
template <class _Tp> constexpr _Tp byteswap(_Tp __value) noexcept
{
    static_assert(::std::is_integral<_Tp>::value && sizeof(_Tp) <= 8, "of integers");
    if constexpr (sizeof(_Tp) == 1)
        return __value;
    else if constexpr (sizeof(_Tp) == 2)
        return (_Tp)__builtin_bswap16((unsigned short)__value);
    else if constexpr (sizeof(_Tp) == 4)
        return (_Tp)__builtin_bswap32((unsigned)__value);
    else
        return (_Tp)__builtin_bswap64((unsigned long long)__value);
}

/** The order of a number's bytes: a GPU's, and x86-64's. */
enum class endian { little = __ORDER_LITTLE_ENDIAN__, big = __ORDER_BIG_ENDIAN__, native = __BYTE_ORDER__ };

} // namespace std
} // namespace cuda

#endif
