/**
 * @file matvec.cu
 * @brief cuBLAS's level 2: a matrix times a vector, for all ways to store a matrix. What adds to a matrix is
 * in ranks.cu.
 */
#include "product.h"

namespace
{
using namespace blas;

const int LANES = 128; /* elements of y of a thread */

template <class T> struct task {
    shape is;
    i64 m, n, blocks; /* of op(A); of LANES rows, in one matrix */
    const T *a, *x;
    T *y;
    const T *const *as, *const *xs;
    T *const *ys;
    i64 incx, incy, stride_a, stride_x, stride_y;
    scalar<T> alpha, beta;
};

/* sum[i] = row i of op(A) times x. A matrix that is stored by the columns of op(A) is gone through by these.
 */
template <class T>
__device__ void multiply_rows(const task<T> &t, const T *a, const T *x, i64 row, int rows, T (&sum)[LANES])
{
    const bool plain = t.is.kind == GENERAL && t.is.storage == DENSE, conjugates = t.is.op & CONJUGATE_ONLY;
    const i64 ld = t.is.leading;
    if (plain && !(t.is.op & TRANSPOSED)) {
        for (i64 j = 0; j < t.n; j++) {
            const T factor = x[j * t.incx];
            for (int i = 0; i < rows; i++)
                sum[i] += a[row + i + j * ld] * factor;
        }
    } else if (plain) {
        for (int i = 0; i < rows; i++)
            for (i64 j = 0; j < t.n; j++) {
                const T value = a[j + (row + i) * ld];
                sum[i] += (conjugates ? conjugate(value) : value) * x[j * t.incx];
            }
    } else {
        const bool banded = t.is.storage == BANDED;
        const i64 reach = t.is.above + t.is.below;
        for (int i = 0; i < rows; i++) {
            const i64 first = banded && row + i > reach ? row + i - reach : 0;
            const i64 last = banded && row + i + reach < t.n - 1 ? row + i + reach : t.n - 1;
            for (i64 j = first; j <= last; j++)
                sum[i] += element(t.is, a, row + i, j) * x[j * t.incx];
        }
    }
}

template <class T> __global__ void multiply_vector(task<T> t)
{
    const i64 batch = blockIdx.x / t.blocks, row = blockIdx.x % t.blocks * LANES;
    const int rows = (int)(t.m - row < LANES ? t.m - row : LANES);
    const T *a = t.as ? t.as[batch] : t.a + batch * t.stride_a;
    const T *x = first_of(t.xs ? t.xs[batch] : t.x + batch * t.stride_x, t.n, t.incx);
    T *y = first_of(t.ys ? t.ys[batch] : t.y + batch * t.stride_y, t.m, t.incy);
    const T alpha = t.alpha.get(), beta = t.beta.get();
    T sum[LANES] = {};
    if (alpha != T(0))
        multiply_rows(t, a, x, row, rows, sum);
    for (int i = 0; i < rows; i++) {
        T &place = y[(row + i) * t.incy];
        place = beta == T(0) ? alpha * sum[i] : alpha * sum[i] + beta * place;
    }
}

template <class T> cublasStatus_t launch(cublasHandle_t handle, task<T> t, i64 batches)
{
    t.blocks = (t.m + LANES - 1) / LANES;
    const uint64_t all = umsim_times((uint64_t)t.blocks, (uint64_t)batches);
    if (all > INT32_MAX)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    const uint64_t stored = extent(t.is), m = (uint64_t)t.m * (uint64_t)batches,
                   n = (uint64_t)t.n * (uint64_t)batches;
    umsim_kernel_reads(t.as ? (const void *)t.as : t.a,
                       stored * (t.as || t.stride_a ? (uint64_t)batches : 1) * sizeof(T));
    umsim_kernel_reads(t.xs ? (const void *)t.xs : t.x, n * sizeof(T));
    umsim_kernel_writes(t.ys ? (const void *)t.ys : t.y, m * sizeof(T));
    stands_for_elements(stored * (uint64_t)batches,
                        2 * stored * (uint64_t)batches * (number<T>::is_complex ? 4 : 1), unit_of<T>());
    multiply_vector<<<(unsigned)all, 1, 0, handle->stream>>>(t);
    return launched();
}

/* y = alpha op(A) x + beta y; `name` is A's. */
template <class T>
cublasStatus_t run(cublasHandle_t handle, const char *call, const char *name, bool valid, task<T> t,
                   const T *alpha, const T *beta, i64 batches)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!valid || t.is.rows < 0 || t.is.columns < 0 || t.incx == 0 || t.incy == 0 || batches < 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    const bool turned = t.is.op & TRANSPOSED;
    t.m = turned ? t.is.columns : t.is.rows;
    t.n = turned ? t.is.rows : t.is.columns;
    if (t.m == 0 || t.n == 0 || batches == 0)
        return CUBLAS_STATUS_SUCCESS;
    if (!alpha || !beta)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (!scalar_reaches(handle, call, "alpha", alpha) || !scalar_reaches(handle, call, "beta", beta))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    t.alpha = scalar_of<T>(handle, alpha);
    t.beta = scalar_of<T>(handle, beta);
    const bool reads = !is_zero(t.alpha);
    if (t.as ? !reaches(call, name, t.as, (uint64_t)batches) ||
                   !reaches(call, "xarray", t.xs, (uint64_t)batches) ||
                   !reaches(call, "yarray", t.ys, (uint64_t)batches)
             : (reads &&
                (!reaches(call, name, t.a, extent_of_batch(extent(t.is), t.stride_a, batches)) ||
                 !reaches(call, "x", t.x, extent_of_batch(extent(t.n, t.incx), t.stride_x, batches)))) ||
                   !reaches(call, "y", t.y, extent_of_batch(extent(t.m, t.incy), t.stride_y, batches)))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    return launch(handle, t, batches);
}

