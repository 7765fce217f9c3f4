/**
 * @file cublas.h
 * @brief The first form of cuBLAS, without handles: scalars and results are values, options are letters ('n',
 * 't', 'c', 'u', 'l', 'r'), and cublasGetError() tells whether calls since the last one failed. A program
 * includes this or cublas_v2.h.
 *
 * Not provided: banded and packed matrices, updates of a triangle by vectors, rotg, rotm.
 */
#ifndef CUBLAS_H_
#define CUBLAS_H_

#ifdef CUBLAS_V2_H_
#error "a program includes cublas.h or cublas_v2.h: their names are the same, their arguments are not"
#endif

#include "cuda_runtime.h"

#ifndef CUBLASAPI
#define CUBLASAPI /**< NVIDIA's word before each call; nothing on Linux */
#endif

#include "cublas_api.h"

#ifdef __cplusplus
extern "C" {
#endif

#define cublasStatus cublasStatus_t /**< its older name */

/** @name The library, and memory @{ */
cublasStatus cublasInit(void);
cublasStatus cublasShutdown(void);
/** The first error since the last call of this. */
cublasStatus cublasGetError(void);
cublasStatus cublasGetVersion(int *__version);
cublasStatus cublasAlloc(int __n, int __elemSize, void **__devicePtr);
cublasStatus cublasFree(void *__devicePtr);
cublasStatus cublasSetKernelStream(cudaStream_t __stream);
/** @} */

/* P: a call's prefix, a whole word; T: its numbers; R: their parts; I, PR: prefixes of indices and of real
 * results */
#define UMSIM_CUBLAS_OLD(P, I, PR, T, R)                                                                     \
    R PR##nrm2(int __n, const T *__x, int __incx);                                                           \
    R PR##asum(int __n, const T *__x, int __incx);                                                           \
    int I##amax(int __n, const T *__x, int __incx);                                                          \
    int I##amin(int __n, const T *__x, int __incx);                                                          \
    void P##scal(int __n, T __alpha, T *__x, int __incx);                                                    \
    void P##axpy(int __n, T __alpha, const T *__x, int __incx, T *__y, int __incy);                          \
    void P##copy(int __n, const T *__x, int __incx, T *__y, int __incy);                                     \
    void P##swap(int __n, T *__x, int __incx, T *__y, int __incy);                                           \
    void P##rot(int __n, T *__x, int __incx, T *__y, int __incy, R __c, T __s);                              \
    void P##gemv(char __trans, int __m, int __n, T __alpha, const T *__A, int __lda, const T *__x,           \
                 int __incx, T __beta, T *__y, int __incy);                                                  \
    void P##trmv(char __uplo, char __trans, char __diag, int __n, const T *__A, int __lda, T *__x,           \
                 int __incx);                                                                                \
    void P##trsv(char __uplo, char __trans, char __diag, int __n, const T *__A, int __lda, T *__x,           \
                 int __incx);                                                                                \
    void P##gemm(char __transa, char __transb, int __m, int __n, int __k, T __alpha, const T *__A,           \
                 int __lda, const T *__B, int __ldb, T __beta, T *__C, int __ldc);                           \
    void P##symm(char __side, char __uplo, int __m, int __n, T __alpha, const T *__A, int __lda,             \
                 const T *__B, int __ldb, T __beta, T *__C, int __ldc);                                      \
    void P##syrk(char __uplo, char __trans, int __n, int __k, T __alpha, const T *__A, int __lda, T __beta,  \
                 T *__C, int __ldc);                                                                         \
    void P##syr2k(char __uplo, char __trans, int __n, int __k, T __alpha, const T *__A, int __lda,           \
                  const T *__B, int __ldb, T __beta, T *__C, int __ldc);                                     \
    void P##trmm(char __side, char __uplo, char __transa, char __diag, int __m, int __n, T __alpha,          \
                 const T *__A, int __lda, T *__B, int __ldb);                                                \
    void P##trsm(char __side, char __uplo, char __transa, char __diag, int __m, int __n, T __alpha,          \
                 const T *__A, int __lda, T *__B, int __ldb);
#define UMSIM_CUBLAS_OLD_GER(name, T)                                                                        \
    void name(int __m, int __n, T __alpha, const T *__x, int __incx, const T *__y, int __incy, T *__A,       \
              int __lda);
#define UMSIM_CUBLAS_OLD_DOT(name, T) T name(int __n, const T *__x, int __incx, const T *__y, int __incy);
#define UMSIM_CUBLAS_OLD_SYMV(name, T)                                                                       \
    void name(char __uplo, int __n, T __alpha, const T *__A, int __lda, const T *__x, int __incx, T __beta,  \
              T *__y, int __incy);

UMSIM_CUBLAS_OLD(cublasS, cublasIs, cublasS, float, float)
UMSIM_CUBLAS_OLD(cublasD, cublasId, cublasD, double, double)
UMSIM_CUBLAS_OLD(cublasC, cublasIc, cublasSc, cuComplex, float)
UMSIM_CUBLAS_OLD(cublasZ, cublasIz, cublasDz, cuDoubleComplex, double)
UMSIM_CUBLAS_OLD_GER(cublasSger, float)
UMSIM_CUBLAS_OLD_GER(cublasDger, double)
UMSIM_CUBLAS_OLD_GER(cublasCgeru, cuComplex)
UMSIM_CUBLAS_OLD_GER(cublasCgerc, cuComplex)
UMSIM_CUBLAS_OLD_GER(cublasZgeru, cuDoubleComplex)
UMSIM_CUBLAS_OLD_GER(cublasZgerc, cuDoubleComplex)
UMSIM_CUBLAS_OLD_DOT(cublasSdot, float)
UMSIM_CUBLAS_OLD_DOT(cublasDdot, double)
UMSIM_CUBLAS_OLD_DOT(cublasCdotu, cuComplex)
UMSIM_CUBLAS_OLD_DOT(cublasCdotc, cuComplex)
UMSIM_CUBLAS_OLD_DOT(cublasZdotu, cuDoubleComplex)
UMSIM_CUBLAS_OLD_DOT(cublasZdotc, cuDoubleComplex)
UMSIM_CUBLAS_OLD_SYMV(cublasSsymv, float)
UMSIM_CUBLAS_OLD_SYMV(cublasDsymv, double)
UMSIM_CUBLAS_OLD_SYMV(cublasChemv, cuComplex)
UMSIM_CUBLAS_OLD_SYMV(cublasZhemv, cuDoubleComplex)
#undef UMSIM_CUBLAS_OLD
#undef UMSIM_CUBLAS_OLD_GER
#undef UMSIM_CUBLAS_OLD_DOT
#undef UMSIM_CUBLAS_OLD_SYMV

#ifdef __cplusplus
}
#endif
#endif
