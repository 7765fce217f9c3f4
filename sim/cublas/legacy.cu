/**
 * @file legacy.cu
 * @brief cuBLAS's first form (cublas.h): a handle for the whole process, options by letters, results as
 * values.
 */
#include <cublas.h>

namespace
{
cublasHandle_t handle;
cublasStatus_t first_error;

cublasHandle_t started()
{
    if (!handle)
        cublasCreate_v2(&handle);
    return handle;
}

void keep(cublasStatus_t status)
{
    if (first_error == CUBLAS_STATUS_SUCCESS)
        first_error = status;
}

/* A letter that is none of its option's becomes a value that the call refuses. */
char small(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}
cublasOperation_t op(char letter)
{
    return small(letter) == 'n'   ? CUBLAS_OP_N
           : small(letter) == 't' ? CUBLAS_OP_T
           : small(letter) == 'c' ? CUBLAS_OP_C
                                  : (cublasOperation_t)-1;
}
cublasFillMode_t fill(char letter)
{
    return small(letter) == 'l'   ? CUBLAS_FILL_MODE_LOWER
           : small(letter) == 'u' ? CUBLAS_FILL_MODE_UPPER
                                  : (cublasFillMode_t)-1;
}
cublasSideMode_t on(char letter)
{
    return small(letter) == 'l'   ? CUBLAS_SIDE_LEFT
           : small(letter) == 'r' ? CUBLAS_SIDE_RIGHT
                                  : (cublasSideMode_t)-1;
}
cublasDiagType_t diagonal(char letter)
{
    return small(letter) == 'n'   ? CUBLAS_DIAG_NON_UNIT
           : small(letter) == 'u' ? CUBLAS_DIAG_UNIT
                                  : (cublasDiagType_t)-1;
}
} // namespace

extern "C" cublasStatus_t cublasInit(void)
{
    return started() ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

extern "C" cublasStatus_t cublasShutdown(void)
{
    const cublasStatus_t status = cublasDestroy_v2(handle);
    handle = nullptr;
    return status;
}

extern "C" cublasStatus_t cublasGetError(void)
{
    const cublasStatus_t error = first_error;
    first_error = CUBLAS_STATUS_SUCCESS;
    return error;
}

extern "C" cublasStatus_t cublasGetVersion(int *version)
{
    return cublasGetVersion_v2(started(), version);
}

extern "C" cublasStatus_t cublasAlloc(int n, int size, void **place)
{
    if (n <= 0 || size <= 0 || !place)
        return CUBLAS_STATUS_INVALID_VALUE;
    return cudaMalloc(place, (size_t)n * (size_t)size) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                                      : CUBLAS_STATUS_ALLOC_FAILED;
}

extern "C" cublasStatus_t cublasFree(void *place)
{
    return cudaFree(place) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INTERNAL_ERROR;
}

extern "C" cublasStatus_t cublasSetKernelStream(cudaStream_t stream)
{
    return cublasSetStream_v2(started(), stream);
}

/* A call of the second form with the same arguments, scalars by their addresses. */
#define RESULT(R, name, ...)                                                                                 \
    R result = {};                                                                                           \
    keep(name(started(), __VA_ARGS__, &result));                                                             \
    return result;
#define OLD(P, I, PR, T, R)                                                                                  \
    extern "C" R cublas##PR##nrm2(int n, const T *x, int incx)                                               \
    {                                                                                                        \
        RESULT(R, cublas##PR##nrm2_v2, n, x, incx)                                                           \
    }                                                                                                        \
    extern "C" R cublas##PR##asum(int n, const T *x, int incx)                                               \
    {                                                                                                        \
        RESULT(R, cublas##PR##asum_v2, n, x, incx)                                                           \
    }                                                                                                        \
    extern "C" int cublasI##I##amax(int n, const T *x, int incx)                                             \
    {                                                                                                        \
        RESULT(int, cublasI##I##amax_v2, n, x, incx)                                                         \
    }                                                                                                        \
    extern "C" int cublasI##I##amin(int n, const T *x, int incx)                                             \
    {                                                                                                        \
        RESULT(int, cublasI##I##amin_v2, n, x, incx)                                                         \
    }                                                                                                        \
    extern "C" void cublas##P##scal(int n, T alpha, T *x, int incx)                                          \
    {                                                                                                        \
        keep(cublas##P##scal_v2(started(), n, &alpha, x, incx));                                             \
    }                                                                                                        \
    extern "C" void cublas##P##axpy(int n, T alpha, const T *x, int incx, T *y, int incy)                    \
    {                                                                                                        \
        keep(cublas##P##axpy_v2(started(), n, &alpha, x, incx, y, incy));                                    \
    }                                                                                                        \
    extern "C" void cublas##P##copy(int n, const T *x, int incx, T *y, int incy)                             \
    {                                                                                                        \
        keep(cublas##P##copy_v2(started(), n, x, incx, y, incy));                                            \
    }                                                                                                        \
    extern "C" void cublas##P##swap(int n, T *x, int incx, T *y, int incy)                                   \
    {                                                                                                        \
        keep(cublas##P##swap_v2(started(), n, x, incx, y, incy));                                            \
    }                                                                                                        \
    extern "C" void cublas##P##rot(int n, T *x, int incx, T *y, int incy, R c, T s)                          \
    {                                                                                                        \
        keep(cublas##P##rot_v2(started(), n, x, incx, y, incy, &c, &s));                                     \
    }                                                                                                        \
    extern "C" void cublas##P##gemv(char trans, int m, int n, T alpha, const T *A, int lda, const T *x,      \
                                    int incx, T beta, T *y, int incy)                                        \
    {                                                                                                        \
        keep(cublas##P##gemv_v2(started(), op(trans), m, n, &alpha, A, lda, x, incx, &beta, y, incy));       \
    }                                                                                                        \
    extern "C" void cublas##P##trmv(char uplo, char trans, char diag, int n, const T *A, int lda, T *x,      \
                                    int incx)                                                                \
    {                                                                                                        \
        keep(cublas##P##trmv_v2(started(), fill(uplo), op(trans), diagonal(diag), n, A, lda, x, incx));      \
    }                                                                                                        \
    extern "C" void cublas##P##trsv(char uplo, char trans, char diag, int n, const T *A, int lda, T *x,      \
                                    int incx)                                                                \
    {                                                                                                        \
        keep(cublas##P##trsv_v2(started(), fill(uplo), op(trans), diagonal(diag), n, A, lda, x, incx));      \
    }                                                                                                        \
    extern "C" void cublas##P##gemm(char transa, char transb, int m, int n, int k, T alpha, const T *A,      \
                                    int lda, const T *B, int ldb, T beta, T *C, int ldc)                     \
    {                                                                                                        \
        keep(cublas##P##gemm_v2(started(), op(transa), op(transb), m, n, k, &alpha, A, lda, B, ldb, &beta,   \
                                C, ldc));                                                                    \
    }                                                                                                        \
    extern "C" void cublas##P##symm(char side, char uplo, int m, int n, T alpha, const T *A, int lda,        \
                                    const T *B, int ldb, T beta, T *C, int ldc)                              \
    {                                                                                                        \
        keep(cublas##P##symm_v2(started(), on(side), fill(uplo), m, n, &alpha, A, lda, B, ldb, &beta, C,     \
                                ldc));                                                                       \
    }                                                                                                        \
    extern "C" void cublas##P##syrk(char uplo, char trans, int n, int k, T alpha, const T *A, int lda,       \
                                    T beta, T *C, int ldc)                                                   \
    {                                                                                                        \
        keep(cublas##P##syrk_v2(started(), fill(uplo), op(trans), n, k, &alpha, A, lda, &beta, C, ldc));     \
    }                                                                                                        \
    extern "C" void cublas##P##syr2k(char uplo, char trans, int n, int k, T alpha, const T *A, int lda,      \
                                     const T *B, int ldb, T beta, T *C, int ldc)                             \
    {                                                                                                        \
        keep(cublas##P##syr2k_v2(started(), fill(uplo), op(trans), n, k, &alpha, A, lda, B, ldb, &beta, C,   \
                                 ldc));                                                                      \
    }                                                                                                        \
    extern "C" void cublas##P##trmm(char side, char uplo, char transa, char diag, int m, int n, T alpha,     \
                                    const T *A, int lda, T *B, int ldb)                                      \
    {                                                                                                        \
        keep(cublas##P##trmm_v2(started(), on(side), fill(uplo), op(transa), diagonal(diag), m, n, &alpha,   \
                                A, lda, B, ldb, B, ldb));                                                    \
    }                                                                                                        \
    extern "C" void cublas##P##trsm(char side, char uplo, char transa, char diag, int m, int n, T alpha,     \
                                    const T *A, int lda, T *B, int ldb)                                      \
    {                                                                                                        \
        keep(cublas##P##trsm_v2(started(), on(side), fill(uplo), op(transa), diagonal(diag), m, n, &alpha,   \
                                A, lda, B, ldb));                                                            \
    }