template <class T> task<T> task_of(shape is, const T *a, const T *x, i64 incx, T *y, i64 incy)
{
    task<T> t = {};
    t.is = is;
    t.a = a;
    t.x = x;
    t.y = y;
    t.incx = incx;
    t.incy = incy;
    return t;
}

/* x = op(A) x: from a copy of x, since rows are computed side by side. */
template <class T>
cublasStatus_t run_trmv(cublasHandle_t handle, const char *call, const char *name, bool valid, shape is,
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
    T *copy;
    if (cudaMallocAsync(&copy, (size_t)n * sizeof(T), handle->stream) != cudaSuccess)
        return CUBLAS_STATUS_ALLOC_FAILED;
    const size_t step = (size_t)(incx < 0 ? -incx : incx) * sizeof(T);
    cublasStatus_t status = CUBLAS_STATUS_EXECUTION_FAILED;
    if (cudaMemcpy2DAsync(copy, sizeof(T), x, step, sizeof(T), (size_t)n, cudaMemcpyDeviceToDevice,
                          handle->stream) == cudaSuccess) {
        task<T> t = task_of<T>(is, a, copy, incx < 0 ? -1 : 1, x, incx);
        t.m = t.n = n;
        t.alpha = scalar_is(T(1));
        t.beta = scalar_is(T(0));
        status = launch(handle, t, 1);
    }
    cudaFreeAsync(copy, handle->stream);
    return status;
}

bool is_triangle(cublasFillMode_t uplo)
{
    return uplo == CUBLAS_FILL_MODE_LOWER || uplo == CUBLAS_FILL_MODE_UPPER;
}
bool is_triangle(cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag)
{
    return is_triangle(uplo) && is_operation(trans) &&
           (diag == CUBLAS_DIAG_UNIT || diag == CUBLAS_DIAG_NON_UNIT);
}
shape general_band(matrix_op op, i64 m, i64 n, i64 below, i64 above, i64 leading)
{
    return {op, m, n, leading, GENERAL, BANDED, false, false, above, below};
}

} // namespace

