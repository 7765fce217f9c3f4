/**
 * @file products.cu
 * @brief cuBLAS's level 3 in one type: gemm and its batches, products with symmetric, Hermitian and
 * triangular matrices, and updates of one triangle (syrk and its kind).
 */
#include "product.h"

namespace
{
using namespace blas;

template <class T> umsim_unit unit_of_product(cublasHandle_t handle)
{
    if (sizeof(real_t<T>) == 8)
        return UMSIM_UNIT_TENSOR_DOUBLE;
    const bool tf32 = handle->math == CUBLAS_TF32_TENSOR_OP_MATH || handle->math == CUBLAS_TENSOR_OP_MATH;
    return tf32 ? UMSIM_UNIT_TENSOR_TF32 : UMSIM_UNIT_SINGLE;
}

template <class T> cublasStatus_t run(cublasHandle_t handle, const char *call, const product<T, T, T> &p)
{
    static const char *const names[3] = {"A", "B", "C"};
    const cublasStatus_t status = check_product(call, p, names);
    return status != CUBLAS_STATUS_SUCCESS ? status
                                           : launch_product(p, unit_of_product<T>(handle), handle->stream);
}

/* What all calls check first. */
template <class T, class R>
cublasStatus_t check_start(cublasHandle_t handle, const char *call, bool valid, bool has_work, const T *alpha,
                           const R *beta)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!valid || (has_work && (!alpha || !beta)))
        return CUBLAS_STATUS_INVALID_VALUE;
    return scalar_reaches(handle, call, "alpha", alpha) && scalar_reaches(handle, call, "beta", beta)
               ? CUBLAS_STATUS_SUCCESS
               : CUBLAS_STATUS_EXECUTION_FAILED;
}

/* Where matrices are: addresses, or arrays of addresses. */
template <class T> struct places {
    const T *p;
    const T *const *batch;
    i64 leading, stride;
};

template <class T>
cublasStatus_t run_gemm(cublasHandle_t handle, const char *call, cublasOperation_t op_a,
                        cublasOperation_t op_b, i64 m, i64 n, i64 k, const T *alpha, places<T> a, places<T> b,
                        const T *beta, places<T> c, i64 batches)
{
    const bool ta = op_a != CUBLAS_OP_N, tb = op_b != CUBLAS_OP_N;
    const bool valid = is_operation(op_a) && is_operation(op_b) && m >= 0 && n >= 0 && k >= 0 &&
                       batches >= 0 && is_leading(a.leading, ta ? k : m) &&
                       is_leading(b.leading, tb ? n : k) && is_leading(c.leading, m);
    const cublasStatus_t status = check_start(handle, call, valid, m && n && batches, alpha, beta);
    if (status != CUBLAS_STATUS_SUCCESS || m == 0 || n == 0 || batches == 0)
        return status;
    const result_matrix<T> out = {const_cast<T *>(c.p), (T *const *)c.batch, c.leading, c.stride};
    return run<T>(handle, call,
                  {m,
                   n,
                   k,
                   batches,
                   {dense(op_of(op_a), ta ? k : m, ta ? m : k, a.leading), a.p, a.batch, a.stride},
                   {dense(op_of(op_b), tb ? n : k, tb ? k : n, b.leading), b.p, b.batch, b.stride},
                   out,
                   out,
                   scalar_of<T>(handle, alpha),
                   scalar_of<T>(handle, beta),
                   WHOLE,
                   false,
                   NONE,
                   nullptr,
                   false,
                   0,
                   false});
}

