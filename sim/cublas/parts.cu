/**
 * @file parts.cu
 * @brief cuBLAS's additions to BLAS, element by element: sums of matrices (geam), products with a diagonal
 * (dgmm), and triangles to and from their packed form (trttp, tpttr).
 */
#include "product.h"

namespace
{
using namespace blas;

template <class T> struct sum_of_two {
    shape a, b;
    i64 m, ldc;
    scalar<T> alpha, beta;
    const T *of_a, *of_b;
    T *c;
};

template <class T> __global__ void add_matrices(sum_of_two<T> s)
{
    const i64 j = blockIdx.x;
    const T alpha = s.alpha.get(), beta = s.beta.get();
    for (i64 i = 0; i < s.m; i++) {
        T sum = T(0);
        if (alpha != T(0))
            sum += alpha * element(s.a, s.of_a, i, j);
        if (beta != T(0))
            sum += beta * element(s.b, s.of_b, i, j);
        s.c[i + j * s.ldc] = sum;
    }
}

/* The next launch goes through three matrices of m by n. */
template <class T> bool begin(const T *a, const T *b, T *c, i64 m, i64 n)
{
    const uint64_t elements = (uint64_t)m * (uint64_t)n;
    umsim_kernel_reads(a, elements * sizeof(T));
    if (b)
        umsim_kernel_reads(b, elements * sizeof(T));
    umsim_kernel_writes(c, elements * sizeof(T));
    stands_for_elements(elements, 3 * elements, unit_of<T>());
    return n <= INT32_MAX;
}

template <class T>
cublasStatus_t run_geam(cublasHandle_t handle, const char *call, cublasOperation_t op_a,
                        cublasOperation_t op_b, i64 m, i64 n, const T *alpha, const T *a, i64 lda,
                        const T *beta, const T *b, i64 ldb, T *c, i64 ldc)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    const bool ta = op_a != CUBLAS_OP_N, tb = op_b != CUBLAS_OP_N;
    if (!is_operation(op_a) || !is_operation(op_b) || m < 0 || n < 0 || !is_leading(lda, ta ? n : m) ||
        !is_leading(ldb, tb ? n : m) || !is_leading(ldc, m) || (c == a && c && (ta || lda != ldc)) ||
        (c == b && c && (tb || ldb != ldc)))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (m == 0 || n == 0)
        return CUBLAS_STATUS_SUCCESS;
    if (!alpha || !beta)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (!scalar_reaches(handle, call, "alpha", alpha) || !scalar_reaches(handle, call, "beta", beta))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    const sum_of_two<T> s = {dense(op_of(op_a), ta ? n : m, ta ? m : n, lda),
                             dense(op_of(op_b), tb ? n : m, tb ? m : n, ldb),
                             m,
                             ldc,
                             scalar_of<T>(handle, alpha),
                             scalar_of<T>(handle, beta),
                             a,
                             b,
                             c};
    if ((!is_zero(s.alpha) && !reaches(call, "A", a, extent(s.a))) ||
        (!is_zero(s.beta) && !reaches(call, "B", b, extent(s.b))) ||
        !reaches(call, "C", c, extent(m, n, ldc)))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    if (!begin(a, is_zero(s.beta) ? (const T *)nullptr : b, c, m, n))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    add_matrices<<<(unsigned)n, 1, 0, handle->stream>>>(s);
    return launched();
}

template <class T>
__global__ void scale_matrix(bool left, i64 m, const T *a, i64 lda, const T *x, i64 incx, T *c, i64 ldc)
{
    const i64 j = blockIdx.x;
    for (i64 i = 0; i < m; i++)
        c[i + j * ldc] = a[i + j * lda] * x[(left ? i : j) * incx];
}

template <class T>
cublasStatus_t run_dgmm(cublasHandle_t handle, const char *call, cublasSideMode_t side, i64 m, i64 n,
                        const T *a, i64 lda, const T *x, i64 incx, T *c, i64 ldc)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    const bool left = side == CUBLAS_SIDE_LEFT;
    if ((!left && side != CUBLAS_SIDE_RIGHT) || m < 0 || n < 0 || !is_leading(lda, m) || !is_leading(ldc, m))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (m == 0 || n == 0)
        return CUBLAS_STATUS_SUCCESS;
    const i64 length = left ? m : n;
    if (!reaches(call, "A", a, extent(m, n, lda)) || !reaches(call, "x", x, extent(length, incx)) ||
        !reaches(call, "C", c, extent(m, n, ldc)))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    if (!begin(a, (const T *)nullptr, c, m, n))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    scale_matrix<<<(unsigned)n, 1, 0, handle->stream>>>(left, m, a, lda, first_of(x, length, incx), incx, c,
                                                        ldc);
    return launched();
}

