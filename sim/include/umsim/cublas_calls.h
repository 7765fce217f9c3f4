/**
 * @file cublas_calls.h
 * @brief cuBLAS's calls on vectors and matrices, as rows of macros: P is a call's prefix (cublasS, cublasD,
 * cublasC, cublasZ), T its type of numbers and R that of their parts; N is the sizes' type, X the suffix that
 * goes with it
 * (_64).
 *
 * Prefixes are whole words, since a program may define a macro of one letter.
 */
#ifndef UMSIM_CUBLAS_CALLS_H
#define UMSIM_CUBLAS_CALLS_H

#define UMSIM_BLAS_LEVEL_1(P, T, R, N, X)                                                                    \
    cublasStatus_t P##axpy_v2##X(cublasHandle_t __handle, N __n, const T *__alpha, const T *__x, N __incx,   \
                                 T *__y, N __incy);                                                          \
    cublasStatus_t P##scal_v2##X(cublasHandle_t __handle, N __n, const T *__alpha, T *__x, N __incx);        \
    cublasStatus_t P##copy_v2##X(cublasHandle_t __handle, N __n, const T *__x, N __incx, T *__y, N __incy);  \
    cublasStatus_t P##swap_v2##X(cublasHandle_t __handle, N __n, T *__x, N __incx, T *__y, N __incy);        \
    cublasStatus_t P##rot_v2##X(cublasHandle_t __handle, N __n, T *__x, N __incx, T *__y, N __incy,          \
                                const R *__c, const T *__s);
#define UMSIM_BLAS_ONLY_REAL(P, T, N, X)                                                                     \
    cublasStatus_t P##rotm_v2##X(cublasHandle_t __handle, N __n, T *__x, N __incx, T *__y, N __incy,         \
                                 const T *__param);
#define UMSIM_BLAS_ONLY_COMPLEX(P, T, R, N, X)                                                               \
    cublasStatus_t P##scal_v2##X(cublasHandle_t __handle, N __n, const R *__alpha, T *__x, N __incx);        \
    cublasStatus_t P##rot_v2##X(cublasHandle_t __handle, N __n, T *__x, N __incx, T *__y, N __incy,          \
                                const R *__c, const R *__s);
UMSIM_BLAS_LEVEL_1(cublasS, float, float, int, )
UMSIM_BLAS_LEVEL_1(cublasS, float, float, int64_t, _64)
UMSIM_BLAS_LEVEL_1(cublasD, double, double, int, )
UMSIM_BLAS_LEVEL_1(cublasD, double, double, int64_t, _64)
UMSIM_BLAS_LEVEL_1(cublasC, cuComplex, float, int, )
UMSIM_BLAS_LEVEL_1(cublasC, cuComplex, float, int64_t, _64)
UMSIM_BLAS_LEVEL_1(cublasZ, cuDoubleComplex, double, int, )
UMSIM_BLAS_LEVEL_1(cublasZ, cuDoubleComplex, double, int64_t, _64)
UMSIM_BLAS_ONLY_REAL(cublasS, float, int, )
UMSIM_BLAS_ONLY_REAL(cublasS, float, int64_t, _64)
UMSIM_BLAS_ONLY_REAL(cublasD, double, int, )
UMSIM_BLAS_ONLY_REAL(cublasD, double, int64_t, _64)
UMSIM_BLAS_ONLY_COMPLEX(cublasCs, cuComplex, float, int, )
UMSIM_BLAS_ONLY_COMPLEX(cublasCs, cuComplex, float, int64_t, _64)
UMSIM_BLAS_ONLY_COMPLEX(cublasZd, cuDoubleComplex, double, int, )
UMSIM_BLAS_ONLY_COMPLEX(cublasZd, cuDoubleComplex, double, int64_t, _64)
#define UMSIM_BLAS_ROTG(P, T, R)                                                                             \
    cublasStatus_t P##rotg_v2(cublasHandle_t __handle, T *__a, T *__b, R *__c, T *__s);
UMSIM_BLAS_ROTG(cublasS, float, float)
UMSIM_BLAS_ROTG(cublasD, double, double)
UMSIM_BLAS_ROTG(cublasC, cuComplex, float)
UMSIM_BLAS_ROTG(cublasZ, cuDoubleComplex, double)
#define UMSIM_BLAS_OF_ONE(name, T, Result, N, X)                                                             \
    cublasStatus_t name(cublasHandle_t __handle, N __n, const T *__x, N __incx, Result *__result);