/* A product with a matrix of which one triangle is stored, at one side. */
template <class T>
cublasStatus_t run_sided(cublasHandle_t handle, const char *call, shape special, cublasSideMode_t side, i64 m,
                         i64 n, const T *alpha, const T *a, const T *b, i64 ldb, const T *beta, T *c, i64 ldc)
{
    const result_matrix<T> out = {c, nullptr, ldc, 0};
    const operand<T> of_a = {special, a, nullptr, 0}, of_b = {dense(AS_IS, m, n, ldb), b, nullptr, 0};
    const bool left = side == CUBLAS_SIDE_LEFT;
    const product<T, T, T> p = {m,
                                n,
                                special.rows,
                                1,
                                left ? of_a : of_b,
                                left ? of_b : of_a,
                                out,
                                out,
                                scalar_of<T>(handle, alpha),
                                beta ? scalar_of<T>(handle, beta) : scalar_is(T(0)),
                                WHOLE,
                                false,
                                NONE,
                                nullptr,
                                false,
                                0,
                                false};
    static const char *const names[2][3] = {{"A", "B", "C"}, {"B", "A", "C"}};
    const cublasStatus_t status = check_product(call, p, names[left ? 0 : 1]);
    return status != CUBLAS_STATUS_SUCCESS ? status
                                           : launch_product(p, unit_of_product<T>(handle), handle->stream);
}

bool is_side(cublasSideMode_t side)
{
    return side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT;
}
bool is_triangle(cublasFillMode_t uplo)
{
    return uplo == CUBLAS_FILL_MODE_LOWER || uplo == CUBLAS_FILL_MODE_UPPER;
}

template <class T>
cublasStatus_t run_symm(cublasHandle_t handle, const char *call, matrix_kind kind, cublasSideMode_t side,
                        cublasFillMode_t uplo, i64 m, i64 n, const T *alpha, const T *a, i64 lda, const T *b,
                        i64 ldb, const T *beta, T *c, i64 ldc)
{
    const i64 order = side == CUBLAS_SIDE_LEFT ? m : n;
    const bool valid = is_side(side) && is_triangle(uplo) && m >= 0 && n >= 0 && is_leading(lda, order) &&
                       is_leading(ldb, m) && is_leading(ldc, m);
    const cublasStatus_t status = check_start(handle, call, valid, m && n, alpha, beta);
    if (status != CUBLAS_STATUS_SUCCESS || m == 0 || n == 0)
        return status;
    return run_sided(handle, call, triangle_of(kind, AS_IS, order, lda, uplo == CUBLAS_FILL_MODE_UPPER), side,
                     m, n, alpha, a, b, ldb, beta, c, ldc);
}

/* B may be C: then the product reads a copy of it. */
template <class T>
cublasStatus_t run_trmm(cublasHandle_t handle, const char *call, cublasSideMode_t side, cublasFillMode_t uplo,
                        cublasOperation_t trans, cublasDiagType_t diag, i64 m, i64 n, const T *alpha,
                        const T *a, i64 lda, const T *b, i64 ldb, T *c, i64 ldc)
{
    const i64 order = side == CUBLAS_SIDE_LEFT ? m : n;
    const bool valid = is_side(side) && is_triangle(uplo) && is_operation(trans) && m >= 0 && n >= 0 &&
                       is_leading(lda, order) && is_leading(ldb, m) && is_leading(ldc, m) &&
                       (b != c || ldb == ldc);
    const cublasStatus_t status = check_start(handle, call, valid, m && n, alpha, alpha);
    if (status != CUBLAS_STATUS_SUCCESS || m == 0 || n == 0)
        return status;
    const shape is = triangle_of(TRIANGULAR, op_of(trans), order, lda, uplo == CUBLAS_FILL_MODE_UPPER,
                                 diag == CUBLAS_DIAG_UNIT);
    if (b != c)
        return run_sided<T>(handle, call, is, side, m, n, alpha, a, b, ldb, nullptr, c, ldc);
    if (!reaches(call, "B", b, extent(m, n, ldb)))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    T *copy;
    if (cudaMallocAsync(&copy, (size_t)m * (size_t)n * sizeof(T), handle->stream) != cudaSuccess)
        return CUBLAS_STATUS_ALLOC_FAILED;
    const size_t row = (size_t)m * sizeof(T);
    if (cudaMemcpy2DAsync(copy, row, b, (size_t)ldb * sizeof(T), row, (size_t)n, cudaMemcpyDeviceToDevice,
                          handle->stream) != cudaSuccess)
        return CUBLAS_STATUS_EXECUTION_FAILED;
    const cublasStatus_t done =
        run_sided<T>(handle, call, is, side, m, n, alpha, a, copy, m, nullptr, c, ldc);
    cudaFreeAsync(copy, handle->stream);
    return done;
}

