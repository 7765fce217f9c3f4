/**
 * @file systems.cu
 * @brief cuBLAS's batches of small systems of equations: getrfBatched (LU with row exchanges), getriBatched,
 * getrsBatched and matinvBatched.
 *
 * A thread has a matrix, as with LAPACK's unblocked routines.
 */
#include "product.h"

#include <cstdio>

namespace
{
using namespace blas;

/* A = P L U in place. Pivots count from 1; where there are none, nothing is exchanged.
 * @return 0, or which element of U is the first that is zero */
template <class T> __device__ int factor(T *a, i64 n, i64 lda, int *pivots)
{
    int info = 0;
    for (i64 k = 0; k < n; k++) {
        i64 best = k;
        for (i64 i = k + 1; pivots && i < n; i++)
            if (size_of(a[i + k * lda]) > size_of(a[best + k * lda]))
                best = i;
        if (pivots)
            pivots[k] = (int)best + 1;
        if (a[best + k * lda] == T(0)) {
            info = info ? info : (int)k + 1;
            continue;
        }
        for (i64 j = 0; best != k && j < n; j++) {
            const T before = a[k + j * lda];
            a[k + j * lda] = a[best + j * lda];
            a[best + j * lda] = before;
        }
        const T pivot = a[k + k * lda];
        for (i64 i = k + 1; i < n; i++)
            a[i + k * lda] = a[i + k * lda] / pivot;
        for (i64 j = k + 1; j < n; j++) {
            const T by = a[k + j * lda];
            for (i64 i = k + 1; i < n; i++)
                a[i + j * lda] -= a[i + k * lda] * by;
        }
    }
    return info;
}

/* The factors' element that op names. */
template <class T> __device__ T at(const T *lu, i64 lda, matrix_op op, i64 i, i64 j)
{
    const T value = op & TRANSPOSED ? lu[j + i * lda] : lu[i + j * lda];
    return op & CONJUGATE_ONLY ? conjugate(value) : value;
}

template <class T> __device__ void exchange(T *b, const int *pivots, i64 n, bool backwards)
{
    for (i64 step = 0; pivots && step < n; step++) {
        const i64 k = backwards ? n - 1 - step : step, with = pivots[k] - 1;
        const T before = b[k];
        b[k] = b[with];
        b[with] = before;
    }
}

/* b = op(A)^-1 b from A's factors. */
template <class T> __device__ void solve(const T *lu, i64 lda, matrix_op op, const int *pivots, T *b, i64 n)
{
    const bool plain = !(op & TRANSPOSED);
    if (plain)
        exchange(b, pivots, n, false);
    for (i64 i = 0; i < n; i++) { /* the lower one of op: L, or U transposed */
        for (i64 j = 0; j < i; j++)
            b[i] -= at(lu, lda, op, i, j) * b[j];
        if (!plain)
            b[i] = b[i] / at(lu, lda, op, i, i);
    }
    for (i64 i = n - 1; i >= 0; i--) {
        for (i64 j = i + 1; j < n; j++)
            b[i] -= at(lu, lda, op, i, j) * b[j];
        if (plain)
            b[i] = b[i] / at(lu, lda, op, i, i);
    }
    if (!plain)
        exchange(b, pivots, n, true);
}

template <class T> __device__ int zero_of_diagonal(const T *lu, i64 lda, i64 n)
{
    for (i64 i = 0; i < n; i++)
        if (lu[i + i * lda] == T(0))
            return (int)i + 1;
    return 0;
}

template <class T> __device__ void invert(const T *lu, i64 lda, const int *pivots, T *c, i64 ldc, i64 n)
{
    for (i64 j = 0; j < n; j++) {
        for (i64 i = 0; i < n; i++)
            c[i + j * ldc] = T(i == j ? 1 : 0);
        solve(lu, lda, AS_IS, pivots, c + j * ldc, n);
    }
}

template <class T> __global__ void factor_each(T *const *as, i64 n, i64 lda, int *pivots, int *info)
{
    const i64 index = blockIdx.x;
    info[index] = factor(as[index], n, lda, pivots ? pivots + index * n : nullptr);
}

template <class T>
__global__ void invert_each(const T *const *as, i64 n, i64 lda, const int *pivots, T *const *cs, i64 ldc,
                            int *info)
{
    const i64 index = blockIdx.x;
    info[index] = zero_of_diagonal(as[index], lda, n);
    if (!info[index])
        invert(as[index], lda, pivots ? pivots + index * n : nullptr, cs[index], ldc, n);
}

template <class T>
__global__ void solve_each(matrix_op op, i64 n, i64 sides, const T *const *as, i64 lda, const int *pivots,
                           T *const *bs, i64 ldb)
{
    const i64 index = blockIdx.x;
    for (i64 j = 0; j < sides; j++)
        solve(as[index], lda, op, pivots ? pivots + index * n : nullptr, bs[index] + j * ldb, n);
}

const int MATINV_MOST = 32; /* NVIDIA's limit, too */

template <class T>
__global__ void matinv_each(const T *const *as, i64 n, i64 lda, T *const *cs, i64 ldc, int *info)
{
    const i64 index = blockIdx.x;
    T lu[MATINV_MOST * MATINV_MOST];
    int pivots[MATINV_MOST];
    for (i64 j = 0; j < n; j++)
        for (i64 i = 0; i < n; i++)
            lu[i + j * n] = as[index][i + j * lda];
    info[index] = factor(lu, n, n, pivots);
    if (!info[index])
        invert(lu, n, pivots, cs[index], ldc, n);
}

/* The next launch stands for a batch of small systems, a block each. */
template <class T> void stands_for_systems(const void *as, i64 batches, i64 elements, i64 operations)
{
    const uint64_t count = (uint64_t)batches;
    const umsim_stands_for what = {count, 128, count * (uint64_t)operations * (number<T>::is_complex ? 4 : 1),
                                   unit_of<T>(), 0};
    umsim_kernel_stands_for(&what);
    umsim_kernel_reads(as, count * (uint64_t)elements * sizeof(T));
    umsim_kernel_writes(as, count * (uint64_t)elements * sizeof(T));
}

cublasStatus_t checked(cublasHandle_t handle, bool valid)
{
    return !handle ? CUBLAS_STATUS_NOT_INITIALIZED
           : valid ? CUBLAS_STATUS_SUCCESS
                   : CUBLAS_STATUS_INVALID_VALUE;
}

template <class T>
cublasStatus_t run_getrf(cublasHandle_t handle, const char *call, i64 n, T *const *as, i64 lda, int *pivots,
                         int *info, i64 batches)
{
    const cublasStatus_t status = checked(handle, n >= 0 && batches >= 0 && is_leading(lda, n));
    if (status != CUBLAS_STATUS_SUCCESS || n == 0 || batches == 0)
        return status;
    const uint64_t count = (uint64_t)batches;
    if (!reaches(call, "Aarray", as, count) ||
        (pivots && !reaches(call, "PivotArray", pivots, umsim_times(count, (uint64_t)n))) ||
        !reaches(call, "infoArray", info, count))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    stands_for_systems<T>(as, batches, n * n, n * n * n * 2 / 3);
    factor_each<<<(unsigned)batches, 1, 0, handle->stream>>>(as, n, lda, pivots, info);
    return launched();
}

template <class T>
cublasStatus_t run_getri(cublasHandle_t handle, const char *call, i64 n, const T *const *as, i64 lda,
                         const int *pivots, T *const *cs, i64 ldc, int *info, i64 batches)
{
    const cublasStatus_t status =
        checked(handle, n >= 0 && batches >= 0 && is_leading(lda, n) && is_leading(ldc, n));
    if (status != CUBLAS_STATUS_SUCCESS || n == 0 || batches == 0)
        return status;
    const uint64_t count = (uint64_t)batches;
    if (!reaches(call, "Aarray", as, count) || !reaches(call, "Carray", cs, count) ||
        (pivots && !reaches(call, "PivotArray", pivots, umsim_times(count, (uint64_t)n))) ||
        !reaches(call, "infoArray", info, count))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    stands_for_systems<T>(as, batches, n * n, n * n * n * 4 / 3);
    invert_each<<<(unsigned)batches, 1, 0, handle->stream>>>(as, n, lda, pivots, cs, ldc, info);
    return launched();
}

/* `info` is the host's, and tells only which argument is wrong: -1 for the first after the handle. */
template <class T>
cublasStatus_t run_getrs(cublasHandle_t handle, const char *call, cublasOperation_t trans, i64 n, i64 sides,
                         const T *const *as, i64 lda, const int *pivots, T *const *bs, i64 ldb, int *info,
                         i64 batches)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!info)
        return CUBLAS_STATUS_INVALID_VALUE;
    *info = !is_operation(trans)  ? -1
            : n < 0               ? -2
            : sides < 0           ? -3
            : !is_leading(lda, n) ? -5
            : !is_leading(ldb, n) ? -8
            : batches < 0         ? -10
                                  : 0;
    if (*info)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (n == 0 || sides == 0 || batches == 0)
        return CUBLAS_STATUS_SUCCESS;
    const uint64_t count = (uint64_t)batches;
    if (!reaches(call, "Aarray", as, count) || !reaches(call, "Barray", bs, count) ||
        (pivots && !reaches(call, "devIpiv", pivots, umsim_times(count, (uint64_t)n))))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    stands_for_systems<T>(as, batches, n * (n + sides), n * n * sides * 2);
    solve_each<<<(unsigned)batches, 1, 0, handle->stream>>>(op_of(trans), n, sides, as, lda, pivots, bs, ldb);
    return launched();
}

