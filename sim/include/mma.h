/**
 * @file mma.h
 * @brief Matrix products of a warp (nvcuda::wmma): fragments, load_matrix_sync(), mma_sync(),
 * store_matrix_sync().
 *
 * Shapes and numbers are CUDA's: 16x16x16, 32x8x16 and 8x32x16 of half (summed in half or float),
 * __nv_bfloat16 (float), signed and unsigned char (int); 16x16x8 of precision::tf32 (float); 8x8x4 of double.
 * Numbers of 4 bits and of one are missing. All lanes of a warp have to call; a warp that is not whole fails
 * the launch.
 *
 * How exact: umsim/products.h, at struct umsim_product_part. GPUs sum in an order that CUDA leaves open, and
 * may cut off what is small beside the largest product: sums of floats differ in their last digits, those of
 * integers never. Which lane holds which element is CUDA's secret, too; what is done to all elements of a
 * fragment alike is right everywhere.
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

/** How a sum lies in memory. */
enum layout_t { mem_row_major, mem_col_major };

namespace precision
{
struct tf32; /* elements are floats */
}

/** @cond internal */
template <class T> struct umsim_element {
    static constexpr bool factor = false, sum = false;
};
template <class T, umsim_number Number, bool Factor, bool Sum> struct umsim_element_of {
    typedef T storage;
    static constexpr umsim_number number = Number;
    static constexpr bool factor = Factor, sum = Sum;
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

/* Which shapes a number has: those of 16 bits and less share theirs. */
template <class T> constexpr bool umsim_has_shape(int m, int n, int k)
{
    return umsim_element<T>::number == UMSIM_DOUBLE ? m == 8 && n == 8 && k == 4
           : umsim_element<T>::number == UMSIM_TF32 ? m == 16 && n == 16 && k == 8
           : umsim_element<T>::number == UMSIM_FLOAT && k == 8
               ? m == 16 && n == 16
               : k == 16 && ((m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32));
}

/* GPUs hold each element of a factor in half precision in several lanes: 16 in each. Here later ones are
 * copies. */
template <class T> constexpr int umsim_factor_elements(int elements)
{
    return umsim_element<T>::number == UMSIM_BINARY16 ? 16 : elements / 32;
}

template <bool Condition, class A, class B> struct umsim_if {
    typedef A type;
};
template <class A, class B> struct umsim_if<false, A, B> {
    typedef B type;
};

template <class Layout> struct umsim_order;
template <> struct umsim_order<row_major> {
    static constexpr bool by_columns = false;
};
template <> struct umsim_order<col_major> {
    static constexpr bool by_columns = true;
};
/** @endcond */

/** What a fragment of `size` elements has. */
template <class T, int size> struct __align__(8) __frag_base
{
    enum { num_elements = size, num_storage_elements = size };
    typedef T element_type;
    typedef typename umsim_element<T>::storage storage_element_type;
    storage_element_type x[size];
};

/** A lane's part of a matrix: of a (m by k), of b (k by n), or of the sums (m by n). */
template <class Use, int m, int n, int k, class T, class Layout = void> class fragment;

template <int m, int n, int k, class T, class Layout>
class fragment<matrix_a, m, n, k, T, Layout> : public __frag_base<T, umsim_factor_elements<T>(m *k)>
{
    static_assert(umsim_element<T>::factor && umsim_has_shape<T>(m, n, k),
                  "wmma has no matrix_a of this shape");
};
template <int m, int n, int k, class T, class Layout>
class fragment<matrix_b, m, n, k, T, Layout> : public __frag_base<T, umsim_factor_elements<T>(k *n)>
{
    static_assert(umsim_element<T>::factor && umsim_has_shape<T>(m, n, k),
                  "wmma has no matrix_b of this shape");
};
template <int m, int n, int k, class T>
class fragment<accumulator, m, n, k, T, void> : public __frag_base<T, m * n / 32>
{
    static_assert(umsim_element<T>::sum && umsim_has_shape<T>(m, n, k),
                  "wmma has no accumulator of this shape");
};

/** A float with the digits that tf32 has, rounded to nearest, ties away from zero. */
inline float __float_to_tf32(float x)
{
    const unsigned bits = umsim_float_bits(x);
    return x - x == 0 ? umsim_bits_float((bits + 0x1000) & 0xffffe000)
           : x != x   ? umsim_bits_float(0x7fffffff)
                      : x;
}

/** Sets all elements. */
template <class T, int size>
__device__ inline void fill_fragment(__frag_base<T, size> &f, const typename umsim_element<T>::storage &value)
{
    for (int i = 0; i < size; i++)
        f.x[i] = value;
}

/** @cond internal */
#define UMSIM_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

/* Eight bytes of elements, and four, wherever they stand. */
typedef uint64_t __attribute__((aligned(1), may_alias)) umsim_eight_bytes;
typedef uint32_t __attribute__((aligned(1), may_alias)) umsim_four_bytes;

/* A lane's elements of a factor, rows by columns, with `ldm` elements from one row (column) to the next. */
template <class Layout, int rows, int columns, class Fragment, class S>
inline void umsim_load_factor(Fragment &f, const S *from, unsigned ldm)
{
    constexpr unsigned length = umsim_order<Layout>::by_columns ? rows : columns, count = rows * columns / 32;
    typedef typename umsim_if<count * sizeof(S) % 8 == 0, umsim_eight_bytes, umsim_four_bytes>::type word;
    const unsigned first = umsim_lane() * count;
    const S *mine = from + (size_t)(first / length) * ldm + first % length;
    for (unsigned i = 0; i < sizeof f.x / sizeof(word); i++)
        reinterpret_cast<word *>(f.x)[i] =
            reinterpret_cast<const word *>(mine)[i % (count * sizeof(S) / sizeof(word))];
}
template <int m> inline size_t umsim_sum_offset(unsigned lane, int i, unsigned ldm, layout_t layout)
{
    constexpr unsigned log = (unsigned)__builtin_ctz(m / 8);
    const unsigned row = umsim_sum_row(log, lane, (unsigned)i),
                   column = umsim_sum_column(log, lane, (unsigned)i);
    return layout == mem_row_major ? (size_t)row * ldm + column : (size_t)column * ldm + row;
}

/* What a and b are multiplied to: kinds of numbers that CUDA has no product of are an error here. */
template <int m, int n, int k, class T, class C, class D, class A, class B, bool Saturate>
struct umsim_product_of {
    static constexpr umsim_number factor = umsim_element<T>::number, addend = umsim_element<C>::number,
                                  result = umsim_element<D>::number;
    static constexpr bool halves = (addend == UMSIM_FLOAT || addend == UMSIM_BINARY16) &&
                                   (result == UMSIM_FLOAT || result == UMSIM_BINARY16);
    static constexpr umsim_number sum = factor == UMSIM_DOUBLE ? UMSIM_DOUBLE
                                        : factor == UMSIM_SIGNED_CHAR || factor == UMSIM_UNSIGNED_CHAR
                                            ? UMSIM_INT
                                            : UMSIM_FLOAT;
    static_assert(factor == UMSIM_BINARY16 ? halves : addend == sum && result == sum,
                  "wmma has no sum of this type for these factors");
    static constexpr umsim_product value = {
        m, n, k, factor, addend, result, umsim_order<A>::by_columns, umsim_order<B>::by_columns, Saturate};
};
template <int m, int n, int k, class T, class C, class D, class A, class B, bool Saturate>
constexpr umsim_product umsim_product_of<m, n, k, T, C, D, A, B, Saturate>::value;
/** @endcond */

/**
 * Loads a matrix when all lanes have come.
 * @param from its first element, in global or shared memory (CUDA wants it aligned to 32 bytes; any is taken
 * here)
 * @param ldm elements from one row to the next (of a row_major one), or from one column to the next
 */
template <int m, int n, int k, class T, class Layout>
__device__ inline void load_matrix_sync(fragment<matrix_a, m, n, k, T, Layout> &a,
                                        const typename umsim_element<T>::storage *from, unsigned ldm,
                                        UMSIM_PLACE)
{
    __syncwarp(umsim::full_mask, file, line);
    umsim_load_factor<Layout, m, k>(a, from, ldm);
}
template <int m, int n, int k, class T, class Layout>
__device__ inline void load_matrix_sync(fragment<matrix_b, m, n, k, T, Layout> &b,
                                        const typename umsim_element<T>::storage *from, unsigned ldm,
                                        UMSIM_PLACE)
{
    __syncwarp(umsim::full_mask, file, line);
    umsim_load_factor<Layout, k, n>(b, from, ldm);
}
template <int m, int n, int k, class T>
__device__ inline void load_matrix_sync(fragment<accumulator, m, n, k, T> &c, const T *from, unsigned ldm,
                                        layout_t layout, UMSIM_PLACE)
{
    __syncwarp(umsim::full_mask, file, line);
    const unsigned lane = umsim_lane();
    for (int i = 0; i < c.num_elements; i++)
        c.x[i] = from[umsim_sum_offset<m>(lane, i, ldm, layout)];
}

/** Stores one when all lanes have come. Other lanes may read it behind the next __syncwarp(). */
template <int m, int n, int k, class T>
__device__ inline void store_matrix_sync(T *to, const fragment<accumulator, m, n, k, T> &d, unsigned ldm,
                                         layout_t layout, UMSIM_PLACE)
{
    __syncwarp(umsim::full_mask, file, line);
    const unsigned lane = umsim_lane();
    for (int i = 0; i < d.num_elements; i++)
        to[umsim_sum_offset<m>(lane, i, ldm, layout)] = d.x[i];
}

/** d = a * b + c, when all lanes have come; d may be c. @param satf int: sums end at the largest and smallest
 */
template <int m, int n, int k, class T, class A, class B, class C, class D>
__device__ inline void mma_sync(fragment<accumulator, m, n, k, D> &d,
                                const fragment<matrix_a, m, n, k, T, A> &a,
                                const fragment<matrix_b, m, n, k, T, B> &b,
                                const fragment<accumulator, m, n, k, C> &c, bool satf = false, UMSIM_PLACE)
{
    const umsim_product_part mine = {satf ? &umsim_product_of<m, n, k, T, C, D, A, B, true>::value
                                          : &umsim_product_of<m, n, k, T, C, D, A, B, false>::value,
                                     a.x, b.x, c.x, d.x};
    if (!umsim_warp(UMSIM_PRODUCT, umsim::full_mask, (uint64_t)&mine, 0, file, line))
        umsim_product_fails(file, line);
}
#undef UMSIM_PLACE

} // namespace wmma
} // namespace nvcuda

#endif /* __UMCC__ */

#endif
