/**
 * @file sparse.h
 * @brief What the files of the simulator's cuSPARSE share: descriptors, the checks of their arrays before a
 * kernel starts, and how kernels read them.
 *
 * A descriptor is plain data, which a kernel gets by value. CSC is CSR of the transposed matrix, so kernels
 * know only CSR and COO, as they are or transposed. Where a row at a time can be summed, threads have rows;
 * where entries go to many places, a thread has columns of the dense matrix, so that no two threads write to
 * one place.
 */
#ifndef UMSIM_SPARSE_H
#define UMSIM_SPARSE_H

#include "../cublas/number.h"
#include "../library/arrays.h"

#include <cusparse.h>
#include <umsim.h>
#include <umsim/reach.h>

struct cusparseContext {
    cudaStream_t stream;
    cusparsePointerMode_t pointer_mode;
};

struct cusparseMatDescr {
    cusparseMatrixType_t type;
    cusparseFillMode_t fill;
    cusparseDiagType_t diagonal;
    cusparseIndexBase_t base;
};

struct cusparseSpVecDescr {
    int64_t size, nnz;
    void *indices, *values;
    cusparseIndexType_t index_type;
    cusparseIndexBase_t base;
    cudaDataType type;
};

struct cusparseDnVecDescr {
    int64_t size;
    void *values;
    cudaDataType type;
};

struct cusparseSpMatDescr {
    cusparseFormat_t format;
    int64_t rows, columns, nnz;
    void *offsets, *indices,
        *values; /* CSR, CSC: of rows (columns), then columns (rows); COO: both indices */
    cusparseIndexType_t offset_type, index_type;
    cusparseIndexBase_t base;
    cudaDataType type;
    cusparseFillMode_t fill;
    cusparseDiagType_t diagonal;
};

struct cusparseDnMatDescr {
    int64_t rows, columns, leading;
    void *values;
    cudaDataType type;
    cusparseOrder_t order;
};

namespace sparse
{
using namespace blas;

/** An index of either width, counted from 0. */
struct index_array {
    const void *p;
    bool wide;
    i64 base;
    __device__ i64 operator[](i64 i) const
    {
        return (wide ? ((const int64_t *)p)[i] : (i64)((const int32_t *)p)[i]) - base;
    }
};

/** A matrix as kernels see it: `turned` where what is stored is its transpose. */
template <class T> struct matrix {
    i64 rows, columns, nnz; /* of what is stored */
    index_array offsets, indices;
    const T *values;
    bool by_entries; /* COO: `offsets` are rows */
    bool turned, conjugated;
    bool upper, unit; /* for a triangular solve, of what is stored */
    __device__ T value(i64 i) const
    {
        return conjugated ? conjugate(values[i]) : values[i];
    }
    /** The first entry of a row, or, of row + 1, the one behind the last. COO is sorted by rows. */
    __device__ i64 first(i64 row) const
    {
        if (!by_entries)
            return offsets[row];
        i64 from = 0, to = nnz;
        while (from < to) {
            const i64 middle = from + (to - from) / 2;
            if (offsets[middle] < row)
                from = middle + 1;
            else
                to = middle;
        }
        return from;
    }
};

/** op(dense matrix), or a vector. */
template <class T> struct dense_matrix {
    i64 rows, columns, row_step, column_step;
    T *p;
    bool conjugated;
    __device__ T &at(i64 i, i64 j) const
    {
        return p[i * row_step + j * column_step];
    }
    __device__ T get(i64 i, i64 j) const
    {
        return conjugated ? conjugate(at(i, j)) : at(i, j);
    }
};

template <class T> matrix<T> matrix_of(const cusparseSpMatDescr &m, cusparseOperation_t op)
{
    const bool csc = m.format == CUSPARSE_FORMAT_CSC,
               turned = (op != CUSPARSE_OPERATION_NON_TRANSPOSE) != csc;
    const bool upper = (m.fill == CUSPARSE_FILL_MODE_UPPER) != csc;
    return {csc ? m.columns : m.rows,
            csc ? m.rows : m.columns,
            m.nnz,
            {m.offsets, m.offset_type == CUSPARSE_INDEX_64I, m.base},
            {m.indices, m.index_type == CUSPARSE_INDEX_64I, m.base},
            (const T *)m.values,
            m.format == CUSPARSE_FORMAT_COO,
            turned,
            op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE,
            upper,
            m.diagonal == CUSPARSE_DIAG_TYPE_UNIT};
}

template <class T> dense_matrix<T> dense_of(const cusparseDnMatDescr &m, cusparseOperation_t op)
{
    const i64 row = m.order == CUSPARSE_ORDER_COL ? 1 : m.leading,
              column = m.order == CUSPARSE_ORDER_COL ? m.leading : 1;
    return op == CUSPARSE_OPERATION_NON_TRANSPOSE
               ? dense_matrix<T>{m.rows, m.columns, row, column, (T *)m.values, false}
               : dense_matrix<T>{m.columns, m.rows,        column,
                                 row,       (T *)m.values, op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};
}
template <class T> dense_matrix<T> dense_of(const cusparseDnVecDescr &v)
{
    return {v.size, 1, 1, v.size, (T *)v.values, false};
}

/** alpha, beta: the host's value, or the device's. */
template <class T> struct scalar {
    T value;
    const T *place;
    __device__ T get() const
    {
        return place ? *place : value;
    }
};
template <class T> scalar<T> scalar_of(cusparseHandle_t handle, const void *p)
{
    return handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE ? scalar<T>{T(), (const T *)p}
                                                                : scalar<T>{*(const T *)p, nullptr};
}

/** The bytes of a number; 0: not one that is provided, and a line on stderr says so. */
size_t bytes_of(const char *call, cudaDataType type);
bool scalar_reached(cusparseHandle_t handle, const char *call, const char *name, const void *p, size_t bytes);

/** Whether kernels reach a descriptor's arrays; `name` is the argument's. */
bool reached(const char *call, const char *name, const cusparseSpMatDescr &m, bool with_values = true);
bool reached(const char *call, const char *name, const cusparseDnMatDescr &m);
bool reached(const char *call, const char *name, const cusparseDnVecDescr &v);
bool reached(const char *call, const char *name, const cusparseSpVecDescr &v);

/** The next launch goes through `entries` of a sparse matrix and `elements` of dense ones. */
void stands_for(const void *p, uint64_t entries, uint64_t elements, uint64_t operations, cudaDataType type);

inline cusparseStatus_t launched()
{
    return cudaGetLastError() == cudaSuccess ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
}

/** Calls `run<T>` for the type; the types of all arguments have to be one. */
#define SPARSE_FOR_TYPE(type, run, ...)                                                                      \
    ((type) == CUDA_R_32F   ? run<float>(__VA_ARGS__)                                                        \
     : (type) == CUDA_R_64F ? run<double>(__VA_ARGS__)                                                       \
     : (type) == CUDA_C_32F ? run<complex<float>>(__VA_ARGS__)                                               \
                            : run<complex<double>>(__VA_ARGS__))

/** Buffers are not used; a program that allocates what it was told gets a valid address. */
#define SPARSE_BUFFER 8
inline cusparseStatus_t buffer_size(cusparseHandle_t handle, bool valid, size_t *size)
{
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!valid || !size)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *size = SPARSE_BUFFER;
    return CUSPARSE_STATUS_SUCCESS;
}

} // namespace sparse
#endif
