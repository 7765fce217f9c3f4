/**
 * @file solve.cu
 * @brief cuBLAS's triangular systems: trsm and its batches with many right sides; trsv, tbsv and tpsv with
 * one.
 */
#include "product.h"

namespace
{
using namespace blas;

const int LANES = 64; /* right sides, or rows, of a thread */

template <class T> struct system {
    shape is; /* of A, with its op */
    const T *a;
    const T *const *as;
    T *b;
    T *const *bs;
    i64 n, sides, step,
        side_step; /* the order; how many right sides; between their elements, and between them */
    i64 blocks;    /* of LANES sides, in one matrix */
    scalar<T> alpha;
};

/* Forward where op(A) is lower, else backward. Each unknown goes out of the equations behind it. Right sides
 * lie side by side: a thread has a band of them. */
template <class T> __global__ void substitute(system<T> s)
{
    const i64 batch = blockIdx.x / s.blocks, first = blockIdx.x % s.blocks * LANES;
    const i64 count = s.sides - first < LANES ? s.sides - first : LANES;
    const T *a = s.as ? s.as[batch] : s.a;
    T *b = (s.bs ? s.bs[batch] : s.b) + first * s.side_step;
    const bool forward = s.is.upper == ((s.is.op & TRANSPOSED) != 0);
    const T alpha = s.alpha.get();
    for (i64 i = 0; i < s.n; i++)
        for (i64 side = 0; side < count; side++) {
            T &value = b[i * s.step + side * s.side_step];
            value = alpha == T(0) ? T(0) : alpha * value;
        }
    for (i64 k = 0; alpha != T(0) && k < s.n; k++) {
        const i64 i = forward ? k : s.n - 1 - k;
        const i64 least = s.is.storage == BANDED ? i - s.is.above - s.is.below : 0;
        const i64 most = s.is.storage == BANDED ? i + s.is.above + s.is.below : s.n - 1;
        const i64 from = forward ? (least > 0 ? least : 0) : i + 1;
        const i64 to = forward ? i : (most < s.n - 1 ? most + 1 : s.n);
        const T diagonal = element(s.is, a, i, i);
        for (i64 j = from; j < to; j++) {
            const T factor = element(s.is, a, i, j);
            for (i64 side = 0; side < count; side++)
                b[i * s.step + side * s.side_step] -= factor * b[j * s.step + side * s.side_step];
        }
        for (i64 side = 0; !s.is.unit && side < count; side++)
            b[i * s.step + side * s.side_step] = b[i * s.step + side * s.side_step] / diagonal;
    }
}

/* What a GPU's library does is mostly a product of half as many operations. */
template <class T> cublasStatus_t launch(cublasHandle_t handle, system<T> s, i64 batches)
{
    s.blocks = (s.sides + LANES - 1) / LANES;
    const uint64_t all = (uint64_t)s.blocks * (uint64_t)batches, n = (uint64_t)s.n, sides = (uint64_t)s.sides;
    if (all > INT32_MAX)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    const uint64_t blocks = ((n + 127) / 128) * ((sides + 63) / 64) * (uint64_t)batches;
    const umsim_stands_for what = {
        blocks, 256, n * n * sides * (uint64_t)batches * (number<T>::is_complex ? 4 : 1), unit_of<T>(), 0};
    umsim_kernel_stands_for(&what);
    const uint64_t b = n * sides * (uint64_t)batches * sizeof(T);
    umsim_kernel_reads(s.as ? (const void *)s.as : s.a,
                       n * n / 2 * (s.as ? (uint64_t)batches : 1) * sizeof(T));
    umsim_kernel_reads(s.bs ? (const void *)s.bs : s.b, b);
    umsim_kernel_writes(s.bs ? (const void *)s.bs : s.b, b);
    substitute<<<(unsigned)all, 1, 0, handle->stream>>>(s);
    return launched();
}

bool is_triangle(cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag)
{
    return (uplo == CUBLAS_FILL_MODE_LOWER || uplo == CUBLAS_FILL_MODE_UPPER) && is_operation(trans) &&
           (diag == CUBLAS_DIAG_UNIT || diag == CUBLAS_DIAG_NON_UNIT);
}

/* X op(A) = B is op(A)' X' = B': the same with rows for right sides, and without conjugating anything else.
 */
shape turned(shape is)
{
    is.op = (matrix_op)(is.op ^ TRANSPOSED);
    return is;
}

template <class T>
cublasStatus_t run_trsm(cublasHandle_t handle, const char *call, cublasSideMode_t side, cublasFillMode_t uplo,
                        cublasOperation_t trans, cublasDiagType_t diag, i64 m, i64 n, const T *alpha,
                        const T *a, const T *const *as, i64 lda, T *b, T *const *bs, i64 ldb, i64 batches)
{
    const bool left = side == CUBLAS_SIDE_LEFT;
    const i64 order = left ? m : n;
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!is_triangle(uplo, trans, diag) || (!left && side != CUBLAS_SIDE_RIGHT) || m < 0 || n < 0 ||
        batches < 0 || !is_leading(lda, order) || !is_leading(ldb, m) || (m && n && batches && !alpha))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (m == 0 || n == 0 || batches == 0)
        return CUBLAS_STATUS_SUCCESS;
    shape is = triangle_of(TRIANGULAR, op_of(trans), order, lda, uplo == CUBLAS_FILL_MODE_UPPER,
                           diag == CUBLAS_DIAG_UNIT);
    const bool reached =
        as ? reaches(call, "A", as, (uint64_t)batches) && reaches(call, "B", bs, (uint64_t)batches)
           : reaches(call, "A", a, extent(is)) && reaches(call, "B", b, extent(m, n, ldb));
    if (!reached || !scalar_reaches(handle, call, "alpha", alpha))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    const scalar<T> factor = scalar_of<T>(handle, alpha);
    if (left)
        return launch<T>(handle, {is, a, as, b, bs, m, n, 1, ldb, 0, factor}, batches);
    return launch<T>(handle, {turned(is), a, as, b, bs, n, m, ldb, 1, 0, factor}, batches);
}

