/**
 * @file rows.cu
 * @brief cuSPARSE's sums of two matrices in CSR (csrgeam2), and the entries of one that are large enough
 * (csr2csr_compress): row by row, from bare arrays with indices of 32 bits.
 */
#include "sparse.h"

#include <numeric>
#include <vector>

namespace
{
using namespace sparse;

/* A matrix in CSR, whose indices count from `base`. */
template <class T> struct csr {
    const int *offsets, *columns;
    const T *values;
    int base;
    __device__ i64 first(i64 row) const
    {
        return offsets[row] - base;
    }
};

/* Goes through a row of two matrices by columns: entry(column, index in A or -1, index in B or -1). */
template <class T, class F> __device__ void merge(const csr<T> &a, const csr<T> &b, i64 row, F entry)
{
    i64 i = a.first(row), k = b.first(row);
    const i64 end = a.first(row + 1), end_b = b.first(row + 1);
    while (i < end || k < end_b) {
        const i64 left = i < end ? a.columns[i] - a.base : INT64_MAX,
                  right = k < end_b ? b.columns[k] - b.base : INT64_MAX;
        if (left < right)
            entry(left, i++, (i64)-1);
        else if (right < left)
            entry(right, (i64)-1, k++);
        else
            entry(left, i++, k++);
    }
}

__global__ void count_sum(i64 rows, csr<char> a, csr<char> b, int *offsets, int base, int *total)
{
    i64 count = 0;
    for (i64 row = 0; row < rows; row++) {
        offsets[row] = (int)(count + base);
        merge(a, b, row, [&](i64, i64, i64) { count++; });
    }
    offsets[rows] = (int)(count + base);
    *total = (int)count;
}

template <class T>
__global__ void sum(i64 rows, csr<T> a, scalar<T> by, csr<T> b, scalar<T> by_b, const int *offsets,
                    int *columns, T *values, int base)
{
    const T alpha = by.get(), beta = by_b.get();
    for (i64 row = 0; row < rows; row++) {
        i64 to = offsets[row] - base;
        merge(a, b, row, [&](i64 column, i64 i, i64 k) {
            const T left = i >= 0 ? alpha * a.values[i] : T(0), right = k >= 0 ? beta * b.values[k] : T(0);
            columns[to] = (int)(column + base);
            values[to++] = left + right;
        });
    }
}

template <class R> __device__ bool over(R x, R tolerance)
{
    return fabs(x) > tolerance;
}
template <class R> __device__ bool over(complex<R> x, complex<R> tolerance)
{
    return hypot(x.re, x.im) > tolerance.re;
}

template <class T> __global__ void count_large(i64 rows, csr<T> a, T tolerance, int *counts, int *total)
{
    i64 all = 0;
    for (i64 row = 0; row < rows; row++) {
        int count = 0;
        for (i64 i = a.first(row); i < a.first(row + 1); i++)
            count += over(a.values[i], tolerance);
        counts[row] = count;
        all += count;
    }
    *total = (int)all;
}

template <class T>
__global__ void copy_large(i64 rows, csr<T> a, T tolerance, T *values, int *columns, int *offsets)
{
    i64 to = 0;
    for (i64 row = 0; row < rows; row++) {
        offsets[row] = (int)(to + a.base);
        for (i64 i = a.first(row); i < a.first(row + 1); i++)
            if (over(a.values[i], tolerance)) {
                columns[to] = a.columns[i];
                values[to++] = a.values[i];
            }
    }
    offsets[rows] = (int)(to + a.base);
}

/* A count that a kernel writes to `place`, for the host or the device. */
struct counted {
    cusparseHandle_t handle;
    int *wanted, *place;
    bool on_host;
    counted(cusparseHandle_t h, int *p)
        : handle(h), wanted(p), place(p), on_host(h->pointer_mode == CUSPARSE_POINTER_MODE_HOST)
    {
        if (on_host && cudaMalloc(&place, sizeof(int)) != cudaSuccess)
            place = nullptr;
    }
    cusparseStatus_t done()
    {
        if (!on_host)
            return launched();
        const bool ok = cudaMemcpyAsync(wanted, place, sizeof(int), cudaMemcpyDeviceToHost, handle->stream) ==
                            cudaSuccess &&
                        cudaStreamSynchronize(handle->stream) == cudaSuccess;
        cudaFree(place);
        return ok ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
    }
};

/* The bare arrays of a matrix, as they were handed in. */
struct arrays {
    const char *name;
    cusparseMatDescr_t descr;
    int nnz;
    const int *offsets, *columns;
    const void *values;
};

bool reached_all(const char *call, int m, const arrays &a, size_t bytes)
{
    return umsim_reaches(call, a.name, a.offsets, (uint64_t)m + 1, 4) &&
           umsim_reaches(call, a.name, a.columns, (uint64_t)a.nnz, 4) &&
           (!bytes || umsim_reaches(call, a.name, a.values, (uint64_t)a.nnz, bytes));
}

cusparseStatus_t check_sum(const char *call, cusparseHandle_t handle, int m, int n, const arrays &a,
                           const arrays &b, cusparseMatDescr_t c, size_t bytes)
{
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (m < 0 || n < 0 || a.nnz < 0 || b.nnz < 0 || !a.descr || !b.descr || !c)
        return CUSPARSE_STATUS_INVALID_VALUE;
    return reached_all(call, m, a, bytes) && reached_all(call, m, b, bytes)
               ? CUSPARSE_STATUS_SUCCESS
               : CUSPARSE_STATUS_EXECUTION_FAILED;
}

template <class T> csr<T> csr_of(const arrays &a)
{
    return {a.offsets, a.columns, (const T *)a.values, a.descr->base};
}

/* C's offsets are there already, and its entries as many as the last of them says. */
template <class C>
cusparseStatus_t run_sum(const char *call, cusparseHandle_t handle, int m, int n, const void *alpha,
                         const arrays &a, const void *beta, const arrays &b, const arrays &c)
{
    using T = own_t<C>;
    const cusparseStatus_t status = check_sum(call, handle, m, n, a, b, c.descr, sizeof(T));
    if (status != CUSPARSE_STATUS_SUCCESS)
        return status;
    if (!alpha || !beta)
        return CUSPARSE_STATUS_INVALID_VALUE;
    int end;
    if (!scalar_reached(handle, call, "alpha", alpha, sizeof(T)) ||
        !scalar_reached(handle, call, "beta", beta, sizeof(T)) ||
        !umsim_reaches(call, c.name, c.offsets, (uint64_t)m + 1, 4) ||
        cudaMemcpyAsync(&end, c.offsets + m, sizeof end, cudaMemcpyDeviceToHost, handle->stream) !=
            cudaSuccess ||
        cudaStreamSynchronize(handle->stream) != cudaSuccess)
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    arrays whole = c;
    whole.nnz = end - c.descr->base;
    if (whole.nnz < 0 || !reached_all(call, m, whole, sizeof(T)))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    stands_for(c.values, (uint64_t)a.nnz + (uint64_t)b.nnz, 0, 2 * (uint64_t)whole.nnz, CUDA_R_32F);
    sum<<<1, 1, 0, handle->stream>>>(m, csr_of<T>(a), scalar_of<T>(handle, alpha), csr_of<T>(b),
                                     scalar_of<T>(handle, beta), c.offsets, (int *)c.columns, (T *)c.values,
                                     c.descr->base);
    return launched();
}

/* How many entries a matrix has, asked of the device: the call is not told. */
bool entries_of(cusparseHandle_t handle, const int *offsets, int m, int base, int *nnz)
{
    return cudaMemcpyAsync(nnz, offsets + m, sizeof *nnz, cudaMemcpyDeviceToHost, handle->stream) ==
               cudaSuccess &&
           cudaStreamSynchronize(handle->stream) == cudaSuccess && (*nnz -= base) >= 0;
}

template <class C>
cusparseStatus_t run_count(const char *call, cusparseHandle_t handle, int m, cusparseMatDescr_t descr,
                           const C *values, const int *offsets, int *counts, int *total, C tolerance)
{
    using T = own_t<C>;
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (m < 0 || !descr || !total)
        return CUSPARSE_STATUS_INVALID_VALUE;
    int nnz;
    if (!umsim_reaches(call, "csrSortedRowPtrA", offsets, (uint64_t)m + 1, 4) ||
        !umsim_reaches(call, "nnzPerRow", counts, (uint64_t)m, 4) ||
        !entries_of(handle, offsets, m, descr->base, &nnz) ||
        !umsim_reaches(call, "csrSortedValA", values, (uint64_t)nnz, sizeof(T)) ||
        !scalar_reached(handle, call, "nnzC", total, sizeof *total))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    counted result(handle, total);
    if (!result.place)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    stands_for(values, (uint64_t)nnz, (uint64_t)m, (uint64_t)nnz, CUDA_R_32F);
    count_large<<<1, 1, 0, handle->stream>>>(m, csr<T>{offsets, nullptr, own(values), descr->base},
                                             *own(&tolerance), counts, result.place);
    return result.done();
}

template <class C>
cusparseStatus_t run_copy(const char *call, cusparseHandle_t handle, int m, int n, const arrays &a,
                          const int *counts, C *values, int *columns, int *offsets, C tolerance)
{
    using T = own_t<C>;
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (m < 0 || n < 0 || a.nnz < 0 || !a.descr)
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (!reached_all(call, m, a, sizeof(T)) || !umsim_reaches(call, "nnzPerRow", counts, (uint64_t)m, 4) ||
        !umsim_reaches(call, "csrSortedRowPtrC", offsets, (uint64_t)m + 1, 4))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    std::vector<int> each((size_t)m);
    if (m && (cudaMemcpyAsync(each.data(), counts, (size_t)m * sizeof(int), cudaMemcpyDeviceToHost,
                              handle->stream) != cudaSuccess ||
              cudaStreamSynchronize(handle->stream) != cudaSuccess))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    const uint64_t kept = std::accumulate(each.begin(), each.end(), (uint64_t)0);
    if (!umsim_reaches(call, "csrSortedValC", values, kept, sizeof(T)) ||
        !umsim_reaches(call, "csrSortedColIndC", columns, kept, 4))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    stands_for(a.values, 2 * (uint64_t)a.nnz, (uint64_t)m, (uint64_t)a.nnz, CUDA_R_32F);
    copy_large<<<1, 1, 0, handle->stream>>>(m, csr_of<T>(a), *own(&tolerance), own(values), columns, offsets);
    return launched();
}
} // namespace

