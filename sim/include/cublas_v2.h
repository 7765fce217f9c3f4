/**
 * @file cublas_v2.h
 * @brief A small cuBLAS: vectors and dense matrices of float and double, stored by columns.
 *
 * The simulator has its own kernels for it (sim/cublas). Programs link it with -lcublas.
 *
 * Names, arguments and results are cuBLAS's. Sums are formed in another order, so the last digits differ.
 * Before a kernel starts, each array is checked. If one is in host memory or is too short, it is named on
 * stderr, and the call returns CUBLAS_STATUS_EXECUTION_FAILED; a GPU would fail later, when the kernel
 * reaches it. Not provided: complex numbers, half, triangular and banded matrices, batches by pointers,
 * cublasLt.
 *
 * Unless stated otherwise, a call is queued on the handle's stream and returns at once. Scalars (`alpha`,
 * `beta`) and results are in host memory, or with CUBLAS_POINTER_MODE_DEVICE in device memory. A call whose
 * result is in host memory waits for it.
 */
#ifndef CUBLAS_V2_H_
#define CUBLAS_V2_H_

#include "cuda_runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CUBLAS_VER_MAJOR 13 /**< the version that this header replaces */
#define CUBLAS_VER_MINOR 0
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VERSION (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)

/** The result of a call. */
typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1, /**< the handle is invalid */
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7, /**< an invalid size, stride or mode */
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,    /**< a copy between host and device failed */
    CUBLAS_STATUS_EXECUTION_FAILED = 13, /**< a kernel could not be started, or could not access an array */
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;

/** Whether a matrix is used as it is or transposed. */
typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 } cublasOperation_t;
/** Where scalars and results are. */
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
/** Accepted; arithmetic is always that of the arrays' type. */
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3
} cublasMath_t;

/** Made by cublasCreate(). */
typedef struct cublasContext *cublasHandle_t;

/** @name Handles @{ */
cublasStatus_t cublasCreate_v2(cublasHandle_t *__handle);
/** Waits for the device. */
cublasStatus_t cublasDestroy_v2(cublasHandle_t __handle);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t __handle, int *__version);
cublasStatus_t cublasSetStream_v2(cublasHandle_t __handle, cudaStream_t __streamId);
cublasStatus_t cublasGetStream_v2(cublasHandle_t __handle, cudaStream_t *__streamId);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t __handle, cublasPointerMode_t __mode);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t __handle, cublasPointerMode_t *__mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t __handle, cublasMath_t __mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t __handle, cublasMath_t *__mode);
const char *cublasGetStatusName(cublasStatus_t __status);
const char *cublasGetStatusString(cublasStatus_t __status);
/** @} */

/**
 * @name Copies between host and device: of every `__incx`-th element, and of matrices by columns
 * The Async ones return at once.
 * @{
 */
cublasStatus_t cublasSetVector(int __n, int __elemSize, const void *__x, int __incx, void *__devicePtr,
                               int __incy);
cublasStatus_t cublasGetVector(int __n, int __elemSize, const void *__x, int __incx, void *__y, int __incy);
cublasStatus_t cublasSetMatrix(int __rows, int __cols, int __elemSize, const void *_Ap, int __lda, void *_Bp,
                               int __ldb);
cublasStatus_t cublasGetMatrix(int __rows, int __cols, int __elemSize, const void *_Ap, int __lda, void *_Bp,
                               int __ldb);
cublasStatus_t cublasSetVectorAsync(int __n, int __elemSize, const void *__hostPtr, int __incx,
                                    void *__devicePtr, int __incy, cudaStream_t __stream);
cublasStatus_t cublasGetVectorAsync(int __n, int __elemSize, const void *__devicePtr, int __incx,
                                    void *__hostPtr, int __incy, cudaStream_t __stream);
cublasStatus_t cublasSetMatrixAsync(int __rows, int __cols, int __elemSize, const void *_Ap, int __lda,
                                    void *_Bp, int __ldb, cudaStream_t __stream);
cublasStatus_t cublasGetMatrixAsync(int __rows, int __cols, int __elemSize, const void *_Ap, int __lda,
                                    void *_Bp, int __ldb, cudaStream_t __stream);
/** @} */