template <class T>
cublasStatus_t run_trsv(cublasHandle_t handle, const char *call, shape is, const char *name, bool valid,
                        const T *a, T *x, i64 incx)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!valid || is.rows < 0 || incx == 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    const i64 n = is.rows;
    if (n == 0)
        return CUBLAS_STATUS_SUCCESS;
    if (!reaches(call, name, a, extent(is)) || !reaches(call, "x", x, extent(n, incx)))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    return launch<T>(handle,
                     {is, a, nullptr, first_of(x, n, incx), nullptr, n, 1, incx, 0, 0, scalar_is(T(1))}, 1);
}

} // namespace

#define TRIANGLE cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag
#define IS_UPPER (uplo == CUBLAS_FILL_MODE_UPPER)
#define IS_UNIT (diag == CUBLAS_DIAG_UNIT)
#define SOLVE(P, T, N, X)                                                                                    \
    extern "C" cublasStatus_t cublas##P##trsm_v2##X(HANDLE, cublasSideMode_t side, TRIANGLE, N m, N n,       \
                                                    const T *alpha, const T *A, N lda, T *B, N ldb)          \
    {                                                                                                        \
        return run_trsm<own_t<T>>(handle, "cublas" #P "trsm" #X, side, uplo, trans, diag, m, n, own(alpha),  \
                                  own(A), nullptr, lda, own(B), nullptr, ldb, 1);                            \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##P##trsmBatched##X(HANDLE, cublasSideMode_t side, TRIANGLE, N m, N n,   \
                                                        const T *alpha, const T *const A[], N lda,           \
                                                        T *const B[], N ldb, N batchCount)                   \
    {                                                                                                        \
        return run_trsm<own_t<T>>(handle, "cublas" #P "trsmBatched" #X, side, uplo, trans, diag, m, n,       \
                                  own(alpha), nullptr, own(A), lda, nullptr, own(B), ldb, batchCount);       \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##P##trsv_v2##X(HANDLE, TRIANGLE, N n, const T *A, N lda, T *x, N incx)  \
    {                                                                                                        \
        return run_trsv(handle, "cublas" #P "trsv" #X,                                                       \
                        triangle_of(TRIANGULAR, op_of(trans), n, lda, IS_UPPER, IS_UNIT), "A",               \
                        is_triangle(uplo, trans, diag) && is_leading(lda, n), own(A), own(x), incx);         \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##P##tbsv_v2##X(HANDLE, TRIANGLE, N n, N k, const T *A, N lda, T *x,     \
                                                    N incx)                                                  \
    {                                                                                                        \
        return run_trsv(handle, "cublas" #P "tbsv" #X,                                                       \
                        band_of(TRIANGULAR, op_of(trans), n, k, lda, IS_UPPER, IS_UNIT), "A",                \
                        is_triangle(uplo, trans, diag) && k >= 0 && lda > k, own(A), own(x), incx);          \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##P##tpsv_v2##X(HANDLE, TRIANGLE, N n, const T *AP, T *x, N incx)        \
    {                                                                                                        \
        return run_trsv(handle, "cublas" #P "tpsv" #X,                                                       \
                        packed(TRIANGULAR, op_of(trans), n, IS_UPPER, IS_UNIT), "AP",                        \
                        is_triangle(uplo, trans, diag), own(AP), own(x), incx);                              \
    }
BOTH_SIZES(SOLVE, S, float)
BOTH_SIZES(SOLVE, D, double)
BOTH_SIZES(SOLVE, C, cuComplex)
BOTH_SIZES(SOLVE, Z, cuDoubleComplex)
