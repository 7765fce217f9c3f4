/**
 * @file product.h
 * @brief Products of matrices, D = alpha op(A) op(B) + beta C, for all types and kinds of matrices, one or a
 * batch: cuBLAS's level 3, and cublasLt.
 *
 * A block, which is one thread here, computes a tile of D. It copies parts of A and B into tiles of its own,
 * in the order in which they are used and as numbers of the type that is computed with. So what an element's
 * storage costs is paid once for a row of products, and the innermost loops go through memory in order.
 */
#ifndef UMSIM_PRODUCT_H
#define UMSIM_PRODUCT_H

#include "blas.h"
#include "matrix.h"

namespace blas
{

/** One of the two matrices of a product, or a batch of them: `stride` elements apart, or by addresses. */
template <class A> struct operand {
    shape is;
    const A *p;
    const A *const *batch;
    i64 stride;
    __device__ const A *of(i64 index) const
    {
        return batch ? batch[index] : p + index * stride;
    }
};
/** The same of C and D. */
template <class C> struct result_matrix {
    C *p;
    C *const *batch;
    i64 leading, stride;
    __device__ C *of(i64 index) const
    {
        return batch ? batch[index] : p + index * stride;
    }
};

/** Which part of D is computed. */
enum result_part { WHOLE, LOWER, UPPER };
/** What cublasLt does to an element of D before it is stored. */
enum activation { NONE, RELU, GELU };

/** A, C: types of elements; W: of the arithmetic. */
template <class A, class C, class W> struct product {
    i64 m, n, k, batches;
    operand<A> a, b;
    result_matrix<C> c, d;
    scalar<W> alpha, beta;
    result_part part;
    bool real_diagonal; /* of a Hermitian D */
    activation then;
    const C *bias; /* an element for each row (or column), which is added */
    bool bias_by_column;
    i64 bias_stride;
    bool wide; /* of the host's processor; set by launch_product() */
};

template <class W> struct tile_size {
    static const int ROWS = sizeof(W) > 8 ? 32 : 64; /* and columns */
    static const int DEPTH = 256 / (int)sizeof(W);   /* of A and B that are copied at a time */
};

template <class W> using tile = W[tile_size<W>::DEPTH][tile_size<W>::ROWS];

/* Copies op(A)'s rows from `row` on (or, for B, op(B)'s columns), at depths from `k` on. What is beyond the
 * matrix is zero. */
template <bool IsB, class A, class W>
__device__ void fetch(const shape &s, const A *a, i64 row, int rows, i64 k, int depth, tile<W> &out)
{
    const bool along = s.kind == GENERAL && s.storage == DENSE, by_rows = !(s.op & TRANSPOSED) != IsB;
    for (int l = 0; l < tile_size<W>::DEPTH; l++)
        for (int i = rows; i < tile_size<W>::ROWS; i++)
            out[l][i] = W(0);
    if (along && by_rows) {
        for (int l = 0; l < depth; l++)
            for (int i = 0; i < rows; i++)
                out[l][i] = to<W>(a[row + i + (k + l) * s.leading]);
    } else if (along) {
        for (int i = 0; i < rows; i++)
            for (int l = 0; l < depth; l++)
                out[l][i] = to<W>(a[k + l + (row + i) * s.leading]);
    } else {
        for (int l = 0; l < depth; l++)
            for (int i = 0; i < rows; i++)
                out[l][i] = to<W>(IsB ? element(s, a, k + l, row + i) : element(s, a, row + i, k + l));
        return;
    }
    if (number<W>::is_complex && (s.op & CONJUGATE_ONLY))
        for (int l = 0; l < depth; l++)
            for (int i = 0; i < rows; i++)
                out[l][i] = conjugate(out[l][i]);
}

/* Numbers side by side in a register of so many bytes; complex ones by themselves. */
template <class W, int BYTES> struct lanes {
    typedef W type __attribute__((vector_size(BYTES)));
    static const int COUNT = BYTES / sizeof(W);
};
template <class R, int BYTES> struct lanes<complex<R>, BYTES> {
    using type = complex<R>;
    static const int COUNT = 1;
};

/* Two registers of 4 columns are summed at a time. */
template <class W, int BYTES>
__device__ inline __attribute__((always_inline)) void
multiply_steps(const tile<W> &a, const tile<W> &b, int rows, int columns, int depth,
               W (&sum)[tile_size<W>::ROWS][tile_size<W>::ROWS])
{
    using V = typename lanes<W, BYTES>::type;
    const int COUNT = lanes<W, BYTES>::COUNT;
    for (int j = 0; j < columns; j += 4)
        for (int i = 0; i < rows; i += 2 * COUNT) {
            V part[4][2] = {};
            for (int l = 0; l < depth; l++) {
                const V *from = (const V *)&a[l][i];
                for (int jj = 0; jj < 4; jj++) {
                    part[jj][0] += from[0] * b[l][j + jj];
                    part[jj][1] += from[1] * b[l][j + jj];
                }
            }
            for (int jj = 0; jj < 4; jj++) {
                V *to = (V *)&sum[j + jj][i];
                to[0] += part[jj][0];
                to[1] += part[jj][1];
            }
        }
}

template <class W>
__device__ void multiply_tiles(const tile<W> &a, const tile<W> &b, int rows, int columns, int depth,
                               W (&sum)[tile_size<W>::ROWS][tile_size<W>::ROWS])
{
    multiply_steps<W, 16>(a, b, rows, columns, depth, sum);
}
/* With 256-bit registers, where the processor has them: the same operations in the same order, so the same
 * digits. */
#ifdef __x86_64__
#define WIDE __attribute__((target("avx2")))
static inline bool has_wide()
{
    return __builtin_cpu_supports("avx2");
}
#else
#define WIDE
static inline bool has_wide()
{
    return false;
}
#endif
template <class W>
WIDE __device__ void multiply_tiles_wide(const tile<W> &a, const tile<W> &b, int rows, int columns, int depth,
                                         W (&sum)[tile_size<W>::ROWS][tile_size<W>::ROWS])
{
    multiply_steps<W, 32>(a, b, rows, columns, depth, sum);
}

template <class W> __device__ inline W activated(W x, activation)
{
    return x;
}
/* GELU as cublasLt has it: by tanh. */
__device__ inline float activated(float x, activation then)
{
    if (then == RELU)
        return x > 0 ? x : 0;
    return then == GELU ? 0.5f * x * (1 + tanhf(0.7978845608f * (x + 0.044715f * x * x * x))) : x;
}
__device__ inline double activated(double x, activation then)
{
    if (then == RELU)
        return x > 0 ? x : 0;
    return then == GELU ? 0.5 * x * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))) : x;
}