#define UMSIM_BLAS_SUMS(PR, i, T, R, N, X)                                                                   \
    UMSIM_BLAS_OF_ONE(PR##nrm2_v2##X, T, R, N, X)                                                            \
    UMSIM_BLAS_OF_ONE(PR##asum_v2##X, T, R, N, X)                                                            \
    cublasStatus_t i##amax_v2##X(cublasHandle_t __handle, N __n, const T *__x, N __incx, N *__result);       \
    cublasStatus_t i##amin_v2##X(cublasHandle_t __handle, N __n, const T *__x, N __incx, N *__result);
UMSIM_BLAS_SUMS(cublasS, cublasIs, float, float, int, )
UMSIM_BLAS_SUMS(cublasS, cublasIs, float, float, int64_t, _64)
UMSIM_BLAS_SUMS(cublasD, cublasId, double, double, int, )
UMSIM_BLAS_SUMS(cublasD, cublasId, double, double, int64_t, _64)
UMSIM_BLAS_SUMS(cublasSc, cublasIc, cuComplex, float, int, )
UMSIM_BLAS_SUMS(cublasSc, cublasIc, cuComplex, float, int64_t, _64)
UMSIM_BLAS_SUMS(cublasDz, cublasIz, cuDoubleComplex, double, int, )
UMSIM_BLAS_SUMS(cublasDz, cublasIz, cuDoubleComplex, double, int64_t, _64)
#define UMSIM_BLAS_DOT(name, T, N, X)                                                                        \
    cublasStatus_t name##_v2##X(cublasHandle_t __handle, N __n, const T *__x, N __incx, const T *__y,        \
                                N __incy, T *__result);
UMSIM_BLAS_DOT(cublasSdot, float, int, )
UMSIM_BLAS_DOT(cublasSdot, float, int64_t, _64)
UMSIM_BLAS_DOT(cublasDdot, double, int, )
UMSIM_BLAS_DOT(cublasDdot, double, int64_t, _64)
UMSIM_BLAS_DOT(cublasCdotu, cuComplex, int, )
UMSIM_BLAS_DOT(cublasCdotu, cuComplex, int64_t, _64)
UMSIM_BLAS_DOT(cublasCdotc, cuComplex, int, )
UMSIM_BLAS_DOT(cublasCdotc, cuComplex, int64_t, _64)
UMSIM_BLAS_DOT(cublasZdotu, cuDoubleComplex, int, )
UMSIM_BLAS_DOT(cublasZdotu, cuDoubleComplex, int64_t, _64)
UMSIM_BLAS_DOT(cublasZdotc, cuDoubleComplex, int, )
UMSIM_BLAS_DOT(cublasZdotc, cuDoubleComplex, int64_t, _64)
#define UMSIM_BLAS_GEMV(P, T, N, X)                                                                          \
    cublasStatus_t P##gemv_v2##X(cublasHandle_t __handle, cublasOperation_t __trans, N __m, N __n,           \
                                 const T *__alpha, const T *__A, N __lda, const T *__x, N __incx,            \
                                 const T *__beta, T *__y, N __incy);                                         \
    cublasStatus_t P##gbmv_v2##X(cublasHandle_t __handle, cublasOperation_t __trans, N __m, N __n, N __kl,   \
                                 N __ku, const T *__alpha, const T *__A, N __lda, const T *__x, N __incx,    \
                                 const T *__beta, T *__y, N __incy);                                         \
    cublasStatus_t P##gemvBatched##X(cublasHandle_t __handle, cublasOperation_t __trans, N __m, N __n,       \
                                     const T *__alpha, const T *const __Aarray[], N __lda,                   \
                                     const T *const __xarray[], N __incx, const T *__beta,                   \
                                     T *const __yarray[], N __incy, N __batchCount);                         \
    cublasStatus_t P##gemvStridedBatched##X(                                                                 \
        cublasHandle_t __handle, cublasOperation_t __trans, N __m, N __n, const T *__alpha, const T *__A,    \
        N __lda, long long int __strideA, const T *__x, N __incx, long long int __stridex, const T *__beta,  \
        T *__y, N __incy, long long int __stridey, N __batchCount);
