/**
 * @file cusparse_rows.h
 * @brief cuSPARSE's calls on the bare arrays of a matrix with indices of 32 bits: sorts, sums of two matrices
 * in CSR, and the entries that are large enough. cusparse.h includes it.
 *
 * An array that kernels cannot reach is a line on stderr and CUSPARSE_STATUS_EXECUTION_FAILED.
 */
#ifndef UMSIM_CUSPARSE_ROWS_H
#define UMSIM_CUSPARSE_ROWS_H

/** @name Sorts, which keep the order of what is equal
 *
 * By rows, and within them by columns (or the other way round). `__P` goes along: the identity becomes the
 * permutation with which values are gathered. The buffer is used.
 * @{ */
cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t __handle, int __n, int *__p);
cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t __handle, int __m, int __n, int __nnz,
                                                const int *__cooRowsA, const int *__cooColsA,
                                                size_t *__pBufferSizeInBytes);
cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t __handle, int __m, int __n, int __nnz,
                                       int *__cooRowsA, int *__cooColsA, int *__P, void *__pBuffer);
cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t __handle, int __m, int __n, int __nnz,
                                          int *__cooRowsA, int *__cooColsA, int *__P, void *__pBuffer);
cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t __handle, int __m, int __n, int __nnz,
                                                const int *__csrRowPtrA, const int *__csrColIndA,
                                                size_t *__pBufferSizeInBytes);
cusparseStatus_t cusparseXcsrsort(cusparseHandle_t __handle, int __m, int __n, int __nnz,
                                  const cusparseMatDescr_t __descrA, const int *__csrRowPtrA,
                                  int *__csrColIndA, int *__P, void *__pBuffer);
cusparseStatus_t cusparseXcscsort_bufferSizeExt(cusparseHandle_t __handle, int __m, int __n, int __nnz,
                                                const int *__cscColPtrA, const int *__cscRowIndA,
                                                size_t *__pBufferSizeInBytes);
cusparseStatus_t cusparseXcscsort(cusparseHandle_t __handle, int __m, int __n, int __nnz,
                                  const cusparseMatDescr_t __descrA, const int *__cscColPtrA,
                                  int *__cscRowIndA, int *__P, void *__pBuffer);
/** @} */

/** @name C = alpha * A + beta * B in CSR, whose rows are sorted: offsets and the number of entries first
 * @{ */
cusparseStatus_t cusparseXcsrgeam2Nnz(cusparseHandle_t __handle, int __m, int __n,
                                      const cusparseMatDescr_t __descrA, int __nnzA,
                                      const int *__csrSortedRowPtrA, const int *__csrSortedColIndA,
                                      const cusparseMatDescr_t __descrB, int __nnzB,
                                      const int *__csrSortedRowPtrB, const int *__csrSortedColIndB,
                                      const cusparseMatDescr_t __descrC, int *__csrSortedRowPtrC,
                                      int *__nnzTotalDevHostPtr, void *__workspace);
/** @} */

/** The calls of one type of numbers: sums (buffers are not used), and the entries whose magnitude is over
 * `__tol`, counted by rows, then copied. */
#define UMSIM_SPARSE_ROWS(X, T)                                                                              \
    cusparseStatus_t cusparse##X##csrgeam2_bufferSizeExt(                                                    \
        cusparseHandle_t __handle, int __m, int __n, const T *__alpha, const cusparseMatDescr_t __descrA,    \
        int __nnzA, const T *__csrSortedValA, const int *__csrSortedRowPtrA, const int *__csrSortedColIndA,  \
        const T *__beta, const cusparseMatDescr_t __descrB, int __nnzB, const T *__csrSortedValB,            \
        const int *__csrSortedRowPtrB, const int *__csrSortedColIndB, const cusparseMatDescr_t __descrC,     \
        const T *__csrSortedValC, const int *__csrSortedRowPtrC, const int *__csrSortedColIndC,              \
        size_t *__pBufferSizeInBytes);                                                                       \
    cusparseStatus_t cusparse##X##csrgeam2(                                                                  \
        cusparseHandle_t __handle, int __m, int __n, const T *__alpha, const cusparseMatDescr_t __descrA,    \
        int __nnzA, const T *__csrSortedValA, const int *__csrSortedRowPtrA, const int *__csrSortedColIndA,  \
        const T *__beta, const cusparseMatDescr_t __descrB, int __nnzB, const T *__csrSortedValB,            \
        const int *__csrSortedRowPtrB, const int *__csrSortedColIndB, const cusparseMatDescr_t __descrC,     \
        T *__csrSortedValC, int *__csrSortedRowPtrC, int *__csrSortedColIndC, void *__pBuffer);              \
    cusparseStatus_t cusparse##X##nnz_compress(                                                              \
        cusparseHandle_t __handle, int __m, const cusparseMatDescr_t __descr, const T *__csrSortedValA,      \
        const int *__csrSortedRowPtrA, int *__nnzPerRow, int *__nnzC, T __tol);                              \
    cusparseStatus_t cusparse##X##csr2csr_compress(                                                          \
        cusparseHandle_t __handle, int __m, int __n, const cusparseMatDescr_t __descrA,                      \
        const T *__csrSortedValA, const int *__csrSortedColIndA, const int *__csrSortedRowPtrA, int __nnzA,  \
        const int *__nnzPerRow, T *__csrSortedValC, int *__csrSortedColIndC, int *__csrSortedRowPtrC,        \
        T __tol);
UMSIM_SPARSE_ROWS(S, float)
UMSIM_SPARSE_ROWS(D, double)
UMSIM_SPARSE_ROWS(C, cuComplex)
UMSIM_SPARSE_ROWS(Z, cuDoubleComplex)
#undef UMSIM_SPARSE_ROWS

#endif