template <class A, class C, class W>
__device__ void store_tile(const product<A, C, W> &p, i64 batch, i64 row, i64 column, int rows, int columns,
                           W alpha, const W (&sum)[tile_size<W>::ROWS][tile_size<W>::ROWS])
{
    const W beta = p.beta.get();
    const C *c = p.c.of(batch), *bias = p.bias ? p.bias + batch * p.bias_stride : nullptr;
    C *d = p.d.of(batch);
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) {
            const i64 at_row = row + i, at_column = column + j;
            if ((p.part == LOWER && at_row < at_column) || (p.part == UPPER && at_row > at_column))
                continue;
            W value = alpha * sum[j][i];
            if (beta != W(0)) {
                W before = to<W>(c[at_row + at_column * p.c.leading]);
                value += beta * (p.real_diagonal && at_row == at_column ? without_imaginary(before) : before);
            }
            if (bias)
                value += to<W>(bias[p.bias_by_column ? at_column : at_row]);
            value = activated(value, p.then);
            d[at_row + at_column * p.d.leading] =
                to<C>(p.real_diagonal && at_row == at_column ? without_imaginary(value) : value);
        }
}

template <class A, class C, class W> __global__ void multiply(product<A, C, W> p)
{
    const int SIZE = tile_size<W>::ROWS, DEPTH = tile_size<W>::DEPTH;
    const i64 tiles_m = (p.m + SIZE - 1) / SIZE, tiles_n = (p.n + SIZE - 1) / SIZE;
    const i64 batch = blockIdx.x / (tiles_m * tiles_n), index = blockIdx.x % (tiles_m * tiles_n);
    const i64 row = index % tiles_m * SIZE, column = index / tiles_m * SIZE;
    const int rows = (int)(p.m - row < SIZE ? p.m - row : SIZE);
    const int columns = (int)(p.n - column < SIZE ? p.n - column : SIZE);
    if ((p.part == LOWER && row + rows <= column) || (p.part == UPPER && row >= column + columns))
        return;
    const W alpha = p.alpha.get();
    alignas(64) tile<W> of_a, of_b;
    alignas(64) W sum[tile_size<W>::ROWS][tile_size<W>::ROWS] = {};
    for (i64 k = 0; alpha != W(0) && k < p.k; k += DEPTH) {
        const int depth = (int)(p.k - k < DEPTH ? p.k - k : DEPTH);
        fetch<false>(p.a.is, p.a.of(batch), row, rows, k, depth, of_a);
        fetch<true>(p.b.is, p.b.of(batch), column, columns, k, depth, of_b);
        (p.wide ? multiply_tiles_wide<W> : multiply_tiles<W>)(of_a, of_b, rows, columns, depth, sum);
    }
    store_tile<A, C, W>(p, batch, row, column, rows, columns, alpha, sum);
}

/** The next launch stands for a product as a GPU's library has it: tiles of 128 by 64, and where these are
 * fewer than multiprocessors, the sums divided into parts of 512 and more, of 256 complex ones. */
