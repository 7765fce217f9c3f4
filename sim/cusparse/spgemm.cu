/**
 * @file spgemm.cu
 * @brief cuSPARSE's product of two sparse matrices in CSR (SpGEMM). The product is made by
 * cusparseSpGEMM_compute(), in memory of its own, and copied to C when the program has allocated that.
 */
#include "sparse.h"

#include <cstdio>

struct cusparseSpGEMMDescr {
    int64_t products, *numbers; /* how many; device memory: two results */
    int64_t *offsets, *columns; /* device memory: the product, counted from 0 */
    void *values;
};

namespace
{
using namespace sparse;

template <class T> __global__ void count_products(matrix<T> a, matrix<T> b, int64_t *count)
{
    int64_t all = 0;
    for (i64 i = 0; i < a.nnz; i++)
        all += b.offsets[a.indices[i] + 1] - b.offsets[a.indices[i]];
    *count = all;
}

/* Puts row's columns in order: few of them, as a rule, or many that are nearly in order. */
__device__ void sort(int64_t *columns, i64 n)
{
    for (i64 gap = n / 2; gap > 0; gap /= 2)
        for (i64 i = gap; i < n; i++) {
            const int64_t column = columns[i];
            i64 j = i;
            for (; j >= gap && columns[j - gap] > column; j -= gap)
                columns[j] = columns[j - gap];
            columns[j] = column;
        }
}

/* Row by row: `sum` has a number for each column, `seen` the last row that came there. */
template <class T>
__global__ void multiply(matrix<T> a, matrix<T> b, scalar<T> by, T *sum, int64_t *seen, int64_t *offsets,
                         int64_t *columns, T *values, int64_t *nnz)
{
    const T alpha = by.get();
    for (i64 j = 0; j < b.columns; j++)
        seen[j] = -1;
    int64_t count = 0;
    for (i64 row = 0; row < a.rows; row++) {
        const int64_t first = offsets[row] = count;
        for (i64 i = a.offsets[row]; i < a.offsets[row + 1]; i++) {
            const i64 middle = a.indices[i];
            for (i64 k = b.offsets[middle]; k < b.offsets[middle + 1]; k++) {
                const i64 column = b.indices[k];
                const T product = a.values[i] * b.values[k];
                if (seen[column] != row) {
                    seen[column] = row;
                    columns[count++] = column;
                    sum[column] = product;
                } else {
                    sum[column] += product;
                }
            }
        }
        sort(columns + first, count - first);
        for (int64_t i = first; i < count; i++)
            values[i] = alpha * sum[columns[i]];
    }
    offsets[a.rows] = count;
    *nnz = count;
}

template <class T>
__global__ void copy_product(i64 rows, const int64_t *offsets, const int64_t *columns, const T *values,
                             void *to_offsets, bool wide_offsets, void *to_columns, bool wide_columns,
                             i64 base, T *to)
{
    for (i64 row = 0; row <= rows; row++) {
        if (wide_offsets)
            ((int64_t *)to_offsets)[row] = offsets[row] + base;
        else
            ((int32_t *)to_offsets)[row] = (int32_t)(offsets[row] + base);
    }
    for (i64 i = 0; i < offsets[rows]; i++) {
        if (wide_columns)
            ((int64_t *)to_columns)[i] = columns[i] + base;
        else
            ((int32_t *)to_columns)[i] = (int32_t)(columns[i] + base);
        to[i] = values[i];
    }
}

void forget(cusparseSpGEMMDescr &d)
{
    for (void *p : {(void *)d.offsets, (void *)d.columns, d.values})
        cudaFree(p);
    d.offsets = d.columns = nullptr;
    d.values = nullptr;
}

bool fetch(cusparseHandle_t handle, int64_t *to, const int64_t *from)
{
    return cudaMemcpyAsync(to, from, sizeof *to, cudaMemcpyDeviceToHost, handle->stream) == cudaSuccess &&
           cudaStreamSynchronize(handle->stream) == cudaSuccess;
}

template <class T>
cusparseStatus_t run_count(cusparseHandle_t handle, const cusparseSpMatDescr &a, const cusparseSpMatDescr &b,
                           cusparseSpGEMMDescr &d)
{
    stands_for(a.values, (uint64_t)a.nnz, 0, 0, a.type);
    count_products<<<1, 1, 0, handle->stream>>>(matrix_of<T>(a, CUSPARSE_OPERATION_NON_TRANSPOSE),
                                                matrix_of<T>(b, CUSPARSE_OPERATION_NON_TRANSPOSE), d.numbers);
    return fetch(handle, &d.products, d.numbers) ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
}

template <class T>
cusparseStatus_t run_product(cusparseHandle_t handle, const cusparseSpMatDescr &a,
                             const cusparseSpMatDescr &b, const void *alpha, cusparseSpMatDescr &c,
                             cusparseSpGEMMDescr &d)
{
    const size_t most = (size_t)(d.products > 0 ? d.products : 1),
                 columns = (size_t)(b.columns > 0 ? b.columns : 1);
    T *sum = nullptr;
    int64_t *seen = nullptr;
    forget(d);
    cusparseStatus_t status = CUSPARSE_STATUS_ALLOC_FAILED;
    if (cudaMalloc(&d.offsets, (size_t)(a.rows + 1) * 8) == cudaSuccess &&
        cudaMalloc(&d.columns, most * 8) == cudaSuccess &&
        cudaMalloc(&d.values, most * sizeof(T)) == cudaSuccess &&
        cudaMalloc(&sum, columns * sizeof(T)) == cudaSuccess &&
        cudaMalloc(&seen, columns * 8) == cudaSuccess) {
        stands_for(a.values, (uint64_t)(a.nnz + b.nnz + d.products), 0, 2 * (uint64_t)d.products, a.type);
        multiply<<<1, 1, 0, handle->stream>>>(matrix_of<T>(a, CUSPARSE_OPERATION_NON_TRANSPOSE),
                                              matrix_of<T>(b, CUSPARSE_OPERATION_NON_TRANSPOSE),
                                              scalar_of<T>(handle, alpha), sum, seen, d.offsets, d.columns,
                                              (T *)d.values, d.numbers + 1);
        status =
            fetch(handle, &c.nnz, d.numbers + 1) ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
    }
    cudaFree(sum);
    cudaFree(seen);
    return status;
}

template <class T>
cusparseStatus_t run_copy(cusparseHandle_t handle, const cusparseSpMatDescr &c, const cusparseSpGEMMDescr &d)
{
    stands_for(c.values, 2 * (uint64_t)c.nnz, 0, 0, c.type);
    copy_product<<<1, 1, 0, handle->stream>>>((i64)c.rows, d.offsets, d.columns, (const T *)d.values,
                                              c.offsets, c.offset_type == CUSPARSE_INDEX_64I, c.indices,
                                              c.index_type == CUSPARSE_INDEX_64I, (i64)c.base, (T *)c.values);
    return launched();
}

cusparseStatus_t check(const char *call, cusparseHandle_t handle, cusparseOperation_t op_a,
                       cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t a,
                       cusparseConstSpMatDescr_t b, const void *beta, cusparseConstSpMatDescr_t c,
                       cudaDataType compute, const cusparseSpGEMMDescr *d)
{
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!a || !b || !c || !d || !alpha || !beta || a->columns != b->rows || c->rows != a->rows ||
        c->columns != b->columns)
        return CUSPARSE_STATUS_INVALID_VALUE;
    const size_t bytes = bytes_of(call, a->type);
    const bool csr =
        a->format == CUSPARSE_FORMAT_CSR && b->format == CUSPARSE_FORMAT_CSR && c->format == a->format;
    bool no_beta = handle->pointer_mode == CUSPARSE_POINTER_MODE_HOST;
    for (size_t i = 0; no_beta && i < bytes; i++)
        no_beta = ((const char *)beta)[i] == 0;
    if (!bytes || !csr || !no_beta || op_a != CUSPARSE_OPERATION_NON_TRANSPOSE ||
        op_b != CUSPARSE_OPERATION_NON_TRANSPOSE || b->type != a->type || c->type != a->type ||
        compute != a->type) {
        fprintf(stderr, "%s: matrices are in CSR, of one type, not transposed, and beta is 0, of the host\n",
                call);
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    }
    return reached(call, "matA", *a) && reached(call, "matB", *b) ? CUSPARSE_STATUS_SUCCESS
                                                                  : CUSPARSE_STATUS_EXECUTION_FAILED;
}
} // namespace