/* A triangle from one way to store it to another. */
template <class T> __global__ void copy_triangle(shape from, const T *a, shape to, T *b)
{
    const i64 j = blockIdx.x, first = from.upper ? 0 : j, last = from.upper ? j : from.rows - 1;
    for (i64 i = first; i <= last; i++)
        b[place_of(to, i, j)] = a[place_of(from, i, j)];
}

template <class T>
cublasStatus_t run_copy(cublasHandle_t handle, const char *call, cublasFillMode_t uplo, i64 leading,
                        shape from, const char *from_name, const T *a, shape to, const char *to_name, T *b)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if ((uplo != CUBLAS_FILL_MODE_LOWER && uplo != CUBLAS_FILL_MODE_UPPER) || from.rows < 0 ||
        !is_leading(leading, from.rows))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (from.rows == 0)
        return CUBLAS_STATUS_SUCCESS;
    if (!reaches(call, from_name, a, extent(from)) || !reaches(call, to_name, b, extent(to)))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    begin(a, (const T *)nullptr, b, from.rows, (from.rows + 1) / 2);
    copy_triangle<<<(unsigned)from.rows, 1, 0, handle->stream>>>(from, a, to, b);
    return launched();
}

} // namespace

#define OPS cublasOperation_t transa, cublasOperation_t transb
#define NAME(P, call, X) "cublas" #P #call #X
#define IS_UPPER (uplo == CUBLAS_FILL_MODE_UPPER)
#define PARTS(P, T, N, X)                                                                                    \
    extern "C" cublasStatus_t cublas##P##geam##X(HANDLE, OPS, N m, N n, const T *alpha, const T *A, N lda,   \
                                                 const T *beta, const T *B, N ldb, T *C, N ldc)              \
    {                                                                                                        \
        return run_geam(handle, NAME(P, geam, X), transa, transb, m, n, own(alpha), own(A), lda, own(beta),  \
                        own(B), ldb, own(C), ldc);                                                           \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##P##dgmm##X(HANDLE, cublasSideMode_t mode, N m, N n, const T *A, N lda, \
                                                 const T *x, N incx, T *C, N ldc)                            \
    {                                                                                                        \
        return run_dgmm(handle, NAME(P, dgmm, X), mode, m, n, own(A), lda, own(x), incx, own(C), ldc);       \
    }
#define PACKING(P, T)                                                                                        \
    extern "C" cublasStatus_t cublas##P##trttp(HANDLE, cublasFillMode_t uplo, int n, const T *A, int lda,    \
                                               T *AP)                                                        \
    {                                                                                                        \
        return run_copy(handle, NAME(P, trttp, ), uplo, lda,                                                 \
                        triangle_of(SYMMETRIC, AS_IS, n, lda, IS_UPPER), "A", own(A),                        \
                        packed(SYMMETRIC, AS_IS, n, IS_UPPER), "AP", own(AP));                               \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##P##tpttr(HANDLE, cublasFillMode_t uplo, int n, const T *AP, T *A,      \
                                               int lda)                                                      \
    {                                                                                                        \
        return run_copy(handle, NAME(P, tpttr, ), uplo, lda, packed(SYMMETRIC, AS_IS, n, IS_UPPER), "AP",    \
                        own(AP), triangle_of(SYMMETRIC, AS_IS, n, lda, IS_UPPER), "A", own(A));              \
    }
BOTH_SIZES(PARTS, S, float)
BOTH_SIZES(PARTS, D, double)
BOTH_SIZES(PARTS, C, cuComplex)
BOTH_SIZES(PARTS, Z, cuDoubleComplex)
PACKING(S, float)
PACKING(D, double)
PACKING(C, cuComplex)
PACKING(Z, cuDoubleComplex)
