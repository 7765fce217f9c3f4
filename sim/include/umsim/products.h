/**
 * @file umsim/products.h
 * @brief Matrix fragments of a warp: which lane holds which elements, and their product. Shared by mma.h
 * and libumsim; C and C++.
 *
 * CUDA leaves open which lane holds which element. Here the elements of the factors a and b are dealt out
 * in the order of memory, so many to each lane that a warp holds each element once, and never across the
 * end of a row or column. A lane's further elements are not used. A sum (c, d) has the layout of the
 * mma.m16n8 instructions of GPUs since Ampere, in tiles of 8 by 8: lane / 4 is the row, and the lane holds
 * two columns from lane % 4 * 2 on. Tiles follow each other downwards, then to the right.
 *
 * The factors of PTX's mma.sync, whose layout is documented, come as registers of 4 bytes, e elements in
 * each: register j of a has row lane / 4 (+ 8 where j is odd) and columns from j / 2 * 4e + lane % 4 * e on,
 * register j of b column lane / 4 and rows from j * 4e + lane % 4 * e on.
 */
#ifndef UMSIM_PRODUCTS_H
#define UMSIM_PRODUCTS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The number types of elements. */
enum umsim_number {
    UMSIM_BINARY16,
    UMSIM_BFLOAT16,
    UMSIM_TF32, /**< a float of which only the upper 19 bits count */
    UMSIM_FLOAT,
    UMSIM_DOUBLE,
    UMSIM_SIGNED_CHAR,
    UMSIM_UNSIGNED_CHAR,
    UMSIM_INT,
};

/** The kind of a product: `__d` = `__a` * `__b` + `__c` of matrices `__m` by `__n`, summed over `__k`. */
struct umsim_product {
    uint8_t __m, __n, __k;
    uint8_t factor, addend, sums; /**< enum umsim_number: of the factors, of what is added, of the sums */
    uint8_t a_by_columns, b_by_columns; /**< the order of the factors' elements */
    uint8_t saturate;     /**< int: saturates at the largest and smallest value instead of wrapping around */
    uint8_t in_registers; /**< the factors lie in the lanes as PTX's mma has them (the sums always do) */
};

/**
 * One lane's part: its elements of each matrix. `__d` may be `__c`. Its address is what the lane brings to
 * umsim_warp() for UMSIM_PRODUCT, with all 32 lanes in the mask; then each finds its sums in its `__d`.
 *
 * Products of factors are exact. Floats are summed one after another, in the order of k and on top of c, each
 * sum rounded to nearest as float; a result in half precision is rounded once more at the end. int wraps or
 * saturates at the end. Doubles are summed like floats, by multiply-adds that round once.
 */
struct umsim_product_part {
    const struct umsim_product *product;
    const void *__a, *__b, *__c;
    void *__d;
};

/** The launch fails: a warp with missing lanes was to multiply. */
__attribute__((__noreturn__)) void umsim_product_fails(const char *__file, int __line);

/** Row and column of a lane's i-th element of the sums, where 1 << log tiles of 8 by 8 are stacked. @{ */
static inline unsigned umsim_sum_row(unsigned __log, unsigned __lane, unsigned __i)
{
    return (__i / 2 & ((1u << __log) - 1)) * 8 + __lane / 4;
}
static inline unsigned umsim_sum_column(unsigned __log, unsigned __lane, unsigned __i)
{
    return (__i / 2 >> __log) * 8 + __lane % 4 * 2 + __i % 2;
}
/** @} */

#ifdef __cplusplus
}
#endif
#endif