/* One triangle of alpha op(A) op(B)' + beta C, of n rows; B may be A. */
template <class T> struct update {
    cublasFillMode_t uplo;
    cublasOperation_t trans;
    i64 n, k;
    const T *a;
    i64 lda;
    const T *b;
    i64 ldb;
    T *c;
    i64 ldc;
    bool hermitian;
};

template <class T> bool is_valid(const update<T> &u)
{
    const i64 rows = u.trans == CUBLAS_OP_N ? u.n : u.k;
    const bool trans = u.trans == CUBLAS_OP_N || u.trans == (u.hermitian ? CUBLAS_OP_C : CUBLAS_OP_T) ||
                       (!number<T>::is_complex && u.trans == CUBLAS_OP_C);
    return is_triangle(u.uplo) && trans && u.n >= 0 && u.k >= 0 && is_leading(u.lda, rows) &&
           is_leading(u.ldb, rows) && is_leading(u.ldc, u.n);
}

template <class T>
cublasStatus_t run_part(cublasHandle_t handle, const char *call, const update<T> &u, scalar<T> alpha,
                        scalar<T> beta, bool swapped)
{
    const bool plain = u.trans == CUBLAS_OP_N;
    const i64 rows = plain ? u.n : u.k, columns = plain ? u.k : u.n;
    const matrix_op turned = u.hermitian ? CONJUGATED : TRANSPOSED;
    const shape a = dense(plain ? AS_IS : turned, rows, columns, swapped ? u.ldb : u.lda),
                b = dense(plain ? turned : AS_IS, rows, columns, swapped ? u.lda : u.ldb);
    const result_matrix<T> out = {u.c, nullptr, u.ldc, 0};
    const product<T, T, T> p = {u.n,
                                u.n,
                                u.k,
                                1,
                                {a, swapped ? u.b : u.a, nullptr, 0},
                                {b, swapped ? u.a : u.b, nullptr, 0},
                                out,
                                out,
                                alpha,
                                beta,
                                u.uplo == CUBLAS_FILL_MODE_UPPER ? UPPER : LOWER,
                                u.hermitian,
                                NONE,
                                nullptr,
                                false,
                                0,
                                false};
    return run(handle, call, p);
}

/* `from` makes a scalar of what the call brings: a Hermitian update has real ones. */
template <class T, class S, class R>
cublasStatus_t run_update(cublasHandle_t handle, const char *call, const update<T> &u, const S *alpha,
                          const R *beta, scalar<T> (*from_alpha)(cublasHandle_t, const S *),
                          scalar<T> (*from_beta)(cublasHandle_t, const R *))
{
    const cublasStatus_t status = check_start(handle, call, is_valid(u), u.n != 0, alpha, beta);
    if (status != CUBLAS_STATUS_SUCCESS || u.n == 0)
        return status;
    return run_part(handle, call, u, from_alpha(handle, alpha), from_beta(handle, beta), false);
}

/* Adds both alpha op(A) op(B)' and its transpose (conjugated: alpha is, too). */
template <class T> __global__ void conjugate_one(T *to, const T *from)
{
    *to = conjugate(*from);
}

