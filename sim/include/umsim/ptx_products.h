/**
 * @file umsim/ptx_products.h
 * @brief Inline PTX for matrices: mma.sync and ldmatrix. Part of umsim/ptx.h; umcc/ptx_matrices.c writes the
 * calls.
 */
#ifndef UMSIM_PTX_PRODUCTS_H
#define UMSIM_PTX_PRODUCTS_H

#include "umsim/products.h"
#include "umsim/ptx_operands.h"
#include "umsim/warp.h"

/** @cond internal */
namespace umsim
{
namespace ptx
{

/* mma.sync: each lane brings its registers; the last lane to come multiplies for all. */
template <class _Word>
__attribute__((__noinline__)) inline void
mma(const umsim_product &__product, const _Word *__a, const _Word *__b, const _Word *__c, _Word *__d,
    const char *__file = __builtin_FILE(), int __line = __builtin_LINE())
{
    const umsim_product_part __mine = {&__product, __a, __b, __c, __d};
    if (!umsim_warp(UMSIM_PRODUCT, 0xffffffff, (uint64_t)&__mine, 0, __file, __line))
        umsim_product_fails(__file, __line);
}

/* ldmatrix: lanes 8i to 8i + 7 have the addresses of matrix i's rows, of 8 elements each. A lane gets two
 * neighbours of row lane / 4, or of column lane / 4 where the matrix is turned. */
template <int __count, bool __turned>
inline void ldmatrix(unsigned *__to, const void *__row, const char *__file = __builtin_FILE(),
                     int __line = __builtin_LINE())
{
    const unsigned __lane = special::lane(), __outer = __lane / 4, __inner = __lane % 4 * 2;
    for (unsigned __i = 0; __i < __count; __i++) {
        const auto __address = [&](unsigned __n) {
            return reinterpret_cast<const unsigned short *>(
                umsim_warp(UMSIM_SHFL, 0xffffffff, (uint64_t)__row, 8 * __i + __n, __file, __line));
        };
        if (__turned) {
            const unsigned short *__first = __address(__inner), *__second = __address(__inner + 1);
            __to[__i] = __first[__outer] | (unsigned)__second[__outer] << 16;
        } else {
            const unsigned short *__from = __address(__outer) + __inner;
            __to[__i] = __from[0] | (unsigned)__from[1] << 16;
        }
    }
}

} // namespace ptx
} // namespace umsim
/** @endcond */

#endif
