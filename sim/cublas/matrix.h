/**
 * @file matrix.h
 * @brief How BLAS stores matrices, and how their elements are read: by columns, as bands, packed triangles;
 * symmetric, Hermitian and triangular ones, of which one triangle is stored.
 */
#ifndef UMSIM_MATRIX_H
#define UMSIM_MATRIX_H

#include "../library/arrays.h"
#include "number.h"

namespace blas
{

enum matrix_kind { GENERAL, SYMMETRIC, HERMITIAN, TRIANGULAR };
enum matrix_storage { DENSE, BANDED, PACKED };
/* Bits: CONJUGATED is both. */
enum matrix_op { AS_IS = 0, TRANSPOSED = 1, CONJUGATE_ONLY = 2, CONJUGATED = 3 };

/** A matrix without its numbers. `rows` and `columns` are those that are stored, before `op`. */
struct shape {
    matrix_op op;
    i64 rows, columns, leading;
    matrix_kind kind;
    matrix_storage storage;
    bool upper, unit; /* which triangle is stored; its diagonal is not read, and is 1 */
    i64 above, below; /* of a band: diagonals */
};

/** A matrix of which every element is stored. */
inline shape dense(matrix_op op, i64 rows, i64 columns, i64 leading)
{
    return {op, rows, columns, leading, GENERAL, DENSE, false, false, 0, 0};
}
/** A matrix of which one triangle is stored. */
inline shape triangle_of(matrix_kind kind, matrix_op op, i64 n, i64 leading, bool upper, bool unit = false)
{
    return {op, n, n, leading, kind, DENSE, upper, unit, 0, 0};
}

/** Of which `k` diagonals beside the main one are stored, of one triangle. */
inline shape band_of(matrix_kind kind, matrix_op op, i64 n, i64 k, i64 leading, bool upper, bool unit = false)
{
    return {op, n, n, leading, kind, BANDED, upper, unit, upper ? k : 0, upper ? 0 : k};
}
/** A triangle without gaps between its columns. */
inline shape packed(matrix_kind kind, matrix_op op, i64 n, bool upper, bool unit = false)
{
    return {op, n, n, 0, kind, PACKED, upper, unit, 0, 0};
}

/** The number of elements from the first to the last that are stored. */
inline uint64_t extent(const shape &s)
{
    if (s.rows <= 0 || s.columns <= 0)
        return 0;
    const uint64_t last = (uint64_t)(s.columns - 1);
    if (s.storage == PACKED)
        return umsim_times((uint64_t)s.rows, umsim_plus((uint64_t)s.rows, 1)) / 2;
    const i64 column = s.storage == BANDED ? s.above + s.below + 1 : s.rows;
    return umsim_plus(umsim_times(last, (uint64_t)s.leading), (uint64_t)column);
}

/** Where an element of the stored triangle, or band, is. */
__device__ inline i64 place_of(const shape &s, i64 i, i64 j)
{
    if (s.storage == DENSE)
        return i + j * s.leading;
    if (s.storage == BANDED)
        return s.above + i - j + j * s.leading;
    return s.upper ? i + j * (j + 1) / 2 : i + (2 * s.rows - j - 1) * j / 2;
}

/** Row i, column j of op(matrix), whatever of it is stored. */
template <class T> __device__ inline T element(const shape &s, const T *a, i64 i, i64 j)
{
    bool conjugated = (s.op & CONJUGATE_ONLY) != 0;
    if (s.op & TRANSPOSED) {
        const i64 row = i;
        i = j;
        j = row;
    }
    if (s.storage == BANDED && (s.kind == GENERAL || s.kind == TRIANGULAR) &&
        (j - i > s.above || i - j > s.below))
        return T(0);
    if (s.kind != GENERAL && i != j && (i < j) != s.upper) {
        if (s.kind == TRIANGULAR)
            return T(0);
        const i64 row = i;
        i = j;
        j = row;
        conjugated = conjugated != (s.kind == HERMITIAN);
    }
    if (s.storage == BANDED && (j - i > s.above || i - j > s.below))
        return T(0);
    if (s.unit && i == j)
        return T(1);
    T value = a[place_of(s, i, j)];
    if (s.kind == HERMITIAN && i == j)
        value = without_imaginary(value);
    return conjugated ? conjugate(value) : value;
}

} // namespace blas
#endif
