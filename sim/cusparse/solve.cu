/**
 * @file solve.cu
 * @brief cuSPARSE's triangular systems with one right side (SpSV) or many (SpSM). Of a matrix the triangle
 * that its attributes name is read; entries on the other side are passed over.
 */
#include "sparse.h"

#include <cstdio>

struct cusparseSpSVDescr {
    bool analysed;
};
struct cusparseSpSMDescr {
    bool analysed;
};

namespace
{
using namespace sparse;

const int COLUMNS = 4; /* right sides of a thread */

/* By rows where the matrix is as it is stored, else by columns: an unknown that is known goes out of the
 * others. */
template <class T> __global__ void substitute(matrix<T> a, dense_matrix<T> b, dense_matrix<T> x, scalar<T> by)
{
    const i64 from = (i64)blockIdx.x * COLUMNS, to = from + COLUMNS < x.columns ? from + COLUMNS : x.columns,
              n = a.rows;
    const T alpha = by.get();
    for (i64 j = from; j < to; j++)
        for (i64 i = 0; i < n; i++)
            x.at(i, j) = alpha * b.get(i, j);
    const bool forward = a.upper == a.turned;
    for (i64 k = 0; k < n; k++) {
        const i64 row = forward ? k : n - 1 - k, first = a.first(row), last = a.first(row + 1);
        T diagonal = T(a.unit ? 1 : 0);
        for (i64 i = first; !a.unit && i < last; i++)
            if (a.indices[i] == row)
                diagonal = a.value(i);
        for (i64 j = from; a.turned && j < to; j++)
            x.at(row, j) = x.at(row, j) / diagonal;
        for (i64 i = first; i < last; i++) {
            const i64 column = a.indices[i];
            if (column == row || (column > row) != a.upper)
                continue;
            for (i64 j = from; j < to; j++) {
                if (a.turned)
                    x.at(column, j) -= a.value(i) * x.at(row, j);
                else
                    x.at(row, j) -= a.value(i) * x.at(column, j);
            }
        }
        for (i64 j = from; !a.turned && j < to; j++)
            x.at(row, j) = x.at(row, j) / diagonal;
    }
}

template <class T>
cusparseStatus_t run(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                     const cusparseSpMatDescr &a, dense_matrix<T> b, dense_matrix<T> x)
{
    const uint64_t columns = (uint64_t)x.columns;
    if (x.rows == 0 || columns == 0)
        return CUSPARSE_STATUS_SUCCESS;
    stands_for(a.values, (uint64_t)a.nnz, 2 * (uint64_t)x.rows * columns, 2 * (uint64_t)a.nnz * columns,
               a.type);
    substitute<<<(unsigned)((x.columns + COLUMNS - 1) / COLUMNS), 1, 0, handle->stream>>>(
        matrix_of<T>(a, op), b, x, scalar_of<T>(handle, alpha));
    return launched();
}

template <class T>
cusparseStatus_t run_vector(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                            const cusparseSpMatDescr &a, const cusparseDnVecDescr &x,
                            const cusparseDnVecDescr &y)
{
    return run(handle, op, alpha, a, dense_of<T>(x), dense_of<T>(y));
}

template <class T>
cusparseStatus_t run_matrix(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                            const void *alpha, const cusparseSpMatDescr &a, const cusparseDnMatDescr &b,
                            const cusparseDnMatDescr &c)
{
    return run(handle, op_a, alpha, a, dense_of<T>(b, op_b),
               dense_of<T>(c, CUSPARSE_OPERATION_NON_TRANSPOSE));
}

cusparseStatus_t check(const char *call, cusparseHandle_t handle, bool analysed, const void *alpha,
                       const cusparseSpMatDescr &a, cudaDataType compute, cudaDataType b, cudaDataType c)
{
    if (!analysed) {
        fprintf(stderr, "%s: %.12s_analysis() comes first\n", call, call);
        return CUSPARSE_STATUS_INVALID_VALUE;
    }
    const size_t bytes = bytes_of(call, a.type);
    if (!bytes || b != a.type || c != a.type || compute != a.type)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    return scalar_reached(handle, call, "alpha", alpha, bytes) && reached(call, "matA", a)
               ? CUSPARSE_STATUS_SUCCESS
               : CUSPARSE_STATUS_EXECUTION_FAILED;
}
} // namespace