extern "C" cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *place)
{
    if (!place)
        return CUSPARSE_STATUS_INVALID_VALUE;
    cusparseSpGEMMDescr *made = new cusparseSpGEMMDescr{-1, nullptr, nullptr, nullptr, nullptr};
    if (cudaMalloc(&made->numbers, 2 * sizeof *made->numbers) != cudaSuccess) {
        delete made;
        return CUSPARSE_STATUS_ALLOC_FAILED;
    }
    *place = made;
    return CUSPARSE_STATUS_SUCCESS;
}

extern "C" cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t it)
{
    if (!it)
        return CUSPARSE_STATUS_SUCCESS;
    forget(*it);
    cudaFree(it->numbers);
    delete it;
    return CUSPARSE_STATUS_SUCCESS;
}

extern "C" cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t it, int64_t *count)
{
    if (!it || !count || it->products < 0)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *count = it->products;
    return CUSPARSE_STATUS_SUCCESS;
}

extern "C" cusparseStatus_t cusparseSpGEMM_workEstimation(cusparseHandle_t handle, cusparseOperation_t opA,
                                                          cusparseOperation_t opB, const void *alpha,
                                                          cusparseConstSpMatDescr_t matA,
                                                          cusparseConstSpMatDescr_t matB, const void *beta,
                                                          cusparseSpMatDescr_t matC, cudaDataType compute,
                                                          cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t it,
                                                          size_t *size, void *buffer)
{
    const cusparseStatus_t status =
        check("cusparseSpGEMM_workEstimation", handle, opA, opB, alpha, matA, matB, beta, matC, compute, it);
    if (status != CUSPARSE_STATUS_SUCCESS || !buffer)
        return status != CUSPARSE_STATUS_SUCCESS ? status : buffer_size(handle, true, size);
    return SPARSE_FOR_TYPE(matA->type, run_count, handle, *matA, *matB, *it);
}

