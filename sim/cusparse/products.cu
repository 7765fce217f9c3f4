/**
 * @file products.cu
 * @brief cuSPARSE's products: a sparse matrix times a vector or a dense matrix (SpMV, SpMM), and a dense
 * product at the places of a sparse matrix (SDDMM).
 */
#include "sparse.h"

#include <cstdio>

namespace
{
using namespace sparse;

const int ROWS = 64, COLUMNS = 8; /* of a thread */

/* A row at a time: CSR as it is. */
template <class T>
__global__ void sum_rows(matrix<T> a, dense_matrix<T> b, dense_matrix<T> c, scalar<T> by, scalar<T> keep)
{
    const i64 from = (i64)blockIdx.x * ROWS, to = from + ROWS < a.rows ? from + ROWS : a.rows;
    const T alpha = by.get(), beta = keep.get();
    for (i64 row = from; row < to; row++) {
        const i64 first = a.offsets[row], last = a.offsets[row + 1];
        for (i64 j = 0; j < c.columns; j++) {
            T sum = T(0);
            for (i64 i = first; alpha != T(0) && i < last; i++)
                sum += a.value(i) * b.get(a.indices[i], j);
            T &place = c.at(row, j);
            place = beta == T(0) ? alpha * sum : alpha * sum + beta * place;
        }
    }
}

/* An entry at a time, for some columns: COO, and transposed matrices. */
template <class T>
__global__ void scatter_entries(matrix<T> a, dense_matrix<T> b, dense_matrix<T> c, scalar<T> by,
                                scalar<T> keep)
{
    const i64 from = (i64)blockIdx.x * COLUMNS, to = from + COLUMNS < c.columns ? from + COLUMNS : c.columns;
    const T alpha = by.get(), beta = keep.get();
    for (i64 j = from; j < to; j++)
        for (i64 i = 0; i < c.rows; i++)
            c.at(i, j) = beta == T(0) ? T(0) : beta * c.at(i, j);
    for (i64 i = 0, row = 0; alpha != T(0) && i < a.nnz; i++) {
        if (a.by_entries)
            row = a.offsets[i];
        else
            while (a.offsets[row + 1] <= i)
                row++;
        const i64 column = a.indices[i], at = a.turned ? column : row, of = a.turned ? row : column;
        for (i64 j = from; j < to; j++)
            c.at(at, j) += alpha * a.value(i) * b.get(of, j);
    }
}

template <class T>
cusparseStatus_t run_product(cusparseHandle_t handle, const cusparseSpMatDescr &sparse_a,
                             cusparseOperation_t op, dense_matrix<T> b, dense_matrix<T> c, const void *alpha,
                             const void *beta)
{
    const matrix<T> a = matrix_of<T>(sparse_a, op);
    const uint64_t columns = (uint64_t)c.columns;
    if (c.rows == 0 || columns == 0)
        return CUSPARSE_STATUS_SUCCESS;
    stands_for(sparse_a.values ? sparse_a.values : c.p, (uint64_t)a.nnz,
               (uint64_t)(b.rows + c.rows) * columns, 2 * (uint64_t)a.nnz * columns, sparse_a.type);
    const scalar<T> by = scalar_of<T>(handle, alpha), keep = scalar_of<T>(handle, beta);
    if (!a.by_entries && !a.turned)
        sum_rows<<<(unsigned)((a.rows + ROWS - 1) / ROWS), 1, 0, handle->stream>>>(a, b, c, by, keep);
    else
        scatter_entries<<<(unsigned)((c.columns + COLUMNS - 1) / COLUMNS), 1, 0, handle->stream>>>(a, b, c,
                                                                                                   by, keep);
    return launched();
}

bool is_operation(cusparseOperation_t op)
{
    return op == CUSPARSE_OPERATION_NON_TRANSPOSE || op == CUSPARSE_OPERATION_TRANSPOSE ||
           op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
}

/* One type for all: what a line on stderr is for otherwise. */
bool one_type(const char *call, cudaDataType compute, cudaDataType a, cudaDataType b, cudaDataType c)
{
    if (a == b && b == c && c == compute)
        return true;
    fprintf(
        stderr,
        "%s: the matrices and computeType have types %d, %d, %d and %d (cudaDataType): here all are one\n",
        call, a, b, c, compute);
    return false;
}

/* @return whether the host knows that it is 0 */
bool is_zero(cusparseHandle_t handle, const void *p, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE || ((const char *)p)[i])
            return false;
    return true;
}