#define UMSIM_BLAS_SYMMETRIC_MV(P, T, call, N, X)                                                            \
    cublasStatus_t P##call##_v2##X(cublasHandle_t __handle, cublasFillMode_t __uplo, N __n,                  \
                                   const T *__alpha, const T *__A, N __lda, const T *__x, N __incx,          \
                                   const T *__beta, T *__y, N __incy);
#define UMSIM_BLAS_BAND_MV(P, T, call, N, X)                                                                 \
    cublasStatus_t P##call##_v2##X(cublasHandle_t __handle, cublasFillMode_t __uplo, N __n, N __k,           \
                                   const T *__alpha, const T *__A, N __lda, const T *__x, N __incx,          \
                                   const T *__beta, T *__y, N __incy);
#define UMSIM_BLAS_PACKED_MV(P, T, call, N, X)                                                               \
    cublasStatus_t P##call##_v2##X(cublasHandle_t __handle, cublasFillMode_t __uplo, N __n,                  \
                                   const T *__alpha, const T *__AP, const T *__x, N __incx, const T *__beta, \
                                   T *__y, N __incy);
#define UMSIM_BLAS_TRIANGULAR_MV(P, T, N, X)                                                                 \
    cublasStatus_t P##trmv_v2##X(cublasHandle_t __handle, cublasFillMode_t __uplo,                           \
                                 cublasOperation_t __trans, cublasDiagType_t __diag, N __n, const T *__A,    \
                                 N __lda, T *__x, N __incx);                                                 \
    cublasStatus_t P##tbmv_v2##X(cublasHandle_t __handle, cublasFillMode_t __uplo,                           \
                                 cublasOperation_t __trans, cublasDiagType_t __diag, N __n, N __k,           \
                                 const T *__A, N __lda, T *__x, N __incx);                                   \
    cublasStatus_t P##tpmv_v2##X(cublasHandle_t __handle, cublasFillMode_t __uplo,                           \
                                 cublasOperation_t __trans, cublasDiagType_t __diag, N __n, const T *__AP,   \
                                 T *__x, N __incx);
#define UMSIM_BLAS_LEVEL_2(P, T, N, X)                                                                       \
    UMSIM_BLAS_GEMV(P, T, N, X) UMSIM_BLAS_SYMMETRIC_MV(P, T, symv, N, X) UMSIM_BLAS_TRIANGULAR_MV(P, T, N, X)
#define UMSIM_BLAS_ONLY_REAL_MATVEC(P, T, N, X)                                                              \
    UMSIM_BLAS_BAND_MV(P, T, sbmv, N, X) UMSIM_BLAS_PACKED_MV(P, T, spmv, N, X)
#define UMSIM_BLAS_ONLY_COMPLEX_MATVEC(P, T, N, X)                                                           \
    UMSIM_BLAS_SYMMETRIC_MV(P, T, hemv, N, X)                                                                \
    UMSIM_BLAS_BAND_MV(P, T, hbmv, N, X) UMSIM_BLAS_PACKED_MV(P, T, hpmv, N, X)
UMSIM_BLAS_LEVEL_2(cublasS, float, int, )
UMSIM_BLAS_LEVEL_2(cublasS, float, int64_t, _64)
UMSIM_BLAS_LEVEL_2(cublasD, double, int, )
UMSIM_BLAS_LEVEL_2(cublasD, double, int64_t, _64)
UMSIM_BLAS_LEVEL_2(cublasC, cuComplex, int, )
UMSIM_BLAS_LEVEL_2(cublasC, cuComplex, int64_t, _64)
UMSIM_BLAS_LEVEL_2(cublasZ, cuDoubleComplex, int, )
UMSIM_BLAS_LEVEL_2(cublasZ, cuDoubleComplex, int64_t, _64)
UMSIM_BLAS_ONLY_REAL_MATVEC(cublasS, float, int, )
UMSIM_BLAS_ONLY_REAL_MATVEC(cublasS, float, int64_t, _64)
UMSIM_BLAS_ONLY_REAL_MATVEC(cublasD, double, int, )
UMSIM_BLAS_ONLY_REAL_MATVEC(cublasD, double, int64_t, _64)
UMSIM_BLAS_ONLY_COMPLEX_MATVEC(cublasC, cuComplex, int, )
UMSIM_BLAS_ONLY_COMPLEX_MATVEC(cublasC, cuComplex, int64_t, _64)
UMSIM_BLAS_ONLY_COMPLEX_MATVEC(cublasZ, cuDoubleComplex, int, )
UMSIM_BLAS_ONLY_COMPLEX_MATVEC(cublasZ, cuDoubleComplex, int64_t, _64)
#define UMSIM_BLAS_GER(P, T, call, N, X)                                                                     \
    cublasStatus_t P##call##_v2##X(cublasHandle_t __handle, N __m, N __n, const T *__alpha, const T *__x,    \
                                   N __incx, const T *__y, N __incy, T *__A, N __lda);