/* All calls of one type: S and float, D and double. */
#define UMSIM_CUBLAS(P, i, T)                                                                                \
    cublasStatus_t cublas##P##axpy_v2(cublasHandle_t __handle, int __n, const T *__alpha, const T *__x,      \
                                      int __incx, T *__y, int __incy);                                       \
    cublasStatus_t cublas##P##scal_v2(cublasHandle_t __handle, int __n, const T *__alpha, T *__x,            \
                                      int __incx);                                                           \
    cublasStatus_t cublas##P##copy_v2(cublasHandle_t __handle, int __n, const T *__x, int __incx, T *__y,    \
                                      int __incy);                                                           \
    cublasStatus_t cublas##P##swap_v2(cublasHandle_t __handle, int __n, T *__x, int __incx, T *__y,          \
                                      int __incy);                                                           \
    cublasStatus_t cublas##P##dot_v2(cublasHandle_t __handle, int __n, const T *__x, int __incx,             \
                                     const T *__y, int __incy, T *__result);                                 \
    cublasStatus_t cublas##P##nrm2_v2(cublasHandle_t __handle, int __n, const T *__x, int __incx,            \
                                      T *__result);                                                          \
    cublasStatus_t cublas##P##asum_v2(cublasHandle_t __handle, int __n, const T *__x, int __incx,            \
                                      T *__result);                                                          \
    cublasStatus_t cublasI##i##amax_v2(cublasHandle_t __handle, int __n, const T *__x, int __incx,           \
                                       int *__result);                                                       \
    cublasStatus_t cublasI##i##amin_v2(cublasHandle_t __handle, int __n, const T *__x, int __incx,           \
                                       int *__result);                                                       \
    cublasStatus_t cublas##P##gemv_v2(cublasHandle_t __handle, cublasOperation_t __trans, int __m, int __n,  \
                                      const T *__alpha, const T *_Ap, int __lda, const T *__x, int __incx,   \
                                      const T *__beta, T *__y, int __incy);                                  \
    cublasStatus_t cublas##P##ger_v2(cublasHandle_t __handle, int __m, int __n, const T *__alpha,            \
                                     const T *__x, int __incx, const T *__y, int __incy, T *_Ap, int __lda); \
    cublasStatus_t cublas##P##gemm_v2(cublasHandle_t __handle, cublasOperation_t __transa,                   \
                                      cublasOperation_t __transb, int __m, int __n, int __k,                 \
                                      const T *__alpha, const T *_Ap, int __lda, const T *_Bp, int __ldb,    \
                                      const T *__beta, T *_Cp, int __ldc);                                   \
    cublasStatus_t cublas##P##gemmStridedBatched(                                                            \
        cublasHandle_t __handle, cublasOperation_t __transa, cublasOperation_t __transb, int __m, int __n,   \
        int __k, const T *__alpha, const T *_Ap, int __lda, long long int __strideA, const T *_Bp,           \
        int __ldb, long long int __strideB, const T *__beta, T *_Cp, int __ldc, long long int __strideC,     \
        int __batchCount);                                                                                   \
    cublasStatus_t cublas##P##geam(cublasHandle_t __handle, cublasOperation_t __transa,                      \
                                   cublasOperation_t __transb, int __m, int __n, const T *__alpha,           \
                                   const T *_Ap, int __lda, const T *__beta, const T *_Bp, int __ldb,        \
                                   T *_Cp, int __ldc);

UMSIM_CUBLAS(S, s, float)
UMSIM_CUBLAS(D, d, double)
#undef UMSIM_CUBLAS

/** @name The names that programs use @{ */
#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasGetVersion cublasGetVersion_v2
#define cublasSetStream cublasSetStream_v2
#define cublasGetStream cublasGetStream_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasGetPointerMode cublasGetPointerMode_v2
#define cublasSaxpy cublasSaxpy_v2
#define cublasDaxpy cublasDaxpy_v2
#define cublasSscal cublasSscal_v2
#define cublasDscal cublasDscal_v2
#define cublasScopy cublasScopy_v2
#define cublasDcopy cublasDcopy_v2
#define cublasSswap cublasSswap_v2
#define cublasDswap cublasDswap_v2
#define cublasSdot cublasSdot_v2
#define cublasDdot cublasDdot_v2
#define cublasSnrm2 cublasSnrm2_v2
#define cublasDnrm2 cublasDnrm2_v2
#define cublasSasum cublasSasum_v2
#define cublasDasum cublasDasum_v2
#define cublasSgemv cublasSgemv_v2
#define cublasDgemv cublasDgemv_v2
#define cublasSger cublasSger_v2
#define cublasDger cublasDger_v2
#define cublasSgemm cublasSgemm_v2
#define cublasDgemm cublasDgemm_v2
#define cublasIsamax cublasIsamax_v2
#define cublasIdamax cublasIdamax_v2
#define cublasIsamin cublasIsamin_v2
#define cublasIdamin cublasIdamin_v2
/** @} */

#ifdef __cplusplus
}
#endif
#endif
