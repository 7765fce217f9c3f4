/**
 * @file convert.cu
 * @brief cuSPARSE's conversions between sparse forms and dense matrices, and its operations on sparse
 * vectors.
 */
#include "sparse.h"

namespace
{
using namespace sparse;

/* An index that is written. */
struct index_out {
    void *p;
    bool wide;
    i64 base;
    __device__ void set(i64 i, i64 value) const
    {
        if (wide)
            ((int64_t *)p)[i] = value + base;
        else
            ((int32_t *)p)[i] = (int32_t)(value + base);
    }
};
index_out out_of(void *p, cusparseIndexType_t type, cusparseIndexBase_t base)
{
    return {p, type == CUSPARSE_INDEX_64I, base};
}

/* ---- dense and sparse ---- */

template <class T> __global__ void fill_dense(matrix<T> a, dense_matrix<T> b)
{
    for (i64 i = 0; i < b.rows; i++)
        for (i64 j = 0; j < b.columns; j++)
            b.at(i, j) = T(0);
    for (i64 i = 0, row = 0; i < a.nnz; i++) {
        if (a.by_entries)
            row = a.offsets[i];
        else
            while (a.offsets[row + 1] <= i)
                row++;
        const i64 column = a.indices[i];
        b.at(a.turned ? column : row, a.turned ? row : column) = a.values[i];
    }
}

template <class T>
cusparseStatus_t run_to_dense(cusparseHandle_t handle, const cusparseSpMatDescr &a,
                              const cusparseDnMatDescr &b)
{
    stands_for(b.values, (uint64_t)a.nnz, (uint64_t)(b.rows * b.columns), (uint64_t)a.nnz, a.type);
    fill_dense<<<1, 1, 0, handle->stream>>>(matrix_of<T>(a, CUSPARSE_OPERATION_NON_TRANSPOSE),
                                            dense_of<T>(b, CUSPARSE_OPERATION_NON_TRANSPOSE));
    return launched();
}

/* Lines are rows, of CSC columns. Counts of entries, added up, go to `offsets` (COO has none); the sum to
 * `total`. */
template <class T>
__global__ void count_entries(dense_matrix<T> a, bool by_columns, bool has_offsets, index_out offsets,
                              int64_t *total)
{
    i64 count = 0;
    const i64 lines = by_columns ? a.columns : a.rows, length = by_columns ? a.rows : a.columns;
    for (i64 line = 0; line < lines; line++) {
        if (has_offsets)
            offsets.set(line, count);
        for (i64 i = 0; i < length; i++)
            count += (by_columns ? a.at(i, line) : a.at(line, i)) != T(0);
    }
    if (has_offsets)
        offsets.set(lines, count);
    *total = count;
}

template <class T>
__global__ void collect_entries(dense_matrix<T> a, bool by_columns, bool by_entries, index_out first,
                                index_out second, T *values)
{
    i64 count = 0;
    const i64 lines = by_columns ? a.columns : a.rows, length = by_columns ? a.rows : a.columns;
    for (i64 line = 0; line < lines; line++)
        for (i64 i = 0; i < length; i++) {
            const T value = by_columns ? a.at(i, line) : a.at(line, i);
            if (value == T(0))
                continue;
            if (by_entries)
                first.set(count, line);
            second.set(count, i);
            values[count++] = value;
        }
}

template <class T>
cusparseStatus_t run_count(cusparseHandle_t handle, const cusparseDnMatDescr &a, cusparseSpMatDescr &b)
{
    int64_t *total, nnz = 0;
    if (cudaMalloc(&total, sizeof *total) != cudaSuccess)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    stands_for(a.values, 0, (uint64_t)(a.rows * a.columns), 0, a.type);
    count_entries<<<1, 1, 0, handle->stream>>>(
        dense_of<T>(a, CUSPARSE_OPERATION_NON_TRANSPOSE), b.format == CUSPARSE_FORMAT_CSC,
        b.format != CUSPARSE_FORMAT_COO, out_of(b.offsets, b.offset_type, b.base), total);
    const bool done =
        cudaMemcpyAsync(&nnz, total, sizeof nnz, cudaMemcpyDeviceToHost, handle->stream) == cudaSuccess &&
        cudaStreamSynchronize(handle->stream) == cudaSuccess;
    cudaFree(total);
    b.nnz = nnz;
    return done ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
}

template <class T>
cusparseStatus_t run_collect(cusparseHandle_t handle, const cusparseDnMatDescr &a,
                             const cusparseSpMatDescr &b)
{
    stands_for(a.values, (uint64_t)b.nnz, (uint64_t)(a.rows * a.columns), 0, a.type);
    collect_entries<<<1, 1, 0, handle->stream>>>(
        dense_of<T>(a, CUSPARSE_OPERATION_NON_TRANSPOSE), b.format == CUSPARSE_FORMAT_CSC,
        b.format == CUSPARSE_FORMAT_COO, out_of(b.offsets, b.offset_type, b.base),
        out_of(b.indices, b.index_type, b.base), (T *)b.values);
    return launched();
}

/* ---- CSR, CSC, COO with indices of 32 bits ---- */

/* The size of an element is all that has to be known of it. */
__global__ void transpose_csr(i64 m, i64 n, i64 base, const char *values, const int *offsets,
                              const int *columns, char *new_values, int *new_offsets, int *rows, int size)
{
    for (i64 j = 0; j <= n; j++)
        new_offsets[j] = 0;
    const i64 nnz = offsets[m] - base;
    for (i64 i = 0; i < nnz; i++)
        new_offsets[columns[i] - base + 1]++;
    for (i64 j = 0; j < n; j++)
        new_offsets[j + 1] += new_offsets[j];
    for (i64 row = 0; row < m; row++)
        for (i64 i = offsets[row] - base; i < offsets[row + 1] - base; i++) {
            const i64 to = new_offsets[columns[i] - base]++;
            rows[to] = (int)(row + base);
            for (int k = 0; k < size; k++)
                new_values[to * size + k] = values[i * size + k];
        }
    for (i64 j = n; j > 0; j--)
        new_offsets[j] = (int)(new_offsets[j - 1] + base);
    new_offsets[0] = (int)base;
}

__global__ void compress(const int *rows, i64 nnz, i64 m, int *offsets, int base)
{
    i64 i = 0;
    for (i64 row = 0; row <= m; row++) {
        while (i < nnz && rows[i] - base < row)
            i++;
        offsets[row] = (int)(i + base);
    }
}

__global__ void expand(const int *offsets, i64 m, int *rows, int base)
{
    for (i64 row = 0; row < m; row++)
        for (i64 i = offsets[row] - base; i < offsets[row + 1] - base; i++)
            rows[i] = (int)(row + base);
}

/* ---- sparse vectors ---- */

template <class T> struct sparse_vector {
    i64 nnz;
    index_array at;
    T *values;
};
template <class T> sparse_vector<T> vector_of(const cusparseSpVecDescr &v)
{
    return {v.nnz, {v.indices, v.index_type == CUSPARSE_INDEX_64I, v.base}, (T *)v.values};
}

template <class T> __global__ void gather(sparse_vector<T> x, const T *y)
{
    for (i64 i = 0; i < x.nnz; i++)
        x.values[i] = y[x.at[i]];
}
template <class T> __global__ void scatter(sparse_vector<T> x, T *y)
{
    for (i64 i = 0; i < x.nnz; i++)
        y[x.at[i]] = x.values[i];
}
template <class T> __global__ void add(sparse_vector<T> x, T *y, i64 size, scalar<T> by, scalar<T> keep)
{
    const T alpha = by.get(), beta = keep.get();
    for (i64 i = 0; i < size; i++)
        y[i] = beta == T(0) ? T(0) : beta * y[i];
    for (i64 i = 0; i < x.nnz; i++)
        y[x.at[i]] += alpha * x.values[i];
}
template <class T> __global__ void multiply(sparse_vector<T> x, const T *y, bool conjugated, T *result)
{
    T sum = T(0);
    for (i64 i = 0; i < x.nnz; i++)
        sum += (conjugated ? conjugate(x.values[i]) : x.values[i]) * y[x.at[i]];
    *result = sum;
}

enum vector_call { GATHER, SCATTER, ADD };

template <class T>
cusparseStatus_t run_vector(cusparseHandle_t handle, vector_call what, const cusparseSpVecDescr &x,
                            const cusparseDnVecDescr &y, const void *alpha, const void *beta)
{
    stands_for(y.values, (uint64_t)x.nnz, what == ADD ? (uint64_t)y.size : (uint64_t)x.nnz,
               2 * (uint64_t)x.nnz, x.type);
    const sparse_vector<T> of_x = vector_of<T>(x);
    T *of_y = (T *)y.values;
    if (what == GATHER)
        gather<<<1, 1, 0, handle->stream>>>(of_x, (const T *)of_y);
    else if (what == SCATTER)
        scatter<<<1, 1, 0, handle->stream>>>(of_x, of_y);
    else
        add<<<1, 1, 0, handle->stream>>>(of_x, of_y, (i64)y.size, scalar_of<T>(handle, alpha),
                                         scalar_of<T>(handle, beta));
    return launched();
}

template <class T>
cusparseStatus_t run_dot(cusparseHandle_t handle, bool conjugated, const cusparseSpVecDescr &x,
                         const cusparseDnVecDescr &y, void *result)
{
    T *place = (T *)result;
    const bool on_host = handle->pointer_mode == CUSPARSE_POINTER_MODE_HOST;
    if (on_host && cudaMalloc(&place, sizeof(T)) != cudaSuccess)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    stands_for(y.values, (uint64_t)x.nnz, (uint64_t)x.nnz, 2 * (uint64_t)x.nnz, x.type);
    multiply<<<1, 1, 0, handle->stream>>>(vector_of<T>(x), (const T *)y.values, conjugated, place);
    if (!on_host)
        return launched();
    const bool done =
        cudaMemcpyAsync(result, place, sizeof(T), cudaMemcpyDeviceToHost, handle->stream) == cudaSuccess &&
        cudaStreamSynchronize(handle->stream) == cudaSuccess;
    cudaFree(place);
    return done ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
}

cusparseStatus_t check_vectors(const char *call, cusparseHandle_t handle, cusparseConstSpVecDescr_t x,
                               cusparseConstDnVecDescr_t y)
{
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!x || !y || x->size != y->size)
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (!bytes_of(call, x->type) || x->type != y->type)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    return reached(call, "vecX", *x) && reached(call, "vecY", *y) ? CUSPARSE_STATUS_SUCCESS
                                                                  : CUSPARSE_STATUS_EXECUTION_FAILED;
}

