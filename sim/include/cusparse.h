/**
 * @file cusparse.h
 * @brief cuSPARSE's generic calls: sparse matrices in CSR, CSC and COO, of float, double and complex numbers,
 * with indices of 32 or 64 bits; vectors and dense matrices. Link with -lcusparse.
 *
 * A descriptor keeps addresses and sizes; arrays are read when a call needs them, and checked before its
 * kernel starts. Buffers are asked for and not used, so they are small. Sums are formed in another order than
 * on a GPU. What is refused by a line on stderr and CUSPARSE_STATUS_NOT_SUPPORTED: half, bfloat16 and 8-bit
 * numbers, mixed types, indices of 16 bits, beta other than 0 in SpGEMM. Not declared: blocked and sliced
 * formats, batches, preconditioners, tridiagonal systems (docs/libraries.md).
 */
#ifndef CUSPARSE_H_
#define CUSPARSE_H_

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cuComplex.h"
#include "cuda_fp16.h"
#include "cuda_runtime_api.h"
#include "library_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CUSPARSE_VER_MAJOR 12 /**< the version that this header replaces */
#define CUSPARSE_VER_MINOR 6
#define CUSPARSE_VER_PATCH 3
#define CUSPARSE_VER_BUILD 3
#define CUSPARSE_VERSION (CUSPARSE_VER_MAJOR * 1000 + CUSPARSE_VER_MINOR * 100 + CUSPARSE_VER_PATCH)

/** @name Made by calls of their names @{ */
typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusparseMatDescr *cusparseMatDescr_t;
typedef struct cusparseSpVecDescr *cusparseSpVecDescr_t;
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef struct cusparseDnMatDescr *cusparseDnMatDescr_t;
typedef struct cusparseSpVecDescr const *cusparseConstSpVecDescr_t;
typedef struct cusparseDnVecDescr const *cusparseConstDnVecDescr_t;
typedef struct cusparseSpMatDescr const *cusparseConstSpMatDescr_t;
typedef struct cusparseDnMatDescr const *cusparseConstDnMatDescr_t;
typedef struct cusparseSpSVDescr *cusparseSpSVDescr_t;
typedef struct cusparseSpSMDescr *cusparseSpSMDescr_t;
typedef struct cusparseSpGEMMDescr *cusparseSpGEMMDescr_t;
/** @} */
/** Never called: nothing is logged. */
typedef void (*cusparseLoggerCallback_t)(int __level, const char *__function, const char *__message);