#define NAME(P, call, X) "cublas" #P #call #X
#define IS_UPPER (uplo == CUBLAS_FILL_MODE_UPPER)
#define VECTORS own(x), incx, own(y), incy
#define GEMV(P, T, N, X)                                                                                     \
    extern "C" cublasStatus_t cublas##P##gemv_v2##X(HANDLE, cublasOperation_t trans, N m, N n,               \
                                                    const T *alpha, const T *A, N lda, const T *x, N incx,   \
                                                    const T *beta, T *y, N incy)                             \
    {                                                                                                        \
        return run(handle, NAME(P, gemv, X), "A", is_operation(trans) && is_leading(lda, m),                 \
                   task_of<own_t<T>>(dense(op_of(trans), m, n, lda), own(A), VECTORS), own(alpha),           \
                   own(beta), 1);                                                                            \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##P##gbmv_v2##X(HANDLE, cublasOperation_t trans, N m, N n, N kl, N ku,   \
                                                    const T *alpha, const T *A, N lda, const T *x, N incx,   \
                                                    const T *beta, T *y, N incy)                             \
    {                                                                                                        \
        return run(handle, NAME(P, gbmv, X), "A",                                                            \
                   is_operation(trans) && kl >= 0 && ku >= 0 && lda > kl + ku,                               \
                   task_of<own_t<T>>(general_band(op_of(trans), m, n, kl, ku, lda), own(A), VECTORS),        \
                   own(alpha), own(beta), 1);                                                                \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##P##gemvBatched##X(                                                     \
        HANDLE, cublasOperation_t trans, N m, N n, const T *alpha, const T *const Aarray[], N lda,           \
        const T *const xarray[], N incx, const T *beta, T *const yarray[], N incy, N batchCount)             \
    {                                                                                                        \
        task<own_t<T>> t =                                                                                   \
            task_of<own_t<T>>(dense(op_of(trans), m, n, lda), nullptr, nullptr, incx, nullptr, incy);        \
        t.as = own(Aarray);                                                                                  \
        t.xs = own(xarray);                                                                                  \
        t.ys = own(yarray);                                                                                  \
        return run(handle, NAME(P, gemvBatched, X), "Aarray", is_operation(trans) && is_leading(lda, m), t,  \
                   own(alpha), own(beta), batchCount);                                                       \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##P##gemvStridedBatched##X(                                              \
        HANDLE, cublasOperation_t trans, N m, N n, const T *alpha, const T *A, N lda, long long int strideA, \
        const T *x, N incx, long long int stridex, const T *beta, T *y, N incy, long long int stridey,       \
        N batchCount)                                                                                        \
    {                                                                                                        \
        task<own_t<T>> t = task_of<own_t<T>>(dense(op_of(trans), m, n, lda), own(A), VECTORS);               \
        t.stride_a = strideA;                                                                                \
        t.stride_x = stridex;                                                                                \
        t.stride_y = stridey;                                                                                \
        return run(handle, NAME(P, gemvStridedBatched, X), "A", is_operation(trans) && is_leading(lda, m),   \
                   t, own(alpha), own(beta), batchCount);                                                    \
    }
/* Dense, as a band, packed */
#define SYMMETRIC_MV(P, T, call, kind, N, X)                                                                 \
    extern "C" cublasStatus_t cublas##P##call##_v2##X(HANDLE, cublasFillMode_t uplo, N n, const T *alpha,    \
                                                      const T *A, N lda, const T *x, N incx, const T *beta,  \
                                                      T *y, N incy)                                          \
    {                                                                                                        \
        return run(handle, NAME(P, call, X), "A", is_triangle(uplo) && is_leading(lda, n),                   \
                   task_of<own_t<T>>(triangle_of(kind, AS_IS, n, lda, IS_UPPER), own(A), VECTORS),           \
                   own(alpha), own(beta), 1);                                                                \
    }