extern "C" cusparseStatus_t
cusparseXcsrgeam2Nnz(cusparseHandle_t handle, int m, int n, const cusparseMatDescr_t descrA, int nnzA,
                     const int *offsetsA, const int *columnsA, const cusparseMatDescr_t descrB, int nnzB,
                     const int *offsetsB, const int *columnsB, const cusparseMatDescr_t descrC, int *offsetsC,
                     int *total, void *)
{
    static const char call[] = "cusparseXcsrgeam2Nnz";
    const arrays a = {"A's arrays", descrA, nnzA, offsetsA, columnsA, nullptr},
                 b = {"B's arrays", descrB, nnzB, offsetsB, columnsB, nullptr};
    const cusparseStatus_t status = check_sum(call, handle, m, n, a, b, descrC, 0);
    if (status != CUSPARSE_STATUS_SUCCESS)
        return status;
    if (!total)
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (!umsim_reaches(call, "csrSortedRowPtrC", offsetsC, (uint64_t)m + 1, 4) ||
        !scalar_reached(handle, call, "nnzTotalDevHostPtr", total, sizeof *total))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    counted result(handle, total);
    if (!result.place)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    stands_for(offsetsC, (uint64_t)nnzA + (uint64_t)nnzB, (uint64_t)m, 0, CUDA_R_32F);
    count_sum<<<1, 1, 0, handle->stream>>>(m, csr_of<char>(a), csr_of<char>(b), offsetsC, descrC->base,
                                           result.place);
    return result.done();
}