/** The result of a call. */
typedef enum {
    CUSPARSE_STATUS_SUCCESS = 0,
    CUSPARSE_STATUS_NOT_INITIALIZED = 1,
    CUSPARSE_STATUS_ALLOC_FAILED = 2,
    CUSPARSE_STATUS_INVALID_VALUE = 3,
    CUSPARSE_STATUS_ARCH_MISMATCH = 4,
    CUSPARSE_STATUS_MAPPING_ERROR = 5,
    CUSPARSE_STATUS_EXECUTION_FAILED = 6,
    CUSPARSE_STATUS_INTERNAL_ERROR = 7,
    CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
    CUSPARSE_STATUS_ZERO_PIVOT = 9,
    CUSPARSE_STATUS_NOT_SUPPORTED = 10,
    CUSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11
} cusparseStatus_t;
/** Where alpha, beta and results are. */
typedef enum { CUSPARSE_POINTER_MODE_HOST = 0, CUSPARSE_POINTER_MODE_DEVICE = 1 } cusparsePointerMode_t;
/** Whether a conversion moves values, too. */
typedef enum { CUSPARSE_ACTION_SYMBOLIC = 0, CUSPARSE_ACTION_NUMERIC = 1 } cusparseAction_t;
/** Of a matrix descriptor: kept, and not used by calls of today. */
typedef enum {
    CUSPARSE_MATRIX_TYPE_GENERAL = 0,
    CUSPARSE_MATRIX_TYPE_SYMMETRIC = 1,
    CUSPARSE_MATRIX_TYPE_HERMITIAN = 2,
    CUSPARSE_MATRIX_TYPE_TRIANGULAR = 3
} cusparseMatrixType_t;
/** Which triangle. */
typedef enum { CUSPARSE_FILL_MODE_LOWER = 0, CUSPARSE_FILL_MODE_UPPER = 1 } cusparseFillMode_t;
/** Whether its diagonal is 1. */
typedef enum { CUSPARSE_DIAG_TYPE_NON_UNIT = 0, CUSPARSE_DIAG_TYPE_UNIT = 1 } cusparseDiagType_t;
/** From where indices count. */
typedef enum { CUSPARSE_INDEX_BASE_ZERO = 0, CUSPARSE_INDEX_BASE_ONE = 1 } cusparseIndexBase_t;
/** How a matrix is used. */
typedef enum {
    CUSPARSE_OPERATION_NON_TRANSPOSE = 0,
    CUSPARSE_OPERATION_TRANSPOSE = 1,
    CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE = 2
} cusparseOperation_t;
/** Not used. */
typedef enum { CUSPARSE_DIRECTION_ROW = 0, CUSPARSE_DIRECTION_COLUMN = 1 } cusparseDirection_t;
/** Accepted. */
typedef enum { CUSPARSE_CSR2CSC_ALG_DEFAULT = 1, CUSPARSE_CSR2CSC_ALG1 = 1 } cusparseCsr2CscAlg_t;
/** How a matrix is stored. */
typedef enum {
    CUSPARSE_FORMAT_CSR = 1,
    CUSPARSE_FORMAT_CSC = 2,
    CUSPARSE_FORMAT_COO = 3,
    CUSPARSE_FORMAT_BLOCKED_ELL = 5,
    CUSPARSE_FORMAT_BSR = 6,
    CUSPARSE_FORMAT_SLICED_ELLPACK = 7
} cusparseFormat_t;
/** How a dense matrix lies in memory. */
typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 } cusparseOrder_t;
/** The type of indices; 16 bits are refused. */
typedef enum { CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I = 2, CUSPARSE_INDEX_64I = 3 } cusparseIndexType_t;
/** What a triangular solve is told of a matrix. */
typedef enum { CUSPARSE_SPMAT_FILL_MODE, CUSPARSE_SPMAT_DIAG_TYPE } cusparseSpMatAttribute_t;
/** Accepted. */
typedef enum { CUSPARSE_SPARSETODENSE_ALG_DEFAULT = 0 } cusparseSparseToDenseAlg_t;
/** Accepted. */
typedef enum { CUSPARSE_DENSETOSPARSE_ALG_DEFAULT = 0 } cusparseDenseToSparseAlg_t;
/** Accepted: there is one algorithm. */
typedef enum {
    CUSPARSE_SPMV_ALG_DEFAULT = 0,
    CUSPARSE_SPMV_CSR_ALG1 = 2,
    CUSPARSE_SPMV_CSR_ALG2 = 3,
    CUSPARSE_SPMV_COO_ALG1 = 1,
    CUSPARSE_SPMV_COO_ALG2 = 4,
    CUSPARSE_SPMV_SELL_ALG1 = 5,
    CUSPARSE_SPMV_BSR_ALG1 = 6
} cusparseSpMVAlg_t;
/** Accepted. */
typedef enum { CUSPARSE_SPSV_ALG_DEFAULT = 0 } cusparseSpSVAlg_t;
/** Accepted. */
typedef enum { CUSPARSE_SPSM_ALG_DEFAULT = 0 } cusparseSpSMAlg_t;
/** Accepted: there is one algorithm. */
typedef enum {
    CUSPARSE_SPMM_ALG_DEFAULT = 0,
    CUSPARSE_SPMM_COO_ALG1 = 1,
    CUSPARSE_SPMM_COO_ALG2 = 2,
    CUSPARSE_SPMM_COO_ALG3 = 3,
    CUSPARSE_SPMM_COO_ALG4 = 5,
    CUSPARSE_SPMM_CSR_ALG1 = 4,
    CUSPARSE_SPMM_CSR_ALG2 = 6,
    CUSPARSE_SPMM_CSR_ALG3 = 12,
    CUSPARSE_SPMM_BLOCKED_ELL_ALG1 = 13,
    CUSPARSE_SPMM_BSR_ALG1 = 14
} cusparseSpMMAlg_t;
/** Accepted: there is one algorithm. */
typedef enum {
    CUSPARSE_SPGEMM_DEFAULT = 0,
    CUSPARSE_SPGEMM_CSR_ALG_DETERMINITIC = 1,
    CUSPARSE_SPGEMM_CSR_ALG_NONDETERMINITIC = 2,
    CUSPARSE_SPGEMM_ALG1 = 3,
    CUSPARSE_SPGEMM_ALG2 = 4,
    CUSPARSE_SPGEMM_ALG3 = 5
} cusparseSpGEMMAlg_t;
/** Accepted. */
typedef enum { CUSPARSE_SDDMM_ALG_DEFAULT = 0 } cusparseSDDMMAlg_t;

