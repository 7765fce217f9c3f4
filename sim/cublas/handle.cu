/**
 * @file handle.cu
 * @brief cuBLAS's handles, status texts and copies.
 */
#include "blas.h"

#include <cstdio>

extern "C" cublasStatus_t cublasCreate_v2(cublasHandle_t *handle)
{
    if (!handle)
        return CUBLAS_STATUS_INVALID_VALUE;
    cublasHandle_t made = new cublasContext{
        0, CUBLAS_POINTER_MODE_HOST, CUBLAS_DEFAULT_MATH, CUBLAS_ATOMICS_NOT_ALLOWED, 0, nullptr};
    if (cudaMalloc(&made->parts, (BLAS_PARTS + 1) * sizeof(blas_part)) != cudaSuccess) {
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
SET_AND_GET(cublasSetAtomicsMode, cublasGetAtomicsMode, cublasAtomicsMode_t, atomics)
SET_AND_GET(cublasSetSmCountTarget, cublasGetSmCountTarget, int, sm_count_target)

extern "C" cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value)
{
    const int part = umsim_version_part(CUBLAS_VERSION, type);
    if (!value || part < 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    *value = part;
    return CUBLAS_STATUS_SUCCESS;
}

extern "C" size_t cublasGetCudartVersion(void)
{
    return CUDART_VERSION;
}

extern "C" cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t size)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (((uintptr_t)workspace & 255) || (!workspace && size))
        return CUBLAS_STATUS_INVALID_VALUE;
    return umsim_reaches("cublasSetWorkspace", "workspace", workspace, size, 1) ? CUBLAS_STATUS_SUCCESS
                                                                                : CUBLAS_STATUS_INVALID_VALUE;
}

static cublasLogCallback log_callback;

extern "C" cublasStatus_t cublasLoggerConfigure(int, int, int, const char *)
{
    return CUBLAS_STATUS_SUCCESS;
}

extern "C" cublasStatus_t cublasSetLoggerCallback(cublasLogCallback callback)
{
    log_callback = callback;
    return CUBLAS_STATUS_SUCCESS;
}

extern "C" cublasStatus_t cublasGetLoggerCallback(cublasLogCallback *callback)
{
    if (!callback)
        return CUBLAS_STATUS_INVALID_VALUE;
    *callback = log_callback;
    return CUBLAS_STATUS_SUCCESS;
}

extern "C" void cublasXerbla(const char *name, int info)
{
    fprintf(stderr, "%s: parameter %d has a value that it cannot have\n", name, info);
}

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
static cublasStatus_t copy_matrix(blas::i64 rows, blas::i64 cols, blas::i64 size, const void *a,
                                  blas::i64 lda, void *b, blas::i64 ldb, cudaMemcpyKind kind,
                                  const cudaStream_t *stream)
{
    if (rows < 0 || cols < 0 || size <= 0 || lda < rows || ldb < rows || lda <= 0 || ldb <= 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    const size_t to = (size_t)(ldb * size), from = (size_t)(lda * size), width = (size_t)(rows * size);
    return copied(stream ? cudaMemcpy2DAsync(b, to, a, from, width, (size_t)cols, kind, *stream)
                         : cudaMemcpy2D(b, to, a, from, width, (size_t)cols, kind));
}

static cublasStatus_t copy_vector(blas::i64 n, blas::i64 size, const void *x, blas::i64 incx, void *y,
                                  blas::i64 incy, cudaMemcpyKind kind, const cudaStream_t *stream)
{
    if (n < 0 || size <= 0 || incx <= 0 || incy <= 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (incx != 1 || incy != 1)
        return copy_matrix(1, n, size, x, incx, y, incy, kind, stream);
    return copied(stream ? cudaMemcpyAsync(y, x, (size_t)(n * size), kind, *stream)
                         : cudaMemcpy(y, x, (size_t)(n * size), kind));
}

#define COPIES(set, kind, N, X)                                                                              \
    extern "C" cublasStatus_t cublas##set##Matrix##X(N rows, N cols, N size, const void *a, N lda, void *b,  \
                                                     N ldb)                                                  \
    {                                                                                                        \
        return copy_matrix(rows, cols, size, a, lda, b, ldb, kind, nullptr);                                 \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##set##MatrixAsync##X(N rows, N cols, N size, const void *a, N lda,      \
                                                          void *b, N ldb, cudaStream_t stream)               \
    {                                                                                                        \
        return copy_matrix(rows, cols, size, a, lda, b, ldb, kind, &stream);                                 \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##set##Vector##X(N n, N size, const void *x, N incx, void *y, N incy)    \
    {                                                                                                        \
        return copy_vector(n, size, x, incx, y, incy, kind, nullptr);                                        \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##set##VectorAsync##X(N n, N size, const void *x, N incx, void *y,       \
                                                          N incy, cudaStream_t stream)                       \
    {                                                                                                        \
        return copy_vector(n, size, x, incx, y, incy, kind, &stream);                                        \
    }
BOTH_SIZES(COPIES, Set, cudaMemcpyHostToDevice)
BOTH_SIZES(COPIES, Get, cudaMemcpyDeviceToHost)