#define UMSIM_BLAS_ONE(P, T, call, S, N, X)                                                                  \
    cublasStatus_t P##call##_v2##X(cublasHandle_t __handle, cublasFillMode_t __uplo, N __n,                  \
                                   const S *__alpha, const T *__x, N __incx, T *__A, N __lda);
#define UMSIM_BLAS_ONE_PACKED(P, T, call, S, N, X)                                                           \
    cublasStatus_t P##call##_v2##X(cublasHandle_t __handle, cublasFillMode_t __uplo, N __n,                  \
                                   const S *__alpha, const T *__x, N __incx, T *__AP);
#define UMSIM_BLAS_TWO(P, T, call, N, X)                                                                     \
    cublasStatus_t P##call##_v2##X(cublasHandle_t __handle, cublasFillMode_t __uplo, N __n,                  \
                                   const T *__alpha, const T *__x, N __incx, const T *__y, N __incy, T *__A, \
                                   N __lda);
#define UMSIM_BLAS_TWO_PACKED(P, T, call, N, X)                                                              \
    cublasStatus_t P##call##_v2##X(cublasHandle_t __handle, cublasFillMode_t __uplo, N __n,                  \
                                   const T *__alpha, const T *__x, N __incx, const T *__y, N __incy,         \
                                   T *__AP);
#define UMSIM_BLAS_ALL(P, T, N, X) UMSIM_BLAS_ONE(P, T, syr, T, N, X) UMSIM_BLAS_TWO(P, T, syr2, N, X)
#define UMSIM_BLAS_ONLY_REAL_RANKS(P, T, N, X)                                                               \
    UMSIM_BLAS_GER(P, T, ger, N, X)                                                                          \
    UMSIM_BLAS_ONE_PACKED(P, T, spr, T, N, X) UMSIM_BLAS_TWO_PACKED(P, T, spr2, N, X)
#define UMSIM_BLAS_ONLY_COMPLEX_RANKS(P, T, R, N, X)                                                         \
    UMSIM_BLAS_GER(P, T, geru, N, X)                                                                         \
    UMSIM_BLAS_GER(P, T, gerc, N, X)                                                                         \
    UMSIM_BLAS_ONE(P, T, her, R, N, X)                                                                       \
    UMSIM_BLAS_TWO(P, T, her2, N, X)                                                                         \
    UMSIM_BLAS_ONE_PACKED(P, T, hpr, R, N, X) UMSIM_BLAS_TWO_PACKED(P, T, hpr2, N, X)
UMSIM_BLAS_ALL(cublasS, float, int, )
UMSIM_BLAS_ALL(cublasS, float, int64_t, _64)
UMSIM_BLAS_ALL(cublasD, double, int, )
UMSIM_BLAS_ALL(cublasD, double, int64_t, _64)
UMSIM_BLAS_ALL(cublasC, cuComplex, int, )
UMSIM_BLAS_ALL(cublasC, cuComplex, int64_t, _64)
UMSIM_BLAS_ALL(cublasZ, cuDoubleComplex, int, )
UMSIM_BLAS_ALL(cublasZ, cuDoubleComplex, int64_t, _64)
UMSIM_BLAS_ONLY_REAL_RANKS(cublasS, float, int, )
UMSIM_BLAS_ONLY_REAL_RANKS(cublasS, float, int64_t, _64)
UMSIM_BLAS_ONLY_REAL_RANKS(cublasD, double, int, )
UMSIM_BLAS_ONLY_REAL_RANKS(cublasD, double, int64_t, _64)
UMSIM_BLAS_ONLY_COMPLEX_RANKS(cublasC, cuComplex, float, int, )
UMSIM_BLAS_ONLY_COMPLEX_RANKS(cublasC, cuComplex, float, int64_t, _64)
UMSIM_BLAS_ONLY_COMPLEX_RANKS(cublasZ, cuDoubleComplex, double, int, )
UMSIM_BLAS_ONLY_COMPLEX_RANKS(cublasZ, cuDoubleComplex, double, int64_t, _64)
#define UMSIM_BLAS_GEMM(P, T, symbol, N, X)                                                                  \
    cublasStatus_t P##symbol##X(cublasHandle_t __handle, cublasOperation_t __transa,                         \
                                cublasOperation_t __transb, N __m, N __n, N __k, const T *__alpha,           \
                                const T *__A, N __lda, const T *__B, N __ldb, const T *__beta, T *__C,       \
                                N __ldc);
