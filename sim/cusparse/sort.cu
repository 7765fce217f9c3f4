/**
 * @file sort.cu
 * @brief cuSPARSE's sorts of the indices of COO, CSR and CSC, with a permutation that goes along.
 *
 * Two counting sorts, each of which keeps the order of what is equal. The program's buffer has three copies
 * of the entries, or four, and a count for each row or column.
 */
#include "sparse.h"

namespace
{
using namespace sparse;

/* What is sorted, and room for it: three indices of an entry, and those of the sorted entries. */
struct entries {
    int *first, *second, *along;
    i64 nnz;
    int *counts; /* [limit + 2], behind it the copies */
    i64 limit;   /* no index is larger */
};

/* By `key`, which is one of the three. */
__device__ void sort_by(const entries &e, const int *key)
{
    for (i64 i = 0; i < e.limit + 2; i++)
        e.counts[i] = 0;
    for (i64 i = 0; i < e.nnz; i++)
        e.counts[key[i] + 1]++;
    for (i64 i = 0; i <= e.limit; i++)
        e.counts[i + 1] += e.counts[i];
    int *const copies = e.counts + e.limit + 2;
    int *const arrays[] = {e.first, e.second, e.along};
    for (i64 i = 0; i < e.nnz; i++) {
        const i64 to = e.counts[key[i]]++;
        for (int k = 0; k < 3; k++)
            copies[k * e.nnz + to] = arrays[k][i];
    }
    for (int k = 0; k < 3; k++)
        for (i64 i = 0; i < e.nnz; i++)
            arrays[k][i] = copies[k * e.nnz + i];
}

__global__ void sort_entries(entries e)
{
    sort_by(e, e.second);
    sort_by(e, e.first);
}

/* CSR: `e.first` is room for the entries' rows. */
__global__ void sort_rows(entries e, const int *offsets, i64 rows, int base)
{
    for (i64 row = 0; row < rows; row++)
        for (i64 i = offsets[row] - base; i < offsets[row + 1] - base; i++)
            e.first[i] = (int)row;
    sort_by(e, e.second);
    sort_by(e, e.first);
}

__global__ void count_up(int *p, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        p[i] = i;
}

/* Indices count from 0 or 1, so that the largest is the size. */
i64 largest(int m, int n)
{
    return m > n ? m : n;
}
uint64_t ints_of(int m, int n, int nnz)
{
    return 4 * (uint64_t)nnz + (uint64_t)largest(m, n) + 2;
}

cusparseStatus_t sort_buffer(cusparseHandle_t handle, int m, int n, int nnz, size_t *size)
{
    const cusparseStatus_t status = buffer_size(handle, m >= 0 && n >= 0 && nnz >= 0, size);
    if (status == CUSPARSE_STATUS_SUCCESS)
        *size = ints_of(m, n, nnz) * sizeof(int);
    return status;
}

cusparseStatus_t check(const char *call, cusparseHandle_t handle, int m, int n, int nnz, int *along,
                       void *buffer)
{
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (m < 0 || n < 0 || nnz < 0)
        return CUSPARSE_STATUS_INVALID_VALUE;
    return umsim_reaches(call, "P", along, (uint64_t)nnz, 4) &&
                   umsim_reaches(call, "pBuffer", buffer, nnz ? ints_of(m, n, nnz) : 0, 4)
               ? CUSPARSE_STATUS_SUCCESS
               : CUSPARSE_STATUS_EXECUTION_FAILED;
}

cusparseStatus_t sort_coo(const char *call, cusparseHandle_t handle, int m, int n, int nnz, int *first,
                          int *second, int *along, void *buffer)
{
    const cusparseStatus_t status = check(call, handle, m, n, nnz, along, buffer);
    if (status != CUSPARSE_STATUS_SUCCESS)
        return status;
    if (!umsim_reaches(call, "cooRowsA and cooColsA", first, (uint64_t)nnz, 4) ||
        !umsim_reaches(call, "cooRowsA and cooColsA", second, (uint64_t)nnz, 4))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    if (!nnz)
        return CUSPARSE_STATUS_SUCCESS;
    stands_for(first, 4 * (uint64_t)nnz, 0, 0, CUDA_R_32F);
    sort_entries<<<1, 1, 0, handle->stream>>>({first, second, along, nnz, (int *)buffer, largest(m, n)});
    return launched();
}

cusparseStatus_t sort_csr(const char *call, cusparseHandle_t handle, int m, int n, int nnz,
                          const cusparseMatDescr_t descr, const int *offsets, int *indices, int *along,
                          void *buffer)
{
    const cusparseStatus_t status = check(call, handle, m, n, nnz, along, buffer);
    if (status != CUSPARSE_STATUS_SUCCESS)
        return status;
    if (!descr)
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (!umsim_reaches(call, "the offsets", offsets, (uint64_t)m + 1, 4) ||
        !umsim_reaches(call, "the indices", indices, (uint64_t)nnz, 4))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    if (!nnz)
        return CUSPARSE_STATUS_SUCCESS;
    int *const counts = (int *)buffer, *const rows = counts + largest(m, n) + 2 + 3 * (i64)nnz;
    stands_for(indices, 4 * (uint64_t)nnz, (uint64_t)m, 0, CUDA_R_32F);
    sort_rows<<<1, 1, 0, handle->stream>>>({rows, indices, along, nnz, counts, largest(m, n)}, offsets, m,
                                           descr->base);
    return launched();
}
} // namespace

extern "C" cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n, int *p)
{
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (n < 0)
        return CUSPARSE_STATUS_INVALID_VALUE;
    if (!umsim_reaches("cusparseCreateIdentityPermutation", "p", p, (uint64_t)n, 4))
        return CUSPARSE_STATUS_EXECUTION_FAILED;
    if (!n)
        return CUSPARSE_STATUS_SUCCESS;
    count_up<<<(unsigned)((n - 1) / 256 + 1), 256, 0, handle->stream>>>(p, n);
    return launched();
}

extern "C" cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,
                                                           const int *, const int *, size_t *size)
{
    return sort_buffer(handle, m, n, nnz, size);
}

extern "C" cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,
                                                           const int *, const int *, size_t *size)
{
    return sort_buffer(handle, m, n, nnz, size);
}

extern "C" cusparseStatus_t cusparseXcscsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,
                                                           const int *, const int *, size_t *size)
{
    return sort_buffer(handle, m, n, nnz, size);
}

extern "C" cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int m, int n, int nnz, int *rows,
                                                  int *columns, int *p, void *buffer)
{
    return sort_coo("cusparseXcoosortByRow", handle, m, n, nnz, rows, columns, p, buffer);
}

extern "C" cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t handle, int m, int n, int nnz,
                                                     int *rows, int *columns, int *p, void *buffer)
{
    return sort_coo("cusparseXcoosortByColumn", handle, m, n, nnz, columns, rows, p, buffer);
}

extern "C" cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int m, int n, int nnz,
                                             const cusparseMatDescr_t descr, const int *offsets, int *columns,
                                             int *p, void *buffer)
{
    return sort_csr("cusparseXcsrsort", handle, m, n, nnz, descr, offsets, columns, p, buffer);
}

extern "C" cusparseStatus_t cusparseXcscsort(cusparseHandle_t handle, int m, int n, int nnz,
                                             const cusparseMatDescr_t descr, const int *offsets, int *rows,
                                             int *p, void *buffer)
{
    return sort_csr("cusparseXcscsort", handle, n, m, nnz, descr, offsets, rows, p, buffer);
}
