/**
 * @file handle.cu
 * @brief cuBLAS's handles, status texts and copies.
 */
#include "blas.h"

extern "C" cublasStatus_t cublasCreate_v2(cublasHandle_t *handle)
{
    if (!handle)
        return CUBLAS_STATUS_INVALID_VALUE;
    cublasHandle_t made = new cublasContext{0, CUBLAS_POINTER_MODE_HOST, CUBLAS_DEFAULT_MATH, nullptr};
    if (cudaMalloc(&made->parts, (2 * BLAS_PARTS + 1) * sizeof(double)) != cudaSuccess) {
        delete made;
        return CUBLAS_STATUS_ALLOC_FAILED;
    }
    *handle = made;
    return CUBLAS_STATUS_SUCCESS;
}

extern "C" cublasStatus_t cublasDestroy_v2(cublasHandle_t handle)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    cudaDeviceSynchronize();
    cudaFree(handle->parts);
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}

extern "C" cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int *version)
{
    if (!version)
        return CUBLAS_STATUS_INVALID_VALUE;
    *version = CUBLAS_VERSION;
    return CUBLAS_STATUS_SUCCESS;
}

#define SET_AND_GET(set, get, T, member)                                                                     \
    extern "C" cublasStatus_t set(cublasHandle_t handle, T value)                                            \
    {                                                                                                        \
        if (!handle)                                                                                         \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                            \
        handle->member = value;                                                                              \
        return CUBLAS_STATUS_SUCCESS;                                                                        \
    }                                                                                                        \
    extern "C" cublasStatus_t get(cublasHandle_t handle, T *value)                                           \
    {                                                                                                        \
        if (!handle)                                                                                         \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                            \
        if (!value)                                                                                          \
            return CUBLAS_STATUS_INVALID_VALUE;                                                              \
        *value = handle->member;                                                                             \
        return CUBLAS_STATUS_SUCCESS;                                                                        \
    }
SET_AND_GET(cublasSetStream_v2, cublasGetStream_v2, cudaStream_t, stream)
SET_AND_GET(cublasSetPointerMode_v2, cublasGetPointerMode_v2, cublasPointerMode_t, pointer_mode)
SET_AND_GET(cublasSetMathMode, cublasGetMathMode, cublasMath_t, math)

static const struct {
    cublasStatus_t status;
    const char *name, *words;
} statuses[] = {
    {CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "success"},
    {CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED", "there is no such handle"},
    {CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "not enough memory"},
    {CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE", "an argument has a value that cannot be"},
    {CUBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH", "the device cannot do this"},
    {CUBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR", "a copy between host and device failed"},
    {CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED", "a kernel failed"},
    {CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR", "the library failed inside"},
    {CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED", "not supported"},
    {CUBLAS_STATUS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR", "no licence"},
};

extern "C" const char *cublasGetStatusName(cublasStatus_t status)
{
    for (const auto &known : statuses)
        if (known.status == status)
            return known.name;
    return "unknown status";
}

extern "C" const char *cublasGetStatusString(cublasStatus_t status)
{
    for (const auto &known : statuses)
        if (known.status == status)
            return known.words;
    return "unknown status";
}

static cublasStatus_t copied(cudaError_t error)
{
    return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

/* A vector with a stride is a matrix of one row. */
#define COPIES(set, kind)                                                                                    \
    extern "C" cublasStatus_t cublas##set##Matrix(int rows, int cols, int size, const void *a, int lda,      \
                                                  void *b, int ldb)                                          \
    {                                                                                                        \
        if (rows < 0 || cols < 0 || size <= 0 || lda < rows || ldb < rows || lda <= 0 || ldb <= 0)           \
            return CUBLAS_STATUS_INVALID_VALUE;                                                              \
        return copied(cudaMemcpy2D(b, (size_t)ldb * size, a, (size_t)lda * size, (size_t)rows * size,        \
                                   (size_t)cols, kind));                                                     \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##set##MatrixAsync(int rows, int cols, int size, const void *a, int lda, \
                                                       void *b, int ldb, cudaStream_t stream)                \
    {                                                                                                        \
        if (rows < 0 || cols < 0 || size <= 0 || lda < rows || ldb < rows || lda <= 0 || ldb <= 0)           \
            return CUBLAS_STATUS_INVALID_VALUE;                                                              \
        return copied(cudaMemcpy2DAsync(b, (size_t)ldb * size, a, (size_t)lda * size, (size_t)rows * size,   \
                                        (size_t)cols, kind, stream));                                        \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##set##Vector(int n, int size, const void *x, int incx, void *y,         \
                                                  int incy)                                                  \
    {                                                                                                        \
        if (n < 0 || size <= 0 || incx <= 0 || incy <= 0)                                                    \
            return CUBLAS_STATUS_INVALID_VALUE;                                                              \
        if (incx == 1 && incy == 1)                                                                          \
            return copied(cudaMemcpy(y, x, (size_t)n * size, kind));                                         \
        return cublas##set##Matrix(1, n, size, x, incx, y, incy);                                            \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##set##VectorAsync(int n, int size, const void *x, int incx, void *y,    \
                                                       int incy, cudaStream_t stream)                        \
    {                                                                                                        \
        if (n < 0 || size <= 0 || incx <= 0 || incy <= 0)                                                    \
            return CUBLAS_STATUS_INVALID_VALUE;                                                              \
        if (incx == 1 && incy == 1)                                                                          \
            return copied(cudaMemcpyAsync(y, x, (size_t)n * size, kind, stream));                            \
        return cublas##set##MatrixAsync(1, n, size, x, incx, y, incy, stream);                               \
    }
COPIES(Set, cudaMemcpyHostToDevice)
COPIES(Get, cudaMemcpyDeviceToHost)