#define UMSIM_BLAS_GEMMS(P, T, N, X)                                                                         \
    UMSIM_BLAS_GEMM(P, T, gemm_v2, N, X)                                                                     \
    cublasStatus_t P##gemmBatched##X(cublasHandle_t __handle, cublasOperation_t __transa,                    \
                                     cublasOperation_t __transb, N __m, N __n, N __k, const T *__alpha,      \
                                     const T *const __Aarray[], N __lda, const T *const __Barray[], N __ldb, \
                                     const T *__beta, T *const __Carray[], N __ldc, N __batchCount);         \
    cublasStatus_t P##gemmStridedBatched##X(                                                                 \
        cublasHandle_t __handle, cublasOperation_t __transa, cublasOperation_t __transb, N __m, N __n,       \
        N __k, const T *__alpha, const T *__A, N __lda, long long int __strideA, const T *__B, N __ldb,      \
        long long int __strideB, const T *__beta, T *__C, N __ldc, long long int __strideC, N __batchCount);
#define UMSIM_BLAS_SYMM(P, T, call, N, X)                                                                    \
    cublasStatus_t P##call##_v2##X(cublasHandle_t __handle, cublasSideMode_t __side,                         \
                                   cublasFillMode_t __uplo, N __m, N __n, const T *__alpha, const T *__A,    \
                                   N __lda, const T *__B, N __ldb, const T *__beta, T *__C, N __ldc);
#define UMSIM_BLAS_SYRK(P, T, call, S, R, N, X)                                                              \
    cublasStatus_t P##call##_v2##X(cublasHandle_t __handle, cublasFillMode_t __uplo,                         \
                                   cublasOperation_t __trans, N __n, N __k, const S *__alpha, const T *__A,  \
                                   N __lda, const R *__beta, T *__C, N __ldc);
#define UMSIM_BLAS_SYRKX(P, T, call, R, N, X)                                                                \
    cublasStatus_t P##call##X(cublasHandle_t __handle, cublasFillMode_t __uplo, cublasOperation_t __trans,   \
                              N __n, N __k, const T *__alpha, const T *__A, N __lda, const T *__B, N __ldb,  \
                              const R *__beta, T *__C, N __ldc);
#define UMSIM_BLAS_SYR2K(P, T, call, R, N, X)                                                                \
    cublasStatus_t P##call##_v2##X(cublasHandle_t __handle, cublasFillMode_t __uplo,                         \
                                   cublasOperation_t __trans, N __n, N __k, const T *__alpha, const T *__A,  \
                                   N __lda, const T *__B, N __ldb, const R *__beta, T *__C, N __ldc);
#define UMSIM_BLAS_LEVEL_3(P, T, N, X)                                                                       \
    UMSIM_BLAS_GEMMS(P, T, N, X)                                                                             \
    UMSIM_BLAS_SYMM(P, T, symm, N, X)                                                                        \
    UMSIM_BLAS_SYRK(P, T, syrk, T, T, N, X)                                                                  \
    UMSIM_BLAS_SYRKX(P, T, syrkx, T, N, X)                                                                   \
    UMSIM_BLAS_SYR2K(P, T, syr2k, T, N, X)                                                                   \
    cublasStatus_t P##trmm_v2##X(cublasHandle_t __handle, cublasSideMode_t __side, cublasFillMode_t __uplo,  \
                                 cublasOperation_t __trans, cublasDiagType_t __diag, N __m, N __n,           \
                                 const T *__alpha, const T *__A, N __lda, const T *__B, N __ldb, T *__C,     \
                                 N __ldc);
#define UMSIM_BLAS_LEVEL_3_COMPLEX(P, T, R, N, X)                                                            \
    UMSIM_BLAS_GEMM(P, T, gemm3m, N, X)                                                                      \
    UMSIM_BLAS_SYMM(P, T, hemm, N, X)                                                                        \
    UMSIM_BLAS_SYRK(P, T, herk, R, R, N, X)                                                                  \
    UMSIM_BLAS_SYRKX(P, T, herkx, R, N, X) UMSIM_BLAS_SYR2K(P, T, her2k, R, N, X)
