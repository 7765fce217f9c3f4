/**
 * @file matrices.cu
 * @brief cuBLAS's levels 2 and 3: operations on matrices, which are stored by columns.
 */
#include "blas.h"

namespace
{

/* A product is computed in tiles of TILE_ROWS by TILE_COLUMNS elements of C, one thread a tile. */
enum { TILE_ROWS = 64, TILE_COLUMNS = 4 };

template <class T> struct product {
    int m, n, k;
    bool transpose_a, transpose_b;
    blas::scalar<T> alpha, beta;
    const T *a, *b;
    T *c;
    int lda, ldb, ldc;
    long long stride_a, stride_b, stride_c;
};

/* Reads rows of op(A), from `row` on, in column `k`, into `out`. */
template <class T>
__device__ void fetch_rows(const product<T> &p, const T *a, int row, int rows, int k, T (&out)[TILE_ROWS])
{
    if (p.transpose_a) {
        for (int i = 0; i < rows; i++)
            out[i] = a[k + (long long)(row + i) * p.lda];
    } else {
        for (int i = 0; i < rows; i++)
            out[i] = a[row + i + (long long)k * p.lda];
    }
}

template <class T> __global__ void multiply(product<T> p)
{
    const int row = blockIdx.x * TILE_ROWS, column = blockIdx.y * TILE_COLUMNS;
    const T *a = p.a + blockIdx.z * p.stride_a, *b = p.b + blockIdx.z * p.stride_b;
    T *c = p.c + blockIdx.z * p.stride_c;
    const int rows = p.m - row < TILE_ROWS ? p.m - row : TILE_ROWS;
    const int columns = p.n - column < TILE_COLUMNS ? p.n - column : TILE_COLUMNS;
    const T alpha = p.alpha.get(), beta = p.beta.get();
    T sum[TILE_COLUMNS][TILE_ROWS] = {}, of_a[TILE_ROWS] = {};
    for (int k = 0; alpha != T(0) && k < p.k; k++) {
        fetch_rows(p, a, row, rows, k, of_a);
        for (int j = 0; j < columns; j++) {
            const T of_b =
                p.transpose_b ? b[column + j + (long long)k * p.ldb] : b[k + (long long)(column + j) * p.ldb];
            for (int i = 0; i < TILE_ROWS; i++)
                sum[j][i] += of_a[i] * of_b;
        }
    }
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) {
            T &place = c[row + i + (long long)(column + j) * p.ldc];
            place = beta == T(0) ? alpha * sum[j][i] : alpha * sum[j][i] + beta * place;
        }
}

bool is_operation(cublasOperation_t operation)
{
    return operation == CUBLAS_OP_N || operation == CUBLAS_OP_T || operation == CUBLAS_OP_C;
}

int at_least_one(int n)
{
    return n > 1 ? n : 1;
}

template <class T>
cublasStatus_t run_product(cublasHandle_t handle, const char *call, cublasOperation_t op_a,
                           cublasOperation_t op_b, const T *alpha, const T *beta, product<T> p, int batches)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    p.transpose_a = op_a != CUBLAS_OP_N;
    p.transpose_b = op_b != CUBLAS_OP_N;
    const int rows_a = p.transpose_a ? p.k : p.m, columns_a = p.transpose_a ? p.m : p.k;
    const int rows_b = p.transpose_b ? p.n : p.k, columns_b = p.transpose_b ? p.k : p.n;
    if (!is_operation(op_a) || !is_operation(op_b) || p.m < 0 || p.n < 0 || p.k < 0 || batches < 0 ||
        !alpha || !beta || p.lda < at_least_one(rows_a) || p.ldb < at_least_one(rows_b) ||
        p.ldc < at_least_one(p.m))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (p.m == 0 || p.n == 0 || batches == 0)
        return CUBLAS_STATUS_SUCCESS;
    const size_t others = (size_t)batches - 1;
    const size_t a = blas::extent(rows_a, columns_a, p.lda), b = blas::extent(rows_b, columns_b, p.ldb);
    if (!blas::scalar_reaches(handle, call, "alpha", alpha) ||
        !blas::scalar_reaches(handle, call, "beta", beta) ||
        !blas::reaches(call, "A", p.a, a ? a + others * (size_t)p.stride_a : 0) ||
        !blas::reaches(call, "B", p.b, b ? b + others * (size_t)p.stride_b : 0) ||
        !blas::reaches(call, "C", p.c, blas::extent(p.m, p.n, p.ldc) + others * (size_t)p.stride_c))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    p.alpha = blas::scalar_of(handle, alpha);
    p.beta = blas::scalar_of(handle, beta);
    const dim3 grid(blas::blocks((size_t)p.m, TILE_ROWS), blas::blocks((size_t)p.n, TILE_COLUMNS),
                    (unsigned)batches);
    multiply<T><<<grid, 1, 0, handle->stream>>>(p);
    return blas::launched();
}