cusparseStatus_t check_dense(const char *call, cusparseHandle_t handle, cusparseConstSpMatDescr_t a,
                             cusparseConstDnMatDescr_t b)
{
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!a || !b || a->rows != b->rows || a->columns != b->columns)
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (!bytes_of(call, a->type) || a->type != b->type)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    return reached(call, "the dense matrix", *b) ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
}
} // namespace

extern "C" cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t matA,
                                                  cusparseDnMatDescr_t matB, cusparseSparseToDenseAlg_t,
                                                  void *)
{
    const cusparseStatus_t status = check_dense("cusparseSparseToDense", handle, matA, matB);
    if (status != CUSPARSE_STATUS_SUCCESS)
        return status;
    if (!reached("cusparseSparseToDense", "matA", *matA))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    return SPARSE_FOR_TYPE(matA->type, run_to_dense, handle, *matA, *matB);
}

extern "C" cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle,
                                                             cusparseConstSpMatDescr_t matA,
                                                             cusparseDnMatDescr_t matB,
                                                             cusparseSparseToDenseAlg_t, size_t *size)
{
    return buffer_size(handle, matA && matB, size);
}

extern "C" cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle,
                                                             cusparseConstDnMatDescr_t matA,
                                                             cusparseSpMatDescr_t matB,
                                                             cusparseDenseToSparseAlg_t, size_t *size)
{
    return buffer_size(handle, matA && matB, size);
}