extern "C" cusparseStatus_t
cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                       const void *alpha, cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB,
                       const void *beta, cusparseSpMatDescr_t matC, cudaDataType compute, cusparseSpGEMMAlg_t,
                       cusparseSpGEMMDescr_t it, size_t *size, void *buffer)
{
    static const char call[] = "cusparseSpGEMM_compute";
    const cusparseStatus_t status = check(call, handle, opA, opB, alpha, matA, matB, beta, matC, compute, it);
    if (status != CUSPARSE_STATUS_SUCCESS || !buffer)
        return status != CUSPARSE_STATUS_SUCCESS ? status : buffer_size(handle, true, size);
    if (it->products < 0) {
        fprintf(stderr, "%s: cusparseSpGEMM_workEstimation() with a buffer comes first\n", call);
        return CUSPARSE_STATUS_INVALID_VALUE;
    }
    return SPARSE_FOR_TYPE(matA->type, run_product, handle, *matA, *matB, alpha, *matC, *it);
}

extern "C" cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t opA,
                                                cusparseOperation_t opB, const void *alpha,
                                                cusparseConstSpMatDescr_t matA,
                                                cusparseConstSpMatDescr_t matB, const void *beta,
                                                cusparseSpMatDescr_t matC, cudaDataType compute,
                                                cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t it)
{
    static const char call[] = "cusparseSpGEMM_copy";
    const cusparseStatus_t status = check(call, handle, opA, opB, alpha, matA, matB, beta, matC, compute, it);
    if (status != CUSPARSE_STATUS_SUCCESS)
        return status;
    if (!it->values) {
        fprintf(stderr, "%s: cusparseSpGEMM_compute() with a buffer comes first\n", call);
        return CUSPARSE_STATUS_INVALID_VALUE;
    }
    if (!reached(call, "matC", *matC))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    return SPARSE_FOR_TYPE(matC->type, run_copy, handle, *matC, *it);
}