#define DESCRIPTOR(name)                                                                                     \
    extern "C" cusparseStatus_t cusparse##name##_createDescr(cusparse##name##Descr_t *place)                 \
    {                                                                                                        \
        if (!place)                                                                                          \
            return CUSPARSE_STATUS_INVALID_VALUE;                                                            \
        *place = new cusparse##name##Descr{false};                                                           \
        return CUSPARSE_STATUS_SUCCESS;                                                                      \
    }                                                                                                        \
    extern "C" cusparseStatus_t cusparse##name##_destroyDescr(cusparse##name##Descr_t it)                    \
    {                                                                                                        \
        delete it;                                                                                           \
        return CUSPARSE_STATUS_SUCCESS;                                                                      \
    }
#define BEFORE(name, ...)                                                                                    \
    DESCRIPTOR(name)                                                                                         \
    extern "C" cusparseStatus_t cusparse##name##_bufferSize(cusparseHandle_t handle, __VA_ARGS__,            \
                                                            cusparse##name##Alg_t,                           \
                                                            cusparse##name##Descr_t it, size_t *size)        \
    {                                                                                                        \
        return buffer_size(handle, it != nullptr, size);                                                     \
    }                                                                                                        \
    extern "C" cusparseStatus_t cusparse##name##_analysis(                                                   \
        cusparseHandle_t handle, __VA_ARGS__, cusparse##name##Alg_t, cusparse##name##Descr_t it, void *)     \
    {                                                                                                        \
        if (!handle)                                                                                         \
            return CUSPARSE_STATUS_NOT_INITIALIZED;                                                          \
        if (!it)                                                                                             \
            return CUSPARSE_STATUS_INVALID_VALUE;                                                            \
        it->analysed = true;                                                                                 \
        return CUSPARSE_STATUS_SUCCESS;                                                                      \
    }
BEFORE(SpSV, cusparseOperation_t, const void *, cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
       cusparseDnVecDescr_t, cudaDataType)
BEFORE(SpSM, cusparseOperation_t, cusparseOperation_t, const void *, cusparseConstSpMatDescr_t,
       cusparseConstDnMatDescr_t, cusparseDnMatDescr_t, cudaDataType)

extern "C" cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t opA,
                                               const void *alpha, cusparseConstSpMatDescr_t matA,
                                               cusparseConstDnVecDescr_t vecX, cusparseDnVecDescr_t vecY,
                                               cudaDataType compute, cusparseSpSVAlg_t,
                                               cusparseSpSVDescr_t descr)
{
    static const char call[] = "cusparseSpSV_solve";
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!matA || !vecX || !vecY || !alpha || !descr || matA->rows != matA->columns ||
        vecX->size != matA->rows || vecY->size != matA->rows)
        return CUSPARSE_STATUS_INVALID_VALUE;
    const cusparseStatus_t status =
        check(call, handle, descr->analysed, alpha, *matA, compute, vecX->type, vecY->type);
    if (status != CUSPARSE_STATUS_SUCCESS)
        return status;
    if (!reached(call, "vecX", *vecX) || !reached(call, "vecY", *vecY))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    return SPARSE_FOR_TYPE(matA->type, run_vector, handle, opA, alpha, *matA, *vecX, *vecY);
}

extern "C" cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t opA,
                                               cusparseOperation_t opB, const void *alpha,
                                               cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB,
                                               cusparseDnMatDescr_t matC, cudaDataType compute,
                                               cusparseSpSMAlg_t, cusparseSpSMDescr_t descr)
{
    static const char call[] = "cusparseSpSM_solve";
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!matA || !matB || !matC || !alpha || !descr || matA->rows != matA->columns)
        return CUSPARSE_STATUS_INVALID_VALUE;
    const bool turned = opB != CUSPARSE_OPERATION_NON_TRANSPOSE;
    if ((turned ? matB->columns : matB->rows) != matA->rows || matC->rows != matA->rows ||
        (turned ? matB->rows : matB->columns) != matC->columns)
        return CUSPARSE_STATUS_INVALID_VALUE;
    const cusparseStatus_t status =
        check(call, handle, descr->analysed, alpha, *matA, compute, matB->type, matC->type);
    if (status != CUSPARSE_STATUS_SUCCESS)
        return status;
    if (!reached(call, "matB", *matB) || !reached(call, "matC", *matC))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    return SPARSE_FOR_TYPE(matA->type, run_matrix, handle, opA, opB, alpha, *matA, *matB, *matC);
}