extern "C" cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle,
                                                           cusparseConstDnMatDescr_t matA,
                                                           cusparseSpMatDescr_t matB,
                                                           cusparseDenseToSparseAlg_t, void *)
{
    static const char call[] = "cusparseDenseToSparse_analysis";
    const cusparseStatus_t status = check_dense(call, handle, matB, matA);
    if (status != CUSPARSE_STATUS_SUCCESS)
        return status;
    if (matB->format != CUSPARSE_FORMAT_COO && !reached(call, "matB", *matB, false))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    return SPARSE_FOR_TYPE(matA->type, run_count, handle, *matA, *matB);
}

extern "C" cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle,
                                                          cusparseConstDnMatDescr_t matA,
                                                          cusparseSpMatDescr_t matB,
                                                          cusparseDenseToSparseAlg_t, void *)
{
    static const char call[] = "cusparseDenseToSparse_convert";
    const cusparseStatus_t status = check_dense(call, handle, matB, matA);
    if (status != CUSPARSE_STATUS_SUCCESS)
        return status;
    if (!reached(call, "matB", *matB))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    return SPARSE_FOR_TYPE(matA->type, run_collect, handle, *matA, *matB);
}

extern "C" cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int m, int n, int nnz,
                                                          const void *, const int *, const int *, void *,
                                                          int *, int *, cudaDataType, cusparseAction_t,
                                                          cusparseIndexBase_t, cusparseCsr2CscAlg_t,
                                                          size_t *size)
{
    return buffer_size(handle, m >= 0 && n >= 0 && nnz >= 0, size);
}