#define GER(name, T)                                                                                         \
    extern "C" void cublas##name(int m, int n, T alpha, const T *x, int incx, const T *y, int incy, T *A,    \
                                 int lda)                                                                    \
    {                                                                                                        \
        keep(cublas##name##_v2(started(), m, n, &alpha, x, incx, y, incy, A, lda));                          \
    }
#define DOT(name, T)                                                                                         \
    extern "C" T cublas##name(int n, const T *x, int incx, const T *y, int incy)                             \
    {                                                                                                        \
        RESULT(T, cublas##name##_v2, n, x, incx, y, incy)                                                    \
    }
#define SYMV(name, T)                                                                                        \
    extern "C" void cublas##name(char uplo, int n, T alpha, const T *A, int lda, const T *x, int incx,       \
                                 T beta, T *y, int incy)                                                     \
    {                                                                                                        \
        keep(cublas##name##_v2(started(), fill(uplo), n, &alpha, A, lda, x, incx, &beta, y, incy));          \
    }
OLD(S, s, S, float, float)
OLD(D, d, D, double, double)
OLD(C, c, Sc, cuComplex, float)
OLD(Z, z, Dz, cuDoubleComplex, double)
GER(Sger, float)
GER(Dger, double)
GER(Cgeru, cuComplex)
GER(Cgerc, cuComplex)
GER(Zgeru, cuDoubleComplex)
GER(Zgerc, cuDoubleComplex)
DOT(Sdot, float)
DOT(Ddot, double)
DOT(Cdotu, cuComplex)
DOT(Cdotc, cuComplex)
DOT(Zdotu, cuDoubleComplex)
DOT(Zdotc, cuDoubleComplex)
SYMV(Ssymv, float)
SYMV(Dsymv, double)
SYMV(Chemv, cuComplex)
SYMV(Zhemv, cuDoubleComplex)