template <class A, class C, class W> void stands_for_product(const product<A, C, W> &p, umsim_unit unit)
{
    const uint64_t m = (uint64_t)p.m, n = (uint64_t)p.n, k = (uint64_t)p.k, batches = (uint64_t)p.batches;
    const uint64_t half = p.part == WHOLE ? 1 : 2, tiles = (m + 127) / 128 * ((n + 63) / 64) * batches;
    const uint64_t products = number<W>::is_complex ? 4 : 1;
    uint64_t blocks = (tiles + half - 1) / half, parts = k / (products > 1 ? 256 : 512);
    while (parts > 1 && blocks * parts > multiprocessors())
        parts--;
    parts = parts ? parts : 1;
    const umsim_stands_for what = {blocks * parts, 256, m * n * k * batches * 2 / half * products, unit,
                                   k / parts};
    umsim_kernel_stands_for(&what);
    const void *a = p.a.batch ? (const void *)p.a.batch : p.a.p;
    const void *b = p.b.batch ? (const void *)p.b.batch : p.b.p;
    const void *c = p.c.batch ? (const void *)p.c.batch : p.c.p;
    const void *d = p.d.batch ? (const void *)p.d.batch : p.d.p;
    umsim_kernel_reads(a, m * k * sizeof(A) * (p.a.stride || p.a.batch ? batches : 1));
    umsim_kernel_reads(b, k * n * sizeof(A) * (p.b.stride || p.b.batch ? batches : 1));
    if (!is_zero(p.beta))
        umsim_kernel_reads(c, m * n * sizeof(C) * batches / half);
    umsim_kernel_writes(d, m * n * sizeof(C) * batches / half);
}

/** Queues a product whose arguments are checked; with nothing to compute, nothing. */
template <class A, class C, class W>
cublasStatus_t launch_product(product<A, C, W> p, umsim_unit unit, cudaStream_t stream)
{
    const uint64_t size = tile_size<W>::ROWS;
    const uint64_t tiles =
        umsim_times(umsim_times(((uint64_t)p.m + size - 1) / size, ((uint64_t)p.n + size - 1) / size),
                    (uint64_t)p.batches);
    if (tiles == 0)
        return CUBLAS_STATUS_SUCCESS;
    if (tiles > INT32_MAX)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    stands_for_product(p, unit);
    p.wide = has_wide();
    multiply<A, C, W><<<(unsigned)tiles, 1, 0, stream>>>(p);
    return launched();
}

/** Whether a product can be computed: sizes, leading dimensions, then each array. */
template <class A, class C, class W>
cublasStatus_t check_product(const char *call, const product<A, C, W> &p, const char *const (&names)[3])
{
    if (p.m == 0 || p.n == 0 || p.batches == 0)
        return CUBLAS_STATUS_SUCCESS;
    const bool reads = !is_zero(p.alpha) && p.k > 0;
    const uint64_t c = extent(p.m, p.n, p.c.leading);
    struct {
        const char *name;
        const operand<A> &of;
    } both[2] = {{names[0], p.a}, {names[1], p.b}};
    for (auto &one : both) {
        if (!reads)
            break;
        if (one.of.batch ? !reaches(call, one.name, one.of.batch, (uint64_t)p.batches)
                         : !reaches(call, one.name, one.of.p,
                                    extent_of_batch(extent(one.of.is), one.of.stride, p.batches)))
            return CUBLAS_STATUS_EXECUTION_FAILED;
    }
    const bool is_there = p.d.batch
                              ? reaches(call, names[2], p.d.batch, (uint64_t)p.batches)
                              : reaches(call, names[2], p.d.p, extent_of_batch(c, p.d.stride, p.batches));
    return is_there ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

/** FAST and emulated ones let a GPU use narrower numbers for float; here they are float's. _PEDANTIC: the
 * same. */
inline cublasComputeType_t plain_compute(cublasComputeType_t compute)
{
    switch (compute) {
    case CUBLAS_COMPUTE_16F_PEDANTIC:
        return CUBLAS_COMPUTE_16F;
    case CUBLAS_COMPUTE_32I_PEDANTIC:
        return CUBLAS_COMPUTE_32I;
    case CUBLAS_COMPUTE_32F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
    case CUBLAS_COMPUTE_32F_EMULATED_16BFX9:
        return CUBLAS_COMPUTE_32F;
    case CUBLAS_COMPUTE_64F_PEDANTIC:
    case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
        return CUBLAS_COMPUTE_64F;
    default:
        return compute;
    }
}

inline bool is_operation(cublasOperation_t op)
{
    return op == CUBLAS_OP_N || op == CUBLAS_OP_T || op == CUBLAS_OP_C;
}
inline matrix_op op_of(cublasOperation_t op)
{
    return op == CUBLAS_OP_N ? AS_IS : op == CUBLAS_OP_T ? TRANSPOSED : CONJUGATED;
}
inline bool is_leading(i64 leading, i64 rows)
{
    return leading >= (rows > 1 ? rows : 1);
}

} // namespace blas
#endif