template <class T>
cublasStatus_t run_matinv(cublasHandle_t handle, const char *call, i64 n, const T *const *as, i64 lda,
                          T *const *cs, i64 ldc, int *info, i64 batches)
{
    const cublasStatus_t status =
        checked(handle, n >= 0 && batches >= 0 && is_leading(lda, n) && is_leading(ldc, n));
    if (status != CUBLAS_STATUS_SUCCESS || n == 0 || batches == 0)
        return status;
    if (n > MATINV_MOST) {
        fprintf(stderr, "%s: n is %lld, and may be 32 at most: use getrfBatched and getriBatched\n", call, n);
        return CUBLAS_STATUS_INVALID_VALUE;
    }
    const uint64_t count = (uint64_t)batches;
    if (!reaches(call, "A", as, count) || !reaches(call, "Ainv", cs, count) ||
        !reaches(call, "info", info, count))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    stands_for_systems<T>(as, batches, n * n, n * n * n * 2);
    matinv_each<<<(unsigned)batches, 1, 0, handle->stream>>>(as, n, lda, cs, ldc, info);
    return launched();
}

} // namespace

#define NAME(P, call) "cublas" #P #call
#define SYSTEMS(P, T)                                                                                        \
    extern "C" cublasStatus_t cublas##P##getrfBatched(HANDLE, int n, T *const A[], int lda, int *pivots,     \
                                                      int *info, int batchSize)                              \
    {                                                                                                        \
        return run_getrf(handle, NAME(P, getrfBatched), n, own(A), lda, pivots, info, batchSize);            \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##P##getriBatched(HANDLE, int n, const T *const A[], int lda,            \
                                                      const int *pivots, T *const C[], int ldc, int *info,   \
                                                      int batchSize)                                         \
    {                                                                                                        \
        return run_getri(handle, NAME(P, getriBatched), n, own(A), lda, pivots, own(C), ldc, info,           \
                         batchSize);                                                                         \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##P##getrsBatched(HANDLE, cublasOperation_t trans, int n, int nrhs,      \
                                                      const T *const A[], int lda, const int *pivots,        \
                                                      T *const B[], int ldb, int *info, int batchSize)       \
    {                                                                                                        \
        return run_getrs(handle, NAME(P, getrsBatched), trans, n, nrhs, own(A), lda, pivots, own(B), ldb,    \
                         info, batchSize);                                                                   \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##P##matinvBatched(                                                      \
        HANDLE, int n, const T *const A[], int lda, T *const Ainv[], int lda_inv, int *info, int batchSize)  \
    {                                                                                                        \
        return run_matinv(handle, NAME(P, matinvBatched), n, own(A), lda, own(Ainv), lda_inv, info,          \
                          batchSize);                                                                        \
    }
SYSTEMS(S, float)
SYSTEMS(D, double)
SYSTEMS(C, cuComplex)
SYSTEMS(Z, cuDoubleComplex)
