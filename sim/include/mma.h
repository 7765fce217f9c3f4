/**
 * @file mma.h
 * @brief Matrix products of a warp (nvcuda::wmma): fragments, load_matrix_sync(), mma_sync(),
 * store_matrix_sync().
 *
 * Shapes and types are CUDA's: 16x16x16, 32x8x16 and 8x32x16 of half (summed in half or float),
 * __nv_bfloat16 (float), signed and unsigned char (int); 16x16x8 of precision::tf32 (float); 8x8x4 of
 * double. Numbers of 4 bits and of one bit are not provided. All lanes of a warp have to call; a warp with
 * fewer than 32 lanes fails the launch.
 *
 * For the precision, see struct umsim_product_part in umsim/products.h. GPUs sum in an order that CUDA
 * leaves open, and may cut off what is small beside the largest product. So sums of floats differ in their
 * last digits; sums of integers never do. CUDA does not say which lane holds which element either. Code
 * that treats all elements of a fragment alike is correct everywhere.
 */
#ifndef UMSIM_WMMA_H
#define UMSIM_WMMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#ifdef __UMCC__
#include "umsim/products.h"

namespace nvcuda
{
namespace wmma
{

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;

/** The order of a sum's elements in memory. */
enum layout_t { mem_row_major, mem_col_major };

namespace precision
{
struct tf32; /* elements are floats */
}

/** @cond internal */
template <class _Tp> struct umsim_element {
    static constexpr bool factor = false, sum = false;
};
template <class _Tp, umsim_number _Number, bool _Factor, bool _Sum> struct umsim_element_of {
    typedef _Tp storage;
    static constexpr umsim_number number = _Number;
    static constexpr bool factor = _Factor, sum = _Sum;
};
template <> struct umsim_element<__half> : umsim_element_of<__half, UMSIM_BINARY16, true, true> {
};
template <>
struct umsim_element<__nv_bfloat16> : umsim_element_of<__nv_bfloat16, UMSIM_BFLOAT16, true, false> {
};
template <> struct umsim_element<precision::tf32> : umsim_element_of<float, UMSIM_TF32, true, false> {
};
template <>
struct umsim_element<signed char> : umsim_element_of<signed char, UMSIM_SIGNED_CHAR, true, false> {
};
template <>
struct umsim_element<unsigned char> : umsim_element_of<unsigned char, UMSIM_UNSIGNED_CHAR, true, false> {
};
template <> struct umsim_element<float> : umsim_element_of<float, UMSIM_FLOAT, false, true> {
};
template <> struct umsim_element<int> : umsim_element_of<int, UMSIM_INT, false, true> {
};
template <> struct umsim_element<double> : umsim_element_of<double, UMSIM_DOUBLE, true, true> {
};

/* Which shapes a number type has: types of 16 bits and less share theirs. */
template <class _Tp> constexpr bool umsim_has_shape(int __m, int __n, int __k)
{
    return umsim_element<_Tp>::number == UMSIM_DOUBLE ? __m == 8 && __n == 8 && __k == 4
           : umsim_element<_Tp>::number == UMSIM_TF32 ? __m == 16 && __n == 16 && __k == 8
           : umsim_element<_Tp>::number == UMSIM_FLOAT && __k == 8
               ? __m == 16 && __n == 16
               : __k == 16 &&
                     ((__m == 16 && __n == 16) || (__m == 32 && __n == 8) || (__m == 8 && __n == 32));
}

/* GPUs hold each element of a half-precision factor in several lanes, 16 elements in each. Here the later
 * elements are copies. */
template <class _Tp> constexpr int umsim_factor_elements(int __elements)
{
    return umsim_element<_Tp>::number == UMSIM_BINARY16 ? 16 : __elements / 32;
}

template <bool _Condition, class _Ap, class _Bp> struct umsim_if {
    typedef _Ap type;
};
template <class _Ap, class _Bp> struct umsim_if<false, _Ap, _Bp> {
    typedef _Bp type;
};

template <class _Layout> struct umsim_order;
template <> struct umsim_order<row_major> {
    static constexpr bool by_columns = false;
};
template <> struct umsim_order<col_major> {
    static constexpr bool by_columns = true;
};
/** @endcond */

/** The members of a fragment of `__size` elements. */
template <class _Tp, int __size> struct __align__(8) __frag_base
{
    enum { num_elements = __size, num_storage_elements = __size };
    typedef _Tp element_type;
    typedef typename umsim_element<_Tp>::storage storage_element_type;
    storage_element_type x[__size];
};

/** A lane's part of a matrix: of a (m by k), of b (k by n), or of the sums (m by n). */
template <class _Use, int __m, int __n, int __k, class _Tp, class _Layout = void> class fragment;

template <int __m, int __n, int __k, class _Tp, class _Layout>
class fragment<matrix_a, __m, __n, __k, _Tp, _Layout>
    : public __frag_base<_Tp, umsim_factor_elements<_Tp>(__m *__k)>
{
    static_assert(umsim_element<_Tp>::factor && umsim_has_shape<_Tp>(__m, __n, __k),
                  "wmma has no matrix_a of this shape");
};
template <int __m, int __n, int __k, class _Tp, class _Layout>
class fragment<matrix_b, __m, __n, __k, _Tp, _Layout>
    : public __frag_base<_Tp, umsim_factor_elements<_Tp>(__k *__n)>
{
    static_assert(umsim_element<_Tp>::factor && umsim_has_shape<_Tp>(__m, __n, __k),
                  "wmma has no matrix_b of this shape");
};
template <int __m, int __n, int __k, class _Tp>
class fragment<accumulator, __m, __n, __k, _Tp, void> : public __frag_base<_Tp, __m * __n / 32>
{
    static_assert(umsim_element<_Tp>::sum && umsim_has_shape<_Tp>(__m, __n, __k),
                  "wmma has no accumulator of this shape");
};

/** A float with the digits that tf32 has, rounded to nearest, ties away from zero. */
inline float __float_to_tf32(float __x)
{
    const unsigned __bits = umsim_float_bits(__x);
    return __x - __x == 0 ? umsim_bits_float((__bits + 0x1000) & 0xffffe000)
           : __x != __x   ? umsim_bits_float(0x7fffffff)
                          : __x;
}

/** Sets all elements. */
template <class _Tp, int __size>
__device__ inline void fill_fragment(__frag_base<_Tp, __size> &__f,
                                     const typename umsim_element<_Tp>::storage &__value)
{
    for (int __i = 0; __i < __size; __i++)
        __f.x[__i] = __value;
}

/** @cond internal */
#define UMSIM_PLACE const char *__file = __builtin_FILE(), int __line = __builtin_LINE()

/* Eight bytes of elements, and four, at any alignment. */
typedef uint64_t __attribute__((__aligned__(1), __may_alias__)) umsim_eight_bytes;
typedef uint32_t __attribute__((__aligned__(1), __may_alias__)) umsim_four_bytes;

/* A lane's elements of a factor, rows by columns, with `__ldm` elements from one row (column) to the next. */
template <class _Layout, int __rows, int __columns, class _Fragment, class _Sp>
inline void umsim_load_factor(_Fragment &__f, const _Sp *__from, unsigned __ldm)
{
    constexpr unsigned __length = umsim_order<_Layout>::by_columns ? __rows : __columns,
                       __count = __rows * __columns / 32;
    typedef
        typename umsim_if<__count * sizeof(_Sp) % 8 == 0, umsim_eight_bytes, umsim_four_bytes>::type __word;
    const unsigned __first = umsim_lane() * __count;
    const _Sp *__mine = __from + (size_t)(__first / __length) * __ldm + __first % __length;
    for (unsigned __i = 0; __i < sizeof __f.x / sizeof(__word); __i++)
        reinterpret_cast<__word *>(__f.x)[__i] =
            reinterpret_cast<const __word *>(__mine)[__i % (__count * sizeof(_Sp) / sizeof(__word))];
}
template <int __m> inline size_t umsim_sum_offset(unsigned __lane, int __i, unsigned __ldm, layout_t __layout)
{
    constexpr unsigned __log = (unsigned)__builtin_ctz(__m / 8);
    const unsigned __row = umsim_sum_row(__log, __lane, (unsigned)__i),
                   __column = umsim_sum_column(__log, __lane, (unsigned)__i);
    return __layout == mem_row_major ? (size_t)__row * __ldm + __column : (size_t)__column * __ldm + __row;
}

/* The product of a and b: number types that CUDA cannot multiply are an error here. */
template <int __m, int __n, int __k, class _Tp, class _Cp, class _Dp, class _Ap, class _Bp, bool _Saturate>
struct umsim_product_of {
    static constexpr umsim_number factor = umsim_element<_Tp>::number, addend = umsim_element<_Cp>::number,
                                  result = umsim_element<_Dp>::number;
    static constexpr bool halves = (addend == UMSIM_FLOAT || addend == UMSIM_BINARY16) &&
                                   (result == UMSIM_FLOAT || result == UMSIM_BINARY16);
    static constexpr umsim_number sum = factor == UMSIM_DOUBLE ? UMSIM_DOUBLE
                                        : factor == UMSIM_SIGNED_CHAR || factor == UMSIM_UNSIGNED_CHAR
                                            ? UMSIM_INT
                                            : UMSIM_FLOAT;
    static_assert(factor == UMSIM_BINARY16 ? halves : addend == sum && result == sum,
                  "wmma has no sum of this type for these factors");
    static constexpr umsim_product value = {__m,
                                            __n,
                                            __k,
                                            factor,
                                            addend,
                                            result,
                                            umsim_order<_Ap>::by_columns,
                                            umsim_order<_Bp>::by_columns,
                                            _Saturate};
};
template <int __m, int __n, int __k, class _Tp, class _Cp, class _Dp, class _Ap, class _Bp, bool _Saturate>
constexpr umsim_product umsim_product_of<__m, __n, __k, _Tp, _Cp, _Dp, _Ap, _Bp, _Saturate>::value;
/** @endcond */

/**
 * Loads a matrix when all lanes have called.
 * @param __from its first element, in global or shared memory (CUDA requires alignment to 32 bytes; any is
 * accepted here)
 * @param __ldm elements from one row to the next (of a row_major matrix), or from one column to the next
 */
template <int __m, int __n, int __k, class _Tp, class _Layout>
__device__ inline void load_matrix_sync(fragment<matrix_a, __m, __n, __k, _Tp, _Layout> &__a,
                                        const typename umsim_element<_Tp>::storage *__from, unsigned __ldm,
                                        UMSIM_PLACE)
{
    __syncwarp(umsim::full_mask, __file, __line);
    umsim_load_factor<_Layout, __m, __k>(__a, __from, __ldm);
}
template <int __m, int __n, int __k, class _Tp, class _Layout>
__device__ inline void load_matrix_sync(fragment<matrix_b, __m, __n, __k, _Tp, _Layout> &__b,
                                        const typename umsim_element<_Tp>::storage *__from, unsigned __ldm,
                                        UMSIM_PLACE)
{
    __syncwarp(umsim::full_mask, __file, __line);
    umsim_load_factor<_Layout, __k, __n>(__b, __from, __ldm);
}
template <int __m, int __n, int __k, class _Tp>
__device__ inline void load_matrix_sync(fragment<accumulator, __m, __n, __k, _Tp> &__c, const _Tp *__from,
                                        unsigned __ldm, layout_t __layout, UMSIM_PLACE)
{
    __syncwarp(umsim::full_mask, __file, __line);
    const unsigned __lane = umsim_lane();
    for (int __i = 0; __i < __c.num_elements; __i++)
        __c.x[__i] = __from[umsim_sum_offset<__m>(__lane, __i, __ldm, __layout)];
}

/** Stores a matrix when all lanes have called. Other lanes may read it after the next __syncwarp(). */
template <int __m, int __n, int __k, class _Tp>
__device__ inline void store_matrix_sync(_Tp *__to, const fragment<accumulator, __m, __n, __k, _Tp> &__d,
                                         unsigned __ldm, layout_t __layout, UMSIM_PLACE)
{
    __syncwarp(umsim::full_mask, __file, __line);
    const unsigned __lane = umsim_lane();
    for (int __i = 0; __i < __d.num_elements; __i++)
        __to[umsim_sum_offset<__m>(__lane, __i, __ldm, __layout)] = __d.x[__i];
}

/**
 * d = a * b + c, when all lanes have called; d may be c.
 * @param __satf int: sums saturate at the largest and smallest value
 */
template <int __m, int __n, int __k, class _Tp, class _Ap, class _Bp, class _Cp, class _Dp>
__device__ __attribute__((__noinline__)) inline void
mma_sync(fragment<accumulator, __m, __n, __k, _Dp> &__d,
         const fragment<matrix_a, __m, __n, __k, _Tp, _Ap> &__a,
         const fragment<matrix_b, __m, __n, __k, _Tp, _Bp> &__b,
         const fragment<accumulator, __m, __n, __k, _Cp> &__c, bool __satf = false, UMSIM_PLACE)
{
    const umsim_product_part __mine = {
        __satf ? &umsim_product_of<__m, __n, __k, _Tp, _Cp, _Dp, _Ap, _Bp, true>::value
               : &umsim_product_of<__m, __n, __k, _Tp, _Cp, _Dp, _Ap, _Bp, false>::value,
        __a.x, __b.x, __c.x, __d.x};
    if (!umsim_warp(UMSIM_PRODUCT, umsim::full_mask, (uint64_t)&__mine, 0, __file, __line))
        umsim_product_fails(__file, __line);
}
#undef UMSIM_PLACE

} // namespace wmma
} // namespace nvcuda

#endif /* __UMCC__ */

#endif