/** @name Calls @{ */
cusparseMatrixType_t cusparseGetMatType(const cusparseMatDescr_t __descrA);
cusparseFillMode_t cusparseGetMatFillMode(const cusparseMatDescr_t __descrA);
cusparseDiagType_t cusparseGetMatDiagType(const cusparseMatDescr_t __descrA);
cusparseIndexBase_t cusparseGetMatIndexBase(const cusparseMatDescr_t __descrA);
cusparseStatus_t cusparseCreate(cusparseHandle_t *__handle);
cusparseStatus_t cusparseDestroy(cusparseHandle_t __handle);
cusparseStatus_t cusparseGetVersion(cusparseHandle_t __handle, int *__version);
cusparseStatus_t cusparseGetProperty(libraryPropertyType __type, int *__value);
const char *cusparseGetErrorName(cusparseStatus_t __status);
const char *cusparseGetErrorString(cusparseStatus_t __status);
cusparseStatus_t cusparseSetStream(cusparseHandle_t __handle, cudaStream_t __streamId);
cusparseStatus_t cusparseGetStream(cusparseHandle_t __handle, cudaStream_t *__streamId);
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t __handle, cusparsePointerMode_t *__mode);
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t __handle, cusparsePointerMode_t __mode);
cusparseStatus_t cusparseLoggerSetCallback(cusparseLoggerCallback_t __callback);
cusparseStatus_t cusparseLoggerSetFile(FILE *__file);
cusparseStatus_t cusparseLoggerOpenFile(const char *__logFile);
cusparseStatus_t cusparseLoggerSetLevel(int __level);
cusparseStatus_t cusparseLoggerSetMask(int __mask);
cusparseStatus_t cusparseLoggerForceDisable(void);
cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *__descrA);
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t __descrA);
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t __descrA, cusparseMatrixType_t __type);
cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t __descrA, cusparseFillMode_t __fillMode);
cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t __descrA, cusparseDiagType_t __diagType);
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t __descrA, cusparseIndexBase_t __base);
cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t __handle, const int *__cooRowInd, int __nnz, int __m,
                                  int *__csrSortedRowPtr, cusparseIndexBase_t __idxBase);
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t __handle, const int *__csrSortedRowPtr, int __nnz, int __m,
                                  int *__cooRowInd, cusparseIndexBase_t __idxBase);
cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t __handle, int __m, int __n, int __nnz,
                                    const void *__csrVal, const int *__csrRowPtr, const int *__csrColInd,
                                    void *__cscVal, int *__cscColPtr, int *__cscRowInd,
                                    cudaDataType __valType, cusparseAction_t __copyValues,
                                    cusparseIndexBase_t __idxBase, cusparseCsr2CscAlg_t __alg,
                                    void *__buffer);
cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t __handle, int __m, int __n, int __nnz,
                                               const void *__csrVal, const int *__csrRowPtr,
                                               const int *__csrColInd, void *__cscVal, int *__cscColPtr,
                                               int *__cscRowInd, cudaDataType __valType,
                                               cusparseAction_t __copyValues, cusparseIndexBase_t __idxBase,
                                               cusparseCsr2CscAlg_t __alg, size_t *__bufferSize);
cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *__spVecDescr, int64_t __size, int64_t __nnz,
                                     void *__indices, void *__values, cusparseIndexType_t __idxType,
                                     cusparseIndexBase_t __idxBase, cudaDataType __valueType);
cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t *__spVecDescr, int64_t __size,
                                          int64_t __nnz, const void *__indices, const void *__values,
                                          cusparseIndexType_t __idxType, cusparseIndexBase_t __idxBase,
                                          cudaDataType __valueType);
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t __spVecDescr);
cusparseStatus_t cusparseSpVecGet(cusparseSpVecDescr_t __spVecDescr, int64_t *__size, int64_t *__nnz,
                                  void **__indices, void **__values, cusparseIndexType_t *__idxType,
                                  cusparseIndexBase_t *__idxBase, cudaDataType *__valueType);
cusparseStatus_t cusparseConstSpVecGet(cusparseConstSpVecDescr_t __spVecDescr, int64_t *__size,
                                       int64_t *__nnz, const void **__indices, const void **__values,
                                       cusparseIndexType_t *__idxType, cusparseIndexBase_t *__idxBase,
                                       cudaDataType *__valueType);
cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t __spVecDescr,
                                           cusparseIndexBase_t *__idxBase);
cusparseStatus_t cusparseSpVecGetValues(cusparseSpVecDescr_t __spVecDescr, void **__values);
cusparseStatus_t cusparseConstSpVecGetValues(cusparseConstSpVecDescr_t __spVecDescr, const void **__values);
cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t __spVecDescr, void *__values);
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *__dnVecDescr, int64_t __size, void *__values,
                                     cudaDataType __valueType);
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *__dnVecDescr, int64_t __size,
                                          const void *__values, cudaDataType __valueType);
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t __dnVecDescr);
cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t __dnVecDescr, int64_t *__size, void **__values,
                                  cudaDataType *__valueType);
cusparseStatus_t cusparseConstDnVecGet(cusparseConstDnVecDescr_t __dnVecDescr, int64_t *__size,
                                       const void **__values, cudaDataType *__valueType);
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t __dnVecDescr, void **__values);
cusparseStatus_t cusparseConstDnVecGetValues(cusparseConstDnVecDescr_t __dnVecDescr, const void **__values);
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t __dnVecDescr, void *__values);
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t __spMatDescr);
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t __spMatDescr, cusparseFormat_t *__format);
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t __spMatDescr,
                                           cusparseIndexBase_t *__idxBase);
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t __spMatDescr, void **__values);
cusparseStatus_t cusparseConstSpMatGetValues(cusparseConstSpMatDescr_t __spMatDescr, const void **__values);
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t __spMatDescr, void *__values);
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t __spMatDescr, int64_t *__rows,
                                      int64_t *__cols, int64_t *__nnz);
cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t __spMatDescr,
                                           cusparseSpMatAttribute_t __which, void *__data, size_t __dataSize);
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t __spMatDescr,
                                           cusparseSpMatAttribute_t __which, void *__data, size_t __dataSize);
cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *__spMatDescr, int64_t __rows, int64_t __cols,
                                   int64_t __nnz, void *__csrRowOffsets, void *__csrColInd, void *__csrValues,
                                   cusparseIndexType_t __csrRowOffsetsType,
                                   cusparseIndexType_t __csrColIndType, cusparseIndexBase_t __idxBase,
                                   cudaDataType __valueType);
cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t *__spMatDescr, int64_t __rows,
                                        int64_t __cols, int64_t __nnz, const void *__csrRowOffsets,
                                        const void *__csrColInd, const void *__csrValues,
                                        cusparseIndexType_t __csrRowOffsetsType,
                                        cusparseIndexType_t __csrColIndType, cusparseIndexBase_t __idxBase,
                                        cudaDataType __valueType);
cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t *__spMatDescr, int64_t __rows, int64_t __cols,
                                   int64_t __nnz, void *__cscColOffsets, void *__cscRowInd, void *__cscValues,
                                   cusparseIndexType_t __cscColOffsetsType,
                                   cusparseIndexType_t __cscRowIndType, cusparseIndexBase_t __idxBase,
                                   cudaDataType __valueType);
cusparseStatus_t cusparseCreateConstCsc(cusparseConstSpMatDescr_t *__spMatDescr, int64_t __rows,
                                        int64_t __cols, int64_t __nnz, const void *__cscColOffsets,
                                        const void *__cscRowInd, const void *__cscValues,
                                        cusparseIndexType_t __cscColOffsetsType,
                                        cusparseIndexType_t __cscRowIndType, cusparseIndexBase_t __idxBase,
                                        cudaDataType __valueType);
cusparseStatus_t cusparseCsrGet(cusparseSpMatDescr_t __spMatDescr, int64_t *__rows, int64_t *__cols,
                                int64_t *__nnz, void **__csrRowOffsets, void **__csrColInd,
                                void **__csrValues, cusparseIndexType_t *__csrRowOffsetsType,
                                cusparseIndexType_t *__csrColIndType, cusparseIndexBase_t *__idxBase,
                                cudaDataType *__valueType);
cusparseStatus_t cusparseConstCsrGet(cusparseConstSpMatDescr_t __spMatDescr, int64_t *__rows, int64_t *__cols,
                                     int64_t *__nnz, const void **__csrRowOffsets, const void **__csrColInd,
                                     const void **__csrValues, cusparseIndexType_t *__csrRowOffsetsType,
                                     cusparseIndexType_t *__csrColIndType, cusparseIndexBase_t *__idxBase,
                                     cudaDataType *__valueType);
cusparseStatus_t cusparseCscGet(cusparseSpMatDescr_t __spMatDescr, int64_t *__rows, int64_t *__cols,
                                int64_t *__nnz, void **__cscColOffsets, void **__cscRowInd,
                                void **__cscValues, cusparseIndexType_t *__cscColOffsetsType,
                                cusparseIndexType_t *__cscRowIndType, cusparseIndexBase_t *__idxBase,
                                cudaDataType *__valueType);
cusparseStatus_t cusparseConstCscGet(cusparseConstSpMatDescr_t __spMatDescr, int64_t *__rows, int64_t *__cols,
                                     int64_t *__nnz, const void **__cscColOffsets, const void **__cscRowInd,
                                     const void **__cscValues, cusparseIndexType_t *__cscColOffsetsType,
                                     cusparseIndexType_t *__cscRowIndType, cusparseIndexBase_t *__idxBase,
                                     cudaDataType *__valueType);
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t __spMatDescr, void *__csrRowOffsets,
                                        void *__csrColInd, void *__csrValues);
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t __spMatDescr, void *__cscColOffsets,
                                        void *__cscRowInd, void *__cscValues);
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *__spMatDescr, int64_t __rows, int64_t __cols,
                                   int64_t __nnz, void *__cooRowInd, void *__cooColInd, void *__cooValues,
                                   cusparseIndexType_t __cooIdxType, cusparseIndexBase_t __idxBase,
                                   cudaDataType __valueType);
cusparseStatus_t cusparseCreateConstCoo(cusparseConstSpMatDescr_t *__spMatDescr, int64_t __rows,
                                        int64_t __cols, int64_t __nnz, const void *__cooRowInd,
                                        const void *__cooColInd, const void *__cooValues,
                                        cusparseIndexType_t __cooIdxType, cusparseIndexBase_t __idxBase,
                                        cudaDataType __valueType);
cusparseStatus_t cusparseCooGet(cusparseSpMatDescr_t __spMatDescr, int64_t *__rows, int64_t *__cols,
                                int64_t *__nnz, void **__cooRowInd, void **__cooColInd, void **__cooValues,
                                cusparseIndexType_t *__idxType, cusparseIndexBase_t *__idxBase,
                                cudaDataType *__valueType);