/* The four types' calls. */
#define ROWS(X, T)                                                                                           \
    extern "C" cusparseStatus_t cusparse##X##csrgeam2_bufferSizeExt(                                         \
        cusparseHandle_t handle, int m, int n, const T *, const cusparseMatDescr_t descrA, int nnzA,         \
        const T *, const int *, const int *, const T *, const cusparseMatDescr_t descrB, int nnzB,           \
        const T *, const int *, const int *, const cusparseMatDescr_t descrC, const T *, const int *,        \
        const int *, size_t *size)                                                                           \
    {                                                                                                        \
        return buffer_size(handle, m >= 0 && n >= 0 && nnzA >= 0 && nnzB >= 0 && descrA && descrB && descrC, \
                           size);                                                                            \
    }                                                                                                        \
    extern "C" cusparseStatus_t cusparse##X##csrgeam2(                                                       \
        cusparseHandle_t handle, int m, int n, const T *alpha, const cusparseMatDescr_t descrA, int nnzA,    \
        const T *valuesA, const int *offsetsA, const int *columnsA, const T *beta,                           \
        const cusparseMatDescr_t descrB, int nnzB, const T *valuesB, const int *offsetsB,                    \
        const int *columnsB, const cusparseMatDescr_t descrC, T *valuesC, int *offsetsC, int *columnsC,      \
        void *)                                                                                              \
    {                                                                                                        \
        return run_sum<T>("cusparse" #X "csrgeam2", handle, m, n, alpha,                                     \
                          {"A's arrays", descrA, nnzA, offsetsA, columnsA, valuesA}, beta,                   \
                          {"B's arrays", descrB, nnzB, offsetsB, columnsB, valuesB},                         \
                          {"C's arrays", descrC, 0, offsetsC, columnsC, valuesC});                           \
    }                                                                                                        \
    extern "C" cusparseStatus_t cusparse##X##nnz_compress(                                                   \
        cusparseHandle_t handle, int m, const cusparseMatDescr_t descr, const T *values, const int *offsets, \
        int *counts, int *total, T tolerance)                                                                \
    {                                                                                                        \
        return run_count("cusparse" #X "nnz_compress", handle, m, descr, values, offsets, counts, total,     \
                         tolerance);                                                                         \
    }                                                                                                        \
    extern "C" cusparseStatus_t cusparse##X##csr2csr_compress(                                               \
        cusparseHandle_t handle, int m, int n, const cusparseMatDescr_t descr, const T *values,              \
        const int *columns, const int *offsets, int nnz, const int *counts, T *new_values, int *new_columns, \
        int *new_offsets, T tolerance)                                                                       \
    {                                                                                                        \
        return run_copy("cusparse" #X "csr2csr_compress", handle, m, n,                                      \
                        {"A's arrays", descr, nnz, offsets, columns, values}, counts, new_values,            \
                        new_columns, new_offsets, tolerance);                                                \
    }
ROWS(S, float)
ROWS(D, double)
ROWS(C, cuComplex)
ROWS(Z, cuDoubleComplex)