UMSIM_BLAS_LEVEL_3(cublasS, float, int, )
UMSIM_BLAS_LEVEL_3(cublasS, float, int64_t, _64)
UMSIM_BLAS_LEVEL_3(cublasD, double, int, )
UMSIM_BLAS_LEVEL_3(cublasD, double, int64_t, _64)
UMSIM_BLAS_LEVEL_3(cublasC, cuComplex, int, )
UMSIM_BLAS_LEVEL_3(cublasC, cuComplex, int64_t, _64)
UMSIM_BLAS_LEVEL_3(cublasZ, cuDoubleComplex, int, )
UMSIM_BLAS_LEVEL_3(cublasZ, cuDoubleComplex, int64_t, _64)
UMSIM_BLAS_LEVEL_3_COMPLEX(cublasC, cuComplex, float, int, )
UMSIM_BLAS_LEVEL_3_COMPLEX(cublasC, cuComplex, float, int64_t, _64)
UMSIM_BLAS_LEVEL_3_COMPLEX(cublasZ, cuDoubleComplex, double, int, )
UMSIM_BLAS_LEVEL_3_COMPLEX(cublasZ, cuDoubleComplex, double, int64_t, _64)
#define UMSIM_BLAS_EX(N, X)                                                                                  \
    cublasStatus_t cublasGemmEx##X(                                                                          \
        cublasHandle_t __handle, cublasOperation_t __transa, cublasOperation_t __transb, N __m, N __n,       \
        N __k, const void *__alpha, const void *__A, cudaDataType __Atype, N __lda, const void *__B,         \
        cudaDataType __Btype, N __ldb, const void *__beta, void *__C, cudaDataType __Ctype, N __ldc,         \
        cublasComputeType_t __compute, cublasGemmAlgo_t __algo);                                             \
    cublasStatus_t cublasGemmBatchedEx##X(                                                                   \
        cublasHandle_t __handle, cublasOperation_t __transa, cublasOperation_t __transb, N __m, N __n,       \
        N __k, const void *__alpha, const void *const __Aarray[], cudaDataType __Atype, N __lda,             \
        const void *const __Barray[], cudaDataType __Btype, N __ldb, const void *__beta,                     \
        void *const __Carray[], cudaDataType __Ctype, N __ldc, N __batchCount,                               \
        cublasComputeType_t __compute, cublasGemmAlgo_t __algo);                                             \
    cublasStatus_t cublasGemmStridedBatchedEx##X(                                                            \
        cublasHandle_t __handle, cublasOperation_t __transa, cublasOperation_t __transb, N __m, N __n,       \
        N __k, const void *__alpha, const void *__A, cudaDataType __Atype, N __lda, long long int __strideA, \
        const void *__B, cudaDataType __Btype, N __ldb, long long int __strideB, const void *__beta,         \
        void *__C, cudaDataType __Ctype, N __ldc, long long int __strideC, N __batchCount,                   \
        cublasComputeType_t __compute, cublasGemmAlgo_t __algo);                                             \
    UMSIM_BLAS_WITH_TYPES(cublasS, float, N, X) UMSIM_BLAS_WITH_TYPES(cublasC, cuComplex, N, X)
#define UMSIM_BLAS_HALF(N, X)                                                                                \
    cublasStatus_t cublasHgemm##X(cublasHandle_t __handle, cublasOperation_t __transa,                       \
                                  cublasOperation_t __transb, N __m, N __n, N __k, const __half *__alpha,    \
                                  const __half *__A, N __lda, const __half *__B, N __ldb,                    \
                                  const __half *__beta, __half *__C, N __ldc);                               \
    cublasStatus_t cublasHgemmBatched##X(cublasHandle_t __handle, cublasOperation_t __transa,                \
                                         cublasOperation_t __transb, N __m, N __n, N __k,                    \
                                         const __half *__alpha, const __half *const __Aarray[], N __lda,     \
                                         const __half *const __Barray[], N __ldb, const __half *__beta,      \
                                         __half *const __Carray[], N __ldc, N __batchCount);                 \
    cublasStatus_t cublasHgemmStridedBatched##X(                                                             \
        cublasHandle_t __handle, cublasOperation_t __transa, cublasOperation_t __transb, N __m, N __n,       \
        N __k, const __half *__alpha, const __half *__A, N __lda, long long int __strideA,                   \
        const __half *__B, N __ldb, long long int __strideB, const __half *__beta, __half *__C, N __ldc,     \
        long long int __strideC, N __batchCount);