cusparseStatus_t cusparseConstCooGet(cusparseConstSpMatDescr_t __spMatDescr, int64_t *__rows, int64_t *__cols,
                                     int64_t *__nnz, const void **__cooRowInd, const void **__cooColInd,
                                     const void **__cooValues, cusparseIndexType_t *__idxType,
                                     cusparseIndexBase_t *__idxBase, cudaDataType *__valueType);
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t __spMatDescr, void *__cooRows,
                                        void *__cooColumns, void *__cooValues);
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *__dnMatDescr, int64_t __rows, int64_t __cols,
                                     int64_t __ld, void *__values, cudaDataType __valueType,
                                     cusparseOrder_t __order);
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t *__dnMatDescr, int64_t __rows,
                                          int64_t __cols, int64_t __ld, const void *__values,
                                          cudaDataType __valueType, cusparseOrder_t __order);
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t __dnMatDescr);
cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t __dnMatDescr, int64_t *__rows, int64_t *__cols,
                                  int64_t *__ld, void **__values, cudaDataType *__type,
                                  cusparseOrder_t *__order);
cusparseStatus_t cusparseConstDnMatGet(cusparseConstDnMatDescr_t __dnMatDescr, int64_t *__rows,
                                       int64_t *__cols, int64_t *__ld, const void **__values,
                                       cudaDataType *__type, cusparseOrder_t *__order);
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t __dnMatDescr, void **__values);
cusparseStatus_t cusparseConstDnMatGetValues(cusparseConstDnMatDescr_t __dnMatDescr, const void **__values);
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t __dnMatDescr, void *__values);
cusparseStatus_t cusparseAxpby(cusparseHandle_t __handle, const void *__alpha,
                               cusparseConstSpVecDescr_t __vecX, const void *__beta,
                               cusparseDnVecDescr_t __vecY);
cusparseStatus_t cusparseGather(cusparseHandle_t __handle, cusparseConstDnVecDescr_t __vecY,
                                cusparseSpVecDescr_t __vecX);
cusparseStatus_t cusparseScatter(cusparseHandle_t __handle, cusparseConstSpVecDescr_t __vecX,
                                 cusparseDnVecDescr_t __vecY);
cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t __handle, cusparseOperation_t __opX,
                                         cusparseConstSpVecDescr_t __vecX, cusparseConstDnVecDescr_t __vecY,
                                         const void *__result, cudaDataType __computeType,
                                         size_t *__bufferSize);
cusparseStatus_t cusparseSpVV(cusparseHandle_t __handle, cusparseOperation_t __opX,
                              cusparseConstSpVecDescr_t __vecX, cusparseConstDnVecDescr_t __vecY,
                              void *__result, cudaDataType __computeType, void *__externalBuffer);
cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t __handle, cusparseConstSpMatDescr_t __matA,
                                                  cusparseDnMatDescr_t __matB,
                                                  cusparseSparseToDenseAlg_t __alg, size_t *__bufferSize);
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t __handle, cusparseConstSpMatDescr_t __matA,
                                       cusparseDnMatDescr_t __matB, cusparseSparseToDenseAlg_t __alg,
                                       void *__externalBuffer);
cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t __handle, cusparseConstDnMatDescr_t __matA,
                                                  cusparseSpMatDescr_t __matB,
                                                  cusparseDenseToSparseAlg_t __alg, size_t *__bufferSize);
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t __handle, cusparseConstDnMatDescr_t __matA,
                                                cusparseSpMatDescr_t __matB, cusparseDenseToSparseAlg_t __alg,
                                                void *__externalBuffer);
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t __handle, cusparseConstDnMatDescr_t __matA,
                                               cusparseSpMatDescr_t __matB, cusparseDenseToSparseAlg_t __alg,
                                               void *__externalBuffer);