/* y = alpha op(A) x + beta y; each thread computes an element of y. */
template <class T>
__global__ void multiply_vector(bool transpose, int m, int n, blas::scalar<T> alpha, const T *a, int lda,
                                const T *x, int incx, blas::scalar<T> beta, T *y, int incy)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, terms = transpose ? m : n;
    if (i >= (transpose ? n : m))
        return;
    T sum = 0;
    for (int j = 0; j < terms; j++)
        sum += (transpose ? a[j + (long long)i * lda] : a[i + (long long)j * lda]) * x[(long long)j * incx];
    T &place = y[(long long)i * incy];
    const T old = beta.get() == T(0) ? T(0) : beta.get() * place;
    place = alpha.get() * sum + old;
}

template <class T> inline T *first_of(T *x, int n, int stride)
{
    return stride < 0 ? x - (long long)(n - 1) * stride : x;
}

template <class T>
cublasStatus_t run_gemv(cublasHandle_t handle, const char *call, cublasOperation_t operation, int m, int n,
                        const T *alpha, const T *a, int lda, const T *x, int incx, const T *beta, T *y,
                        int incy)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!is_operation(operation) || m < 0 || n < 0 || lda < at_least_one(m) || !incx || !incy || !alpha ||
        !beta)
        return CUBLAS_STATUS_INVALID_VALUE;
    const bool transpose = operation != CUBLAS_OP_N;
    const int of_x = transpose ? m : n, of_y = transpose ? n : m;
    if (m == 0 || n == 0)
        return CUBLAS_STATUS_SUCCESS;
    if (!blas::scalar_reaches(handle, call, "alpha", alpha) ||
        !blas::scalar_reaches(handle, call, "beta", beta) ||
        !blas::reaches(call, "A", a, blas::extent(m, n, lda)) ||
        !blas::reaches(call, "x", x, blas::extent(of_x, incx)) ||
        !blas::reaches(call, "y", y, blas::extent(of_y, incy)))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    multiply_vector<T><<<blas::blocks((size_t)of_y, 128), 128, 0, handle->stream>>>(
        transpose, m, n, blas::scalar_of(handle, alpha), a, lda, first_of(x, of_x, incx), incx,
        blas::scalar_of(handle, beta), first_of(y, of_y, incy), incy);
    return blas::launched();
}

/* A += alpha x y'; each block's thread does a column. */
template <class T>
__global__ void add_outer(int m, blas::scalar<T> alpha, const T *x, int incx, const T *y, int incy, T *a,
                          int lda)
{
    const T by = alpha.get() * y[(long long)blockIdx.x * incy];
    T *column = a + (long long)blockIdx.x * lda;
    for (int i = 0; i < m; i++)
        column[i] += x[(long long)i * incx] * by;
}

template <class T>
cublasStatus_t run_ger(cublasHandle_t handle, const char *call, int m, int n, const T *alpha, const T *x,
                       int incx, const T *y, int incy, T *a, int lda)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (m < 0 || n < 0 || lda < at_least_one(m) || !incx || !incy || !alpha)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (m == 0 || n == 0)
        return CUBLAS_STATUS_SUCCESS;
    if (!blas::scalar_reaches(handle, call, "alpha", alpha) ||
        !blas::reaches(call, "x", x, blas::extent(m, incx)) ||
        !blas::reaches(call, "y", y, blas::extent(n, incy)) ||
        !blas::reaches(call, "A", a, blas::extent(m, n, lda)))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    add_outer<T><<<(unsigned)n, 1, 0, handle->stream>>>(
        m, blas::scalar_of(handle, alpha), first_of(x, m, incx), incx, first_of(y, n, incy), incy, a, lda);
    return blas::launched();
}

template <class T> struct sum_of_two {
    int m, n;
    bool transpose_a, transpose_b;
    blas::scalar<T> alpha, beta;
    const T *a, *b;
    T *c;
    int lda, ldb, ldc;
};

/* C = alpha op(A) + beta op(B); each block's thread does a column. A matrix whose scalar is 0 is not read. */
template <class T> __global__ void add_matrices(sum_of_two<T> s)
{
    const int j = blockIdx.x;
    const T alpha = s.alpha.get(), beta = s.beta.get();
    for (int i = 0; i < s.m; i++) {
        T sum = 0;
        if (alpha != T(0))
            sum += alpha * (s.transpose_a ? s.a[j + (long long)i * s.lda] : s.a[i + (long long)j * s.lda]);
        if (beta != T(0))
            sum += beta * (s.transpose_b ? s.b[j + (long long)i * s.ldb] : s.b[i + (long long)j * s.ldb]);
        s.c[i + (long long)j * s.ldc] = sum;
    }
}