template <class T, class R>
cublasStatus_t run_update_2(cublasHandle_t handle, const char *call, const update<T> &u, const T *alpha,
                            const R *beta, scalar<T> (*from_beta)(cublasHandle_t, const R *))
{
    const cublasStatus_t status = check_start(handle, call, is_valid(u), u.n != 0, alpha, beta);
    if (status != CUBLAS_STATUS_SUCCESS || u.n == 0)
        return status;
    scalar<T> other = scalar_of<T>(handle, alpha);
    const cublasStatus_t first = run_part(handle, call, u, other, from_beta(handle, beta), false);
    if (first != CUBLAS_STATUS_SUCCESS)
        return first;
    if (u.hermitian && !other.place) {
        other.value = conjugate(other.value);
    } else if (u.hermitian) {
        T *place = (T *)&handle->parts[BLAS_PARTS];
        stands_for_elements(1, 1, unit_of<T>());
        conjugate_one<<<1, 1, 0, handle->stream>>>(place, (const T *)other.place);
        other.place = place;
    }
    return run_part(handle, call, u, other, scalar_is(T(1)), true);
}

} // namespace

#define NAME(P, call, X) "cublas" #P #call #X
#define OPS cublasOperation_t transa, cublasOperation_t transb
#define MNK(N) N m, N n, N k

#define GEMM(P, T, call, symbol, N, X)                                                                       \
    extern "C" cublasStatus_t cublas##P##symbol##X(HANDLE, OPS, MNK(N), const T *alpha, const T *A, N lda,   \
                                                   const T *B, N ldb, const T *beta, T *C, N ldc)            \
    {                                                                                                        \
        return run_gemm<own_t<T>>(handle, NAME(P, call, X), transa, transb, m, n, k, own(alpha),             \
                                  {own(A), nullptr, lda, 0}, {own(B), nullptr, ldb, 0}, own(beta),           \
                                  {own(C), nullptr, ldc, 0}, 1);                                             \
    }
#define GEMMS(P, T, R, N, X)                                                                                 \
    GEMM(P, T, gemm, gemm_v2, N, X)                                                                          \
    extern "C" cublasStatus_t cublas##P##gemmBatched##X(                                                     \
        HANDLE, OPS, MNK(N), const T *alpha, const T *const Aarray[], N lda, const T *const Barray[], N ldb, \
        const T *beta, T *const Carray[], N ldc, N batchCount)                                               \
    {                                                                                                        \
        return run_gemm<own_t<T>>(handle, NAME(P, gemmBatched, X), transa, transb, m, n, k, own(alpha),      \
                                  {nullptr, own(Aarray), lda, 0}, {nullptr, own(Barray), ldb, 0}, own(beta), \
                                  {nullptr, own(Carray), ldc, 0}, batchCount);                               \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##P##gemmStridedBatched##X(                                              \
        HANDLE, OPS, MNK(N), const T *alpha, const T *A, N lda, long long int strideA, const T *B, N ldb,    \
        long long int strideB, const T *beta, T *C, N ldc, long long int strideC, N batchCount)              \
    {                                                                                                        \
        return run_gemm<own_t<T>>(handle, NAME(P, gemmStridedBatched, X), transa, transb, m, n, k,           \
                                  own(alpha), {own(A), nullptr, lda, strideA},                               \
                                  {own(B), nullptr, ldb, strideB}, own(beta),                                \
                                  {own(C), nullptr, ldc, strideC}, batchCount);                              \
    }
#define SIDES cublasSideMode_t side, cublasFillMode_t uplo
#define SYMM(P, T, call, kind, N, X)                                                                         \
    extern "C" cublasStatus_t cublas##P##call##_v2##X(HANDLE, SIDES, N m, N n, const T *alpha, const T *A,   \
                                                      N lda, const T *B, N ldb, const T *beta, T *C, N ldc)  \
    {                                                                                                        \
        return run_symm(handle, NAME(P, call, X), kind, side, uplo, m, n, own(alpha), own(A), lda, own(B),   \
                        ldb, own(beta), own(C), ldc);                                                        \
    }