cusparseStatus_t cusparseSpMV(cusparseHandle_t __handle, cusparseOperation_t __opA, const void *__alpha,
                              cusparseConstSpMatDescr_t __matA, cusparseConstDnVecDescr_t __vecX,
                              const void *__beta, cusparseDnVecDescr_t __vecY, cudaDataType __computeType,
                              cusparseSpMVAlg_t __alg, void *__externalBuffer);
cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t __handle, cusparseOperation_t __opA,
                                         const void *__alpha, cusparseConstSpMatDescr_t __matA,
                                         cusparseConstDnVecDescr_t __vecX, const void *__beta,
                                         cusparseDnVecDescr_t __vecY, cudaDataType __computeType,
                                         cusparseSpMVAlg_t __alg, size_t *__bufferSize);
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t __handle, cusparseOperation_t __opA,
                                         const void *__alpha, cusparseConstSpMatDescr_t __matA,
                                         cusparseConstDnVecDescr_t __vecX, const void *__beta,
                                         cusparseDnVecDescr_t __vecY, cudaDataType __computeType,
                                         cusparseSpMVAlg_t __alg, void *__externalBuffer);
cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *__descr);
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t __descr);
cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t __handle, cusparseOperation_t __opA,
                                         const void *__alpha, cusparseConstSpMatDescr_t __matA,
                                         cusparseConstDnVecDescr_t __vecX, cusparseDnVecDescr_t __vecY,
                                         cudaDataType __computeType, cusparseSpSVAlg_t __alg,
                                         cusparseSpSVDescr_t __spsvDescr, size_t *__bufferSize);
cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t __handle, cusparseOperation_t __opA,
                                       const void *__alpha, cusparseConstSpMatDescr_t __matA,
                                       cusparseConstDnVecDescr_t __vecX, cusparseDnVecDescr_t __vecY,
                                       cudaDataType __computeType, cusparseSpSVAlg_t __alg,
                                       cusparseSpSVDescr_t __spsvDescr, void *__externalBuffer);
cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t __handle, cusparseOperation_t __opA, const void *__alpha,
                                    cusparseConstSpMatDescr_t __matA, cusparseConstDnVecDescr_t __vecX,
                                    cusparseDnVecDescr_t __vecY, cudaDataType __computeType,
                                    cusparseSpSVAlg_t __alg, cusparseSpSVDescr_t __spsvDescr);
cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t *__descr);
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t __descr);
cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t __handle, cusparseOperation_t __opA,
                                         cusparseOperation_t __opB, const void *__alpha,
                                         cusparseConstSpMatDescr_t __matA, cusparseConstDnMatDescr_t __matB,
                                         cusparseDnMatDescr_t __matC, cudaDataType __computeType,
                                         cusparseSpSMAlg_t __alg, cusparseSpSMDescr_t __spsmDescr,
                                         size_t *__bufferSize);
cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t __handle, cusparseOperation_t __opA,
                                       cusparseOperation_t __opB, const void *__alpha,
                                       cusparseConstSpMatDescr_t __matA, cusparseConstDnMatDescr_t __matB,
                                       cusparseDnMatDescr_t __matC, cudaDataType __computeType,
                                       cusparseSpSMAlg_t __alg, cusparseSpSMDescr_t __spsmDescr,
                                       void *__externalBuffer);
cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t __handle, cusparseOperation_t __opA,
                                    cusparseOperation_t __opB, const void *__alpha,
                                    cusparseConstSpMatDescr_t __matA, cusparseConstDnMatDescr_t __matB,
                                    cusparseDnMatDescr_t __matC, cudaDataType __computeType,
                                    cusparseSpSMAlg_t __alg, cusparseSpSMDescr_t __spsmDescr);
cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t __handle, cusparseOperation_t __opA,
                                         cusparseOperation_t __opB, const void *__alpha,
                                         cusparseConstSpMatDescr_t __matA, cusparseConstDnMatDescr_t __matB,
                                         const void *__beta, cusparseDnMatDescr_t __matC,
                                         cudaDataType __computeType, cusparseSpMMAlg_t __alg,
                                         size_t *__bufferSize);
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t __handle, cusparseOperation_t __opA,
                                         cusparseOperation_t __opB, const void *__alpha,
                                         cusparseConstSpMatDescr_t __matA, cusparseConstDnMatDescr_t __matB,
                                         const void *__beta, cusparseDnMatDescr_t __matC,
                                         cudaDataType __computeType, cusparseSpMMAlg_t __alg,
                                         void *__externalBuffer);
cusparseStatus_t cusparseSpMM(cusparseHandle_t __handle, cusparseOperation_t __opA, cusparseOperation_t __opB,
                              const void *__alpha, cusparseConstSpMatDescr_t __matA,
                              cusparseConstDnMatDescr_t __matB, const void *__beta,
                              cusparseDnMatDescr_t __matC, cudaDataType __computeType,
                              cusparseSpMMAlg_t __alg, void *__externalBuffer);
cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *__descr);
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t __descr);
cusparseStatus_t cusparseSpGEMM_workEstimation(cusparseHandle_t __handle, cusparseOperation_t __opA,
                                               cusparseOperation_t __opB, const void *__alpha,
                                               cusparseConstSpMatDescr_t __matA,
                                               cusparseConstSpMatDescr_t __matB, const void *__beta,
                                               cusparseSpMatDescr_t __matC, cudaDataType __computeType,
                                               cusparseSpGEMMAlg_t __alg, cusparseSpGEMMDescr_t __spgemmDescr,
                                               size_t *__bufferSize1, void *__externalBuffer1);
cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t __spgemmDescr, int64_t *__num_prods);
cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t __handle, cusparseOperation_t __opA,
                                        cusparseOperation_t __opB, const void *__alpha,
                                        cusparseConstSpMatDescr_t __matA, cusparseConstSpMatDescr_t __matB,
                                        const void *__beta, cusparseSpMatDescr_t __matC,
                                        cudaDataType __computeType, cusparseSpGEMMAlg_t __alg,
                                        cusparseSpGEMMDescr_t __spgemmDescr, size_t *__bufferSize2,
                                        void *__externalBuffer2);
cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t __handle, cusparseOperation_t __opA,
                                     cusparseOperation_t __opB, const void *__alpha,
                                     cusparseConstSpMatDescr_t __matA, cusparseConstSpMatDescr_t __matB,
                                     const void *__beta, cusparseSpMatDescr_t __matC,
                                     cudaDataType __computeType, cusparseSpGEMMAlg_t __alg,
                                     cusparseSpGEMMDescr_t __spgemmDescr);
cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t __handle, cusparseOperation_t __opA,
                                          cusparseOperation_t __opB, const void *__alpha,
                                          cusparseConstDnMatDescr_t __matA, cusparseConstDnMatDescr_t __matB,
                                          const void *__beta, cusparseSpMatDescr_t __matC,
                                          cudaDataType __computeType, cusparseSDDMMAlg_t __alg,
                                          size_t *__bufferSize);
cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t __handle, cusparseOperation_t __opA,
                                          cusparseOperation_t __opB, const void *__alpha,
                                          cusparseConstDnMatDescr_t __matA, cusparseConstDnMatDescr_t __matB,
                                          const void *__beta, cusparseSpMatDescr_t __matC,
                                          cudaDataType __computeType, cusparseSDDMMAlg_t __alg,
                                          void *__externalBuffer);
cusparseStatus_t cusparseSDDMM(cusparseHandle_t __handle, cusparseOperation_t __opA,
                               cusparseOperation_t __opB, const void *__alpha,
                               cusparseConstDnMatDescr_t __matA, cusparseConstDnMatDescr_t __matB,
                               const void *__beta, cusparseSpMatDescr_t __matC, cudaDataType __computeType,
                               cusparseSDDMMAlg_t __alg, void *__externalBuffer);
/** @} */

#include "umsim/cusparse_rows.h"

#ifdef __cplusplus
}
#endif
#endif