#define BAND_MV(P, T, call, kind, N, X)                                                                      \
    extern "C" cublasStatus_t cublas##P##call##_v2##X(HANDLE, cublasFillMode_t uplo, N n, N k,               \
                                                      const T *alpha, const T *A, N lda, const T *x, N incx, \
                                                      const T *beta, T *y, N incy)                           \
    {                                                                                                        \
        return run(handle, NAME(P, call, X), "A", is_triangle(uplo) && k >= 0 && lda > k,                    \
                   task_of<own_t<T>>(band_of(kind, AS_IS, n, k, lda, IS_UPPER), own(A), VECTORS),            \
                   own(alpha), own(beta), 1);                                                                \
    }
#define PACKED_MV(P, T, call, kind, N, X)                                                                    \
    extern "C" cublasStatus_t cublas##P##call##_v2##X(HANDLE, cublasFillMode_t uplo, N n, const T *alpha,    \
                                                      const T *AP, const T *x, N incx, const T *beta, T *y,  \
                                                      N incy)                                                \
    {                                                                                                        \
        return run(handle, NAME(P, call, X), "AP", is_triangle(uplo),                                        \
                   task_of<own_t<T>>(packed(kind, AS_IS, n, IS_UPPER), own(AP), VECTORS), own(alpha),        \
                   own(beta), 1);                                                                            \
    }
#define TRIANGLE cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag
#define IS_UNIT (diag == CUBLAS_DIAG_UNIT)
#define TRIANGULAR_MV(P, T, N, X)                                                                            \
    extern "C" cublasStatus_t cublas##P##trmv_v2##X(HANDLE, TRIANGLE, N n, const T *A, N lda, T *x, N incx)  \
    {                                                                                                        \
        return run_trmv(handle, NAME(P, trmv, X), "A", is_triangle(uplo, trans, diag) && is_leading(lda, n), \
                        triangle_of(TRIANGULAR, op_of(trans), n, lda, IS_UPPER, IS_UNIT), own(A), own(x),    \
                        incx);                                                                               \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##P##tbmv_v2##X(HANDLE, TRIANGLE, N n, N k, const T *A, N lda, T *x,     \
                                                    N incx)                                                  \
    {                                                                                                        \
        return run_trmv(handle, NAME(P, tbmv, X), "A", is_triangle(uplo, trans, diag) && k >= 0 && lda > k,  \
                        band_of(TRIANGULAR, op_of(trans), n, k, lda, IS_UPPER, IS_UNIT), own(A), own(x),     \
                        incx);                                                                               \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##P##tpmv_v2##X(HANDLE, TRIANGLE, N n, const T *AP, T *x, N incx)        \
    {                                                                                                        \
        return run_trmv(handle, NAME(P, tpmv, X), "AP", is_triangle(uplo, trans, diag),                      \
                        packed(TRIANGULAR, op_of(trans), n, IS_UPPER, IS_UNIT), own(AP), own(x), incx);      \
    }
#define LEVEL_2(P, T, N, X)                                                                                  \
    GEMV(P, T, N, X)                                                                                         \
    SYMMETRIC_MV(P, T, symv, SYMMETRIC, N, X)                                                                \
    TRIANGULAR_MV(P, T, N, X)
#define ONLY_REAL(P, T, N, X)                                                                                \
    BAND_MV(P, T, sbmv, SYMMETRIC, N, X)                                                                     \
    PACKED_MV(P, T, spmv, SYMMETRIC, N, X)
#define ONLY_COMPLEX(P, T, N, X)                                                                             \
    SYMMETRIC_MV(P, T, hemv, HERMITIAN, N, X)                                                                \
    BAND_MV(P, T, hbmv, HERMITIAN, N, X)                                                                     \
    PACKED_MV(P, T, hpmv, HERMITIAN, N, X)

BOTH_SIZES(LEVEL_2, S, float)
BOTH_SIZES(LEVEL_2, D, double)
BOTH_SIZES(LEVEL_2, C, cuComplex)
BOTH_SIZES(LEVEL_2, Z, cuDoubleComplex)
BOTH_SIZES(ONLY_REAL, S, float)
BOTH_SIZES(ONLY_REAL, D, double)
BOTH_SIZES(ONLY_COMPLEX, C, cuComplex)
BOTH_SIZES(ONLY_COMPLEX, Z, cuDoubleComplex)