#define UPDATES(N) cublasFillMode_t uplo, cublasOperation_t trans, N n, N k
/* One matrix, or two; alpha of type S, beta of type R, made into scalars by these functions */
#define SYRK(P, T, call, S, R, is_hermitian, of_alpha, of_beta, N, X)                                        \
    extern "C" cublasStatus_t cublas##P##call##_v2##X(HANDLE, UPDATES(N), const S *alpha, const T *A, N lda, \
                                                      const R *beta, T *C, N ldc)                            \
    {                                                                                                        \
        const update<own_t<T>> u = {uplo, trans, n, k, own(A), lda, own(A), lda, own(C), ldc, is_hermitian}; \
        return run_update(handle, NAME(P, call, X), u, own(alpha), own(beta), of_alpha, of_beta);            \
    }
#define SYRKX(P, T, call, R, is_hermitian, of_beta, N, X)                                                    \
    extern "C" cublasStatus_t cublas##P##call##X(HANDLE, UPDATES(N), const T *alpha, const T *A, N lda,      \
                                                 const T *B, N ldb, const R *beta, T *C, N ldc)              \
    {                                                                                                        \
        const update<own_t<T>> u = {uplo, trans, n, k, own(A), lda, own(B), ldb, own(C), ldc, is_hermitian}; \
        return run_update(handle, NAME(P, call, X), u, own(alpha), own(beta), scalar_of<own_t<T>>, of_beta); \
    }
#define SYR2K(P, T, call, R, is_hermitian, of_beta, N, X)                                                    \
    extern "C" cublasStatus_t cublas##P##call##_v2##X(HANDLE, UPDATES(N), const T *alpha, const T *A, N lda, \
                                                      const T *B, N ldb, const R *beta, T *C, N ldc)         \
    {                                                                                                        \
        const update<own_t<T>> u = {uplo, trans, n, k, own(A), lda, own(B), ldb, own(C), ldc, is_hermitian}; \
        return run_update_2(handle, NAME(P, call, X), u, own(alpha), own(beta), of_beta);                    \
    }
#define LEVEL_3(P, T, R, N, X)                                                                               \
    GEMMS(P, T, R, N, X)                                                                                     \
    SYMM(P, T, symm, SYMMETRIC, N, X)                                                                        \
    SYRK(P, T, syrk, T, T, false, scalar_of<own_t<T>>, scalar_of<own_t<T>>, N, X)                            \
    SYRKX(P, T, syrkx, T, false, scalar_of<own_t<T>>, N, X)                                                  \
    SYR2K(P, T, syr2k, T, false, scalar_of<own_t<T>>, N, X)                                                  \
    extern "C" cublasStatus_t cublas##P##trmm_v2##X(HANDLE, SIDES, cublasOperation_t trans,                  \
                                                    cublasDiagType_t diag, N m, N n, const T *alpha,         \
                                                    const T *A, N lda, const T *B, N ldb, T *C, N ldc)       \
    {                                                                                                        \
        return run_trmm(handle, NAME(P, trmm, X), side, uplo, trans, diag, m, n, own(alpha), own(A), lda,    \
                        own(B), ldb, own(C), ldc);                                                           \
    }
#define LEVEL_3_COMPLEX(P, T, R, N, X)                                                                       \
    GEMM(P, T, gemm3m, gemm3m, N, X)                                                                         \
    SYMM(P, T, hemm, HERMITIAN, N, X)                                                                        \
    SYRK(P, T, herk, R, R, true, scalar_of_real<R>, scalar_of_real<R>, N, X)                                 \
    SYRKX(P, T, herkx, R, true, scalar_of_real<R>, N, X)                                                     \
    SYR2K(P, T, her2k, R, true, scalar_of_real<R>, N, X)

BOTH_SIZES(LEVEL_3, S, float, float)
BOTH_SIZES(LEVEL_3, D, double, double)
BOTH_SIZES(LEVEL_3, C, cuComplex, float)
BOTH_SIZES(LEVEL_3, Z, cuDoubleComplex, double)
BOTH_SIZES(LEVEL_3_COMPLEX, C, cuComplex, float)
BOTH_SIZES(LEVEL_3_COMPLEX, Z, cuDoubleComplex, double)