extern "C" cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nnz,
                                               const void *values, const int *offsets, const int *columns,
                                               void *new_values, int *new_offsets, int *rows,
                                               cudaDataType type, cusparseAction_t action,
                                               cusparseIndexBase_t base, cusparseCsr2CscAlg_t, void *)
{
    static const char call[] = "cusparseCsr2cscEx2";
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (m < 0 || n < 0 || nnz < 0)
        return CUSPARSE_STATUS_INVALID_VALUE;
    const size_t bytes = bytes_of(call, type);
    if (!bytes)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    const uint64_t count = (uint64_t)nnz;
    const bool numbers = action == CUSPARSE_ACTION_NUMERIC;
    if (!umsim_reaches(call, "csrRowPtr", offsets, (uint64_t)m + 1, 4) ||
        !umsim_reaches(call, "csrColInd", columns, count, 4) ||
        !umsim_reaches(call, "cscColPtr", new_offsets, (uint64_t)n + 1, 4) ||
        !umsim_reaches(call, "cscRowInd", rows, count, 4) ||
        (numbers && (!umsim_reaches(call, "csrVal", values, count, bytes) ||
                     !umsim_reaches(call, "cscVal", new_values, count, bytes))))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    stands_for(offsets, 2 * count, 0, 0, type);
    transpose_csr<<<1, 1, 0, handle->stream>>>(m, n, base, (const char *)values, offsets, columns,
                                               (char *)new_values, new_offsets, rows,
                                               numbers ? (int)bytes : 0);
    return launched();
}

extern "C" cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *rows, int nnz, int m,
                                             int *offsets, cusparseIndexBase_t base)
{
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (nnz < 0 || m < 0)
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (!umsim_reaches("cusparseXcoo2csr", "cooRowInd", rows, (uint64_t)nnz, 4) ||
        !umsim_reaches("cusparseXcoo2csr", "csrSortedRowPtr", offsets, (uint64_t)m + 1, 4))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    stands_for(offsets, (uint64_t)nnz, (uint64_t)m, 0, CUDA_R_32F);
    compress<<<1, 1, 0, handle->stream>>>(rows, nnz, m, offsets, base);
    return launched();
}

extern "C" cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int *offsets, int nnz, int m,
                                             int *rows, cusparseIndexBase_t base)
{
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (nnz < 0 || m < 0)
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (!umsim_reaches("cusparseXcsr2coo", "csrSortedRowPtr", offsets, (uint64_t)m + 1, 4) ||
        !umsim_reaches("cusparseXcsr2coo", "cooRowInd", rows, (uint64_t)nnz, 4))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    stands_for(offsets, (uint64_t)nnz, (uint64_t)m, 0, CUDA_R_32F);
    expand<<<1, 1, 0, handle->stream>>>(offsets, m, rows, base);
    return launched();
}

extern "C" cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t vecY,
                                           cusparseSpVecDescr_t vecX)
{
    const cusparseStatus_t status = check_vectors("cusparseGather", handle, vecX, vecY);
    return status != CUSPARSE_STATUS_SUCCESS
               ? status
               : SPARSE_FOR_TYPE(vecX->type, run_vector, handle, GATHER, *vecX, *vecY, nullptr, nullptr);
}

extern "C" cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t vecX,
                                            cusparseDnVecDescr_t vecY)
{
    const cusparseStatus_t status = check_vectors("cusparseScatter", handle, vecX, vecY);
    return status != CUSPARSE_STATUS_SUCCESS
               ? status
               : SPARSE_FOR_TYPE(vecX->type, run_vector, handle, SCATTER, *vecX, *vecY, nullptr, nullptr);
}

extern "C" cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void *alpha,
                                          cusparseConstSpVecDescr_t vecX, const void *beta,
                                          cusparseDnVecDescr_t vecY)
{
    const cusparseStatus_t status = check_vectors("cusparseAxpby", handle, vecX, vecY);
    if (status != CUSPARSE_STATUS_SUCCESS)
        return status;
    const size_t bytes = bytes_of("cusparseAxpby", vecX->type);
    if (!alpha || !beta)
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (!scalar_reached(handle, "cusparseAxpby", "alpha", alpha, bytes) ||
        !scalar_reached(handle, "cusparseAxpby", "beta", beta, bytes))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    return SPARSE_FOR_TYPE(vecX->type, run_vector, handle, ADD, *vecX, *vecY, alpha, beta);
}

extern "C" cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t,
                                                    cusparseConstSpVecDescr_t vecX,
                                                    cusparseConstDnVecDescr_t vecY, const void *,
                                                    cudaDataType, size_t *size)
{
    return buffer_size(handle, vecX && vecY, size);
}

extern "C" cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t opX,
                                         cusparseConstSpVecDescr_t vecX, cusparseConstDnVecDescr_t vecY,
                                         void *result, cudaDataType compute, void *)
{
    const cusparseStatus_t status = check_vectors("cusparseSpVV", handle, vecX, vecY);
    if (status != CUSPARSE_STATUS_SUCCESS)
        return status;
    if (!result || compute != vecX->type)
        return result ? CUSPARSE_STATUS_NOT_SUPPORTED : CUSPARSE_STATUS_INVALID_VALUE;
    if (!scalar_reached(handle, "cusparseSpVV", "result", result, bytes_of("cusparseSpVV", compute)))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    return SPARSE_FOR_TYPE(vecX->type, run_dot, handle, opX == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, *vecX,
                           *vecY, result);
}