template <class T>
cusparseStatus_t run_vector(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                            const cusparseSpMatDescr &a, const cusparseDnVecDescr &x, const void *beta,
                            const cusparseDnVecDescr &y)
{
    return run_product(handle, a, op, dense_of<T>(x), dense_of<T>(y), alpha, beta);
}

template <class T>
cusparseStatus_t run_matrix(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                            const void *alpha, const cusparseSpMatDescr &a, const cusparseDnMatDescr &b,
                            const void *beta, const cusparseDnMatDescr &c)
{
    return run_product(handle, a, op_a, dense_of<T>(b, op_b),
                       dense_of<T>(c, CUSPARSE_OPERATION_NON_TRANSPOSE), alpha, beta);
}

/* C's entries: alpha (A B) + beta C there. */
template <class T>
__global__ void sample(matrix<T> c, T *values, dense_matrix<T> a, dense_matrix<T> b, scalar<T> by,
                       scalar<T> keep)
{
    const i64 from = (i64)blockIdx.x * ROWS, to = from + ROWS < c.rows ? from + ROWS : c.rows;
    const T alpha = by.get(), beta = keep.get();
    for (i64 row = from; row < to; row++)
        for (i64 i = c.first(row), last = c.first(row + 1); i < last; i++) {
            const i64 column = c.indices[i], m = c.turned ? column : row, n = c.turned ? row : column;
            T sum = T(0);
            for (i64 k = 0; k < a.columns; k++)
                sum += a.get(m, k) * b.get(k, n);
            values[i] = beta == T(0) ? alpha * sum : alpha * sum + beta * values[i];
        }
}

template <class T>
cusparseStatus_t run_sample(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                            const void *alpha, const cusparseDnMatDescr &a, const cusparseDnMatDescr &b,
                            const void *beta, const cusparseSpMatDescr &c)
{
    const matrix<T> at = matrix_of<T>(c, CUSPARSE_OPERATION_NON_TRANSPOSE);
    const dense_matrix<T> left = dense_of<T>(a, op_a), right = dense_of<T>(b, op_b);
    if (c.nnz == 0)
        return CUSPARSE_STATUS_SUCCESS;
    stands_for(c.values, (uint64_t)c.nnz, (uint64_t)(left.rows * left.columns + right.rows * right.columns),
               2 * (uint64_t)c.nnz * (uint64_t)left.columns, c.type);
    sample<<<(unsigned)((at.rows + ROWS - 1) / ROWS), 1, 0, handle->stream>>>(
        at, (T *)c.values, left, right, scalar_of<T>(handle, alpha), scalar_of<T>(handle, beta));
    return launched();
}

/* Rows and columns of op(matrix). */
template <class D> void sizes(const D &d, cusparseOperation_t op, int64_t *rows, int64_t *columns)
{
    const bool turned = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
    *rows = turned ? d.columns : d.rows;
    *columns = turned ? d.rows : d.columns;
}
} // namespace

extern "C" cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha,
                                         cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX,
                                         const void *beta, cusparseDnVecDescr_t vecY, cudaDataType compute,
                                         cusparseSpMVAlg_t, void *)
{
    static const char call[] = "cusparseSpMV";
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!matA || !vecX || !vecY || !alpha || !beta || !is_operation(opA))
        return CUSPARSE_STATUS_INVALID_VALUE;
    int64_t rows, columns;
    sizes(*matA, opA, &rows, &columns);
    if (vecX->size != columns || vecY->size != rows)
        return CUSPARSE_STATUS_INVALID_VALUE;
    const size_t bytes = bytes_of(call, matA->type);
    if (!bytes || !one_type(call, compute, matA->type, vecX->type, vecY->type))
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    if (!scalar_reached(handle, call, "alpha", alpha, bytes) ||
        !scalar_reached(handle, call, "beta", beta, bytes) ||
        (!is_zero(handle, alpha, bytes) &&
         (!reached(call, "matA", *matA) || !reached(call, "vecX", *vecX))) ||
        !reached(call, "vecY", *vecY))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    return SPARSE_FOR_TYPE(matA->type, run_vector, handle, opA, alpha, *matA, *vecX, beta, *vecY);
}