/* Whether a host's scalar says that its matrix is not needed. */
template <class T> bool is_unused(cublasHandle_t handle, const T *scalar)
{
    return handle->pointer_mode == CUBLAS_POINTER_MODE_HOST && *scalar == T(0);
}

template <class T>
cublasStatus_t run_geam(cublasHandle_t handle, const char *call, cublasOperation_t op_a,
                        cublasOperation_t op_b, const T *alpha, const T *beta, sum_of_two<T> s)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    s.transpose_a = op_a != CUBLAS_OP_N;
    s.transpose_b = op_b != CUBLAS_OP_N;
    const int rows_a = s.transpose_a ? s.n : s.m, rows_b = s.transpose_b ? s.n : s.m;
    if (!is_operation(op_a) || !is_operation(op_b) || s.m < 0 || s.n < 0 || !alpha || !beta ||
        s.lda < at_least_one(rows_a) || s.ldb < at_least_one(rows_b) || s.ldc < at_least_one(s.m) ||
        (s.c == s.a && (s.transpose_a || s.lda != s.ldc)) ||
        (s.c == s.b && (s.transpose_b || s.ldb != s.ldc)))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (s.m == 0 || s.n == 0)
        return CUBLAS_STATUS_SUCCESS;
    const size_t a = blas::extent(rows_a, s.m + s.n - rows_a, s.lda),
                 b = blas::extent(rows_b, s.m + s.n - rows_b, s.ldb);
    if (!blas::scalar_reaches(handle, call, "alpha", alpha) ||
        !blas::scalar_reaches(handle, call, "beta", beta) ||
        (!is_unused(handle, alpha) && !blas::reaches(call, "A", s.a, a)) ||
        (!is_unused(handle, beta) && !blas::reaches(call, "B", s.b, b)) ||
        !blas::reaches(call, "C", s.c, blas::extent(s.m, s.n, s.ldc)))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    s.alpha = blas::scalar_of(handle, alpha);
    s.beta = blas::scalar_of(handle, beta);
    add_matrices<T><<<(unsigned)s.n, 1, 0, handle->stream>>>(s);
    return blas::launched();
}

} // namespace

#define LEVEL_2_3(P, T)                                                                                      \
    extern "C" cublasStatus_t cublas##P##gemv_v2(cublasHandle_t handle, cublasOperation_t trans, int m,      \
                                                 int n, const T *alpha, const T *A, int lda, const T *x,     \
                                                 int incx, const T *beta, T *y, int incy)                    \
    {                                                                                                        \
        return run_gemv<T>(handle, "cublas" #P "gemv", trans, m, n, alpha, A, lda, x, incx, beta, y, incy);  \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##P##ger_v2(cublasHandle_t handle, int m, int n, const T *alpha,         \
                                                const T *x, int incx, const T *y, int incy, T *A, int lda)   \
    {                                                                                                        \
        return run_ger<T>(handle, "cublas" #P "ger", m, n, alpha, x, incx, y, incy, A, lda);                 \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##P##gemm_v2(                                                            \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,      \
        const T *alpha, const T *A, int lda, const T *B, int ldb, const T *beta, T *C, int ldc)              \
    {                                                                                                        \
        return run_product<T>(handle, "cublas" #P "gemm", transa, transb, alpha, beta,                       \
                              {m, n, k, false, false, {}, {}, A, B, C, lda, ldb, ldc, 0, 0, 0}, 1);          \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##P##gemmStridedBatched(                                                 \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,      \
        const T *alpha, const T *A, int lda, long long int strideA, const T *B, int ldb,                     \
        long long int strideB, const T *beta, T *C, int ldc, long long int strideC, int batchCount)          \
    {                                                                                                        \
        return run_product<T>(                                                                               \
            handle, "cublas" #P "gemmStridedBatched", transa, transb, alpha, beta,                           \
            {m, n, k, false, false, {}, {}, A, B, C, lda, ldb, ldc, strideA, strideB, strideC}, batchCount); \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##P##geam(                                                               \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,             \
        const T *alpha, const T *A, int lda, const T *beta, const T *B, int ldb, T *C, int ldc)              \
    {                                                                                                        \
        return run_geam<T>(handle, "cublas" #P "geam", transa, transb, alpha, beta,                          \
                           {m, n, false, false, {}, {}, A, B, C, lda, ldb, ldc});                            \
    }
LEVEL_2_3(S, float)
LEVEL_2_3(D, double)