#define UMSIM_BLAS_WITH_TYPES(P, T, N, X)                                                                    \
    cublasStatus_t P##gemmEx##X(                                                                             \
        cublasHandle_t __handle, cublasOperation_t __transa, cublasOperation_t __transb, N __m, N __n,       \
        N __k, const T *__alpha, const void *__A, cudaDataType __Atype, N __lda, const void *__B,            \
        cudaDataType __Btype, N __ldb, const T *__beta, void *__C, cudaDataType __Ctype, N __ldc);
UMSIM_BLAS_EX(int, )
UMSIM_BLAS_EX(int64_t, _64)
#ifdef __cplusplus /* C has no __half */
UMSIM_BLAS_HALF(int, )
UMSIM_BLAS_HALF(int64_t, _64)
#endif
#define UMSIM_BLAS_SOLVE(P, T, N, X)                                                                         \
    cublasStatus_t P##trsm_v2##X(cublasHandle_t __handle, cublasSideMode_t __side, cublasFillMode_t __uplo,  \
                                 cublasOperation_t __trans, cublasDiagType_t __diag, N __m, N __n,           \
                                 const T *__alpha, const T *__A, N __lda, T *__B, N __ldb);                  \
    cublasStatus_t P##trsmBatched##X(                                                                        \
        cublasHandle_t __handle, cublasSideMode_t __side, cublasFillMode_t __uplo,                           \
        cublasOperation_t __trans, cublasDiagType_t __diag, N __m, N __n, const T *__alpha,                  \
        const T *const __A[], N __lda, T *const __B[], N __ldb, N __batchCount);                             \
    cublasStatus_t P##trsv_v2##X(cublasHandle_t __handle, cublasFillMode_t __uplo,                           \
                                 cublasOperation_t __trans, cublasDiagType_t __diag, N __n, const T *__A,    \
                                 N __lda, T *__x, N __incx);                                                 \
    cublasStatus_t P##tbsv_v2##X(cublasHandle_t __handle, cublasFillMode_t __uplo,                           \
                                 cublasOperation_t __trans, cublasDiagType_t __diag, N __n, N __k,           \
                                 const T *__A, N __lda, T *__x, N __incx);                                   \
    cublasStatus_t P##tpsv_v2##X(cublasHandle_t __handle, cublasFillMode_t __uplo,                           \
                                 cublasOperation_t __trans, cublasDiagType_t __diag, N __n, const T *__AP,   \
                                 T *__x, N __incx);
UMSIM_BLAS_SOLVE(cublasS, float, int, )
UMSIM_BLAS_SOLVE(cublasS, float, int64_t, _64)
UMSIM_BLAS_SOLVE(cublasD, double, int, )
UMSIM_BLAS_SOLVE(cublasD, double, int64_t, _64)
UMSIM_BLAS_SOLVE(cublasC, cuComplex, int, )
UMSIM_BLAS_SOLVE(cublasC, cuComplex, int64_t, _64)
UMSIM_BLAS_SOLVE(cublasZ, cuDoubleComplex, int, )
UMSIM_BLAS_SOLVE(cublasZ, cuDoubleComplex, int64_t, _64)
#define UMSIM_BLAS_SYSTEMS(P, T)                                                                             \
    cublasStatus_t P##getrfBatched(cublasHandle_t __handle, int __n, T *const __A[], int __lda,              \
                                   int *__pivots, int *__info, int __batchSize);                             \
    cublasStatus_t P##getriBatched(cublasHandle_t __handle, int __n, const T *const __A[], int __lda,        \
                                   const int *__pivots, T *const __C[], int __ldc, int *__info,              \
                                   int __batchSize);                                                         \
    cublasStatus_t P##getrsBatched(cublasHandle_t __handle, cublasOperation_t __trans, int __n, int __nrhs,  \
                                   const T *const __A[], int __lda, const int *__pivots, T *const __B[],     \
                                   int __ldb, int *__info, int __batchSize);                                 \
    cublasStatus_t P##matinvBatched(cublasHandle_t __handle, int __n, const T *const __A[], int __lda,       \
                                    T *const __Ainv[], int __lda_inv, int *__info, int __batchSize);