extern "C" cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t opA,
                                         cusparseOperation_t opB, const void *alpha,
                                         cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB,
                                         const void *beta, cusparseDnMatDescr_t matC, cudaDataType compute,
                                         cusparseSpMMAlg_t, void *)
{
    static const char call[] = "cusparseSpMM";
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!matA || !matB || !matC || !alpha || !beta || !is_operation(opA) || !is_operation(opB))
        return CUSPARSE_STATUS_INVALID_VALUE;
    int64_t m, k, k_of_b, n;
    sizes(*matA, opA, &m, &k);
    sizes(*matB, opB, &k_of_b, &n);
    if (k != k_of_b || matC->rows != m || matC->columns != n)
        return CUSPARSE_STATUS_INVALID_VALUE;
    const size_t bytes = bytes_of(call, matA->type);
    if (!bytes || !one_type(call, compute, matA->type, matB->type, matC->type))
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    if (!scalar_reached(handle, call, "alpha", alpha, bytes) ||
        !scalar_reached(handle, call, "beta", beta, bytes) ||
        (!is_zero(handle, alpha, bytes) &&
         (!reached(call, "matA", *matA) || !reached(call, "matB", *matB))) ||
        !reached(call, "matC", *matC))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    return SPARSE_FOR_TYPE(matA->type, run_matrix, handle, opA, opB, alpha, *matA, *matB, beta, *matC);
}

extern "C" cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t opA,
                                          cusparseOperation_t opB, const void *alpha,
                                          cusparseConstDnMatDescr_t matA, cusparseConstDnMatDescr_t matB,
                                          const void *beta, cusparseSpMatDescr_t matC, cudaDataType compute,
                                          cusparseSDDMMAlg_t, void *)
{
    static const char call[] = "cusparseSDDMM";
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!matA || !matB || !matC || !alpha || !beta || !is_operation(opA) || !is_operation(opB))
        return CUSPARSE_STATUS_INVALID_VALUE;
    int64_t m, k, k_of_b, n;
    sizes(*matA, opA, &m, &k);
    sizes(*matB, opB, &k_of_b, &n);
    if (k != k_of_b || matC->rows != m || matC->columns != n)
        return CUSPARSE_STATUS_INVALID_VALUE;
    const size_t bytes = bytes_of(call, matC->type);
    if (!bytes || !one_type(call, compute, matA->type, matB->type, matC->type))
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    if (!scalar_reached(handle, call, "alpha", alpha, bytes) ||
        !scalar_reached(handle, call, "beta", beta, bytes) || !reached(call, "matA", *matA) ||
        !reached(call, "matB", *matB) || !reached(call, "matC", *matC))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    return SPARSE_FOR_TYPE(matC->type, run_sample, handle, opA, opB, alpha, *matA, *matB, beta, *matC);
}

/* What is asked of a buffer, and what is done before a product: nothing. */
#define AROUND(call, Alg, ...)                                                                               \
    extern "C" cusparseStatus_t cusparse##call##_bufferSize(cusparseHandle_t handle, __VA_ARGS__, Alg,       \
                                                            size_t *size)                                    \
    {                                                                                                        \
        return buffer_size(handle, true, size);                                                              \
    }                                                                                                        \
    extern "C" cusparseStatus_t cusparse##call##_preprocess(cusparseHandle_t handle, __VA_ARGS__, Alg,       \
                                                            void *)                                          \
    {                                                                                                        \
        return handle ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_INITIALIZED;                           \
    }
AROUND(SpMV, cusparseSpMVAlg_t, cusparseOperation_t, const void *, cusparseConstSpMatDescr_t,
       cusparseConstDnVecDescr_t, const void *, cusparseDnVecDescr_t, cudaDataType)
AROUND(SpMM, cusparseSpMMAlg_t, cusparseOperation_t, cusparseOperation_t, const void *,
       cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t, const void *, cusparseDnMatDescr_t, cudaDataType)
AROUND(SDDMM, cusparseSDDMMAlg_t, cusparseOperation_t, cusparseOperation_t, const void *,
       cusparseConstDnMatDescr_t, cusparseConstDnMatDescr_t, const void *, cusparseSpMatDescr_t, cudaDataType)
