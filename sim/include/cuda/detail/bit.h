/**
 * @file bit.h
 * @brief <cuda/std/bit>: questions about bits. C++20 has them; here they are from C++17 on, as in CUDA.
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
template <class To, class From> constexpr To bit_cast(const From &value) noexcept
{
    static_assert(sizeof(To) == sizeof(From), "bit_cast() is between types of one size");
    return __builtin_bit_cast(To, value);
}

/** How many bits are set. */
template <class T> constexpr int popcount(T value) noexcept
{
    static_assert(::std::is_unsigned<T>::value, "of unsigned integers");
    return __builtin_popcountll(value);
}
/** Zeros from the highest bit down. */
template <class T> constexpr int countl_zero(T value) noexcept
{
    static_assert(::std::is_unsigned<T>::value, "of unsigned integers");
    constexpr int bits = ::std::numeric_limits<T>::digits;
    return value == 0 ? bits : __builtin_clzll(value) - (64 - bits);
}
/** Zeros from the lowest bit up. */
template <class T> constexpr int countr_zero(T value) noexcept
{
    static_assert(::std::is_unsigned<T>::value, "of unsigned integers");
    return value == 0 ? ::std::numeric_limits<T>::digits : __builtin_ctzll(value);
}
/** Ones from the highest bit down. */
template <class T> constexpr int countl_one(T value) noexcept
{
    return countl_zero((T)~value);
}
/** Ones from the lowest bit up. */
template <class T> constexpr int countr_one(T value) noexcept
{
    return countr_zero((T)~value);
}
/** Bits that are needed to write the number. */
template <class T> constexpr int bit_width(T value) noexcept
{
    return ::std::numeric_limits<T>::digits - countl_zero(value);
}
/** Whether it is a power of two. */
template <class T> constexpr bool has_single_bit(T value) noexcept
{
    return popcount(value) == 1;
}
/** The largest power of two up to it; 0 of 0. */
template <class T> constexpr T bit_floor(T value) noexcept
{
    return value == 0 ? (T)0 : (T)((T)1 << (bit_width(value) - 1));
}
/** The smallest power of two from it on. */
template <class T> constexpr T bit_ceil(T value) noexcept
{
    return value <= 1 ? (T)1 : (T)((T)1 << bit_width((T)(value - 1)));
}
/** Bits that leave on one side come back on the other. */
template <class T> constexpr T rotl(T value, int by) noexcept
{
    constexpr int bits = ::std::numeric_limits<T>::digits;
    const int left = ((by % bits) + bits) % bits;
    return left == 0 ? value : (T)((T)(value << left) | (T)(value >> (bits - left)));
}
template <class T> constexpr T rotr(T value, int by) noexcept
{
    return rotl(value, -by);
}

/** The order of a number's bytes: a GPU's, and x86-64's. */
enum class endian { little = __ORDER_LITTLE_ENDIAN__, big = __ORDER_BIG_ENDIAN__, native = __BYTE_ORDER__ };

} // namespace std
} // namespace cuda

#endif