UMSIM_BLAS_SYSTEMS(cublasS, float)
UMSIM_BLAS_SYSTEMS(cublasD, double)
UMSIM_BLAS_SYSTEMS(cublasC, cuComplex)
UMSIM_BLAS_SYSTEMS(cublasZ, cuDoubleComplex)
#define UMSIM_BLAS_PARTS(P, T, N, X)                                                                         \
    cublasStatus_t P##geam##X(cublasHandle_t __handle, cublasOperation_t __transa,                           \
                              cublasOperation_t __transb, N __m, N __n, const T *__alpha, const T *__A,      \
                              N __lda, const T *__beta, const T *__B, N __ldb, T *__C, N __ldc);             \
    cublasStatus_t P##dgmm##X(cublasHandle_t __handle, cublasSideMode_t __mode, N __m, N __n, const T *__A,  \
                              N __lda, const T *__x, N __incx, T *__C, N __ldc);
#define UMSIM_BLAS_PACKING(P, T)                                                                             \
    cublasStatus_t P##trttp(cublasHandle_t __handle, cublasFillMode_t __uplo, int __n, const T *__A,         \
                            int __lda, T *__AP);                                                             \
    cublasStatus_t P##tpttr(cublasHandle_t __handle, cublasFillMode_t __uplo, int __n, const T *__AP,        \
                            T *__A, int __lda);
UMSIM_BLAS_PARTS(cublasS, float, int, )
UMSIM_BLAS_PARTS(cublasS, float, int64_t, _64)
UMSIM_BLAS_PARTS(cublasD, double, int, )
UMSIM_BLAS_PARTS(cublasD, double, int64_t, _64)
UMSIM_BLAS_PARTS(cublasC, cuComplex, int, )
UMSIM_BLAS_PARTS(cublasC, cuComplex, int64_t, _64)
UMSIM_BLAS_PARTS(cublasZ, cuDoubleComplex, int, )
UMSIM_BLAS_PARTS(cublasZ, cuDoubleComplex, int64_t, _64)
UMSIM_BLAS_PACKING(cublasS, float)
UMSIM_BLAS_PACKING(cublasD, double)
UMSIM_BLAS_PACKING(cublasC, cuComplex)
UMSIM_BLAS_PACKING(cublasZ, cuDoubleComplex)

#undef UMSIM_BLAS_LEVEL_1
#undef UMSIM_BLAS_ONLY_REAL
#undef UMSIM_BLAS_ONLY_COMPLEX
#undef UMSIM_BLAS_ROTG
#undef UMSIM_BLAS_OF_ONE
#undef UMSIM_BLAS_SUMS
#undef UMSIM_BLAS_DOT
#undef UMSIM_BLAS_GEMV
#undef UMSIM_BLAS_SYMMETRIC_MV
#undef UMSIM_BLAS_BAND_MV
#undef UMSIM_BLAS_PACKED_MV
#undef UMSIM_BLAS_TRIANGULAR_MV
#undef UMSIM_BLAS_LEVEL_2
#undef UMSIM_BLAS_ONLY_REAL_MATVEC
#undef UMSIM_BLAS_ONLY_COMPLEX_MATVEC
#undef UMSIM_BLAS_GER
#undef UMSIM_BLAS_ONE
#undef UMSIM_BLAS_ONE_PACKED
#undef UMSIM_BLAS_TWO
#undef UMSIM_BLAS_TWO_PACKED
#undef UMSIM_BLAS_ALL
#undef UMSIM_BLAS_ONLY_REAL_RANKS
#undef UMSIM_BLAS_ONLY_COMPLEX_RANKS
#undef UMSIM_BLAS_GEMM
#undef UMSIM_BLAS_GEMMS
#undef UMSIM_BLAS_SYMM
#undef UMSIM_BLAS_SYRK
#undef UMSIM_BLAS_SYRKX
#undef UMSIM_BLAS_SYR2K
#undef UMSIM_BLAS_LEVEL_3
#undef UMSIM_BLAS_LEVEL_3_COMPLEX
#undef UMSIM_BLAS_EX
#undef UMSIM_BLAS_HALF
#undef UMSIM_BLAS_WITH_TYPES
#undef UMSIM_BLAS_SOLVE
#undef UMSIM_BLAS_SYSTEMS
#undef UMSIM_BLAS_PARTS
#undef UMSIM_BLAS_PACKING

#endif
