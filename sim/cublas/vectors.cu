/**
 * @file vectors.cu
 * @brief cuBLAS's level 1: operations on vectors.
 *
 * A negative stride goes through a vector from its end, as in BLAS.
 */
#include "blas.h"

namespace
{

/* The address of the element that BLAS counts as the first one. */
template <class T> inline T *first_of(T *x, int n, int stride)
{
    return stride < 0 ? x - (long long)(n - 1) * stride : x;
}

enum { AXPY, SCAL, COPY, SWAP };

template <int Operation, class T>
__global__ void each_element(int n, blas::scalar<T> alpha, T *x, int incx, T *y, int incy)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    T &a = x[(long long)i * incx];
    if (Operation == SCAL) {
        a *= alpha.get();
        return;
    }
    T &b = y[(long long)i * incy];
    const T before = b;
    if (Operation == AXPY)
        b = alpha.get() * a + before;
    else
        b = a;
    if (Operation == SWAP)
        a = before;
}

template <int Operation, class T>
cublasStatus_t run_each(cublasHandle_t handle, const char *call, int n, const T *alpha, T *x, int incx, T *y,
                        int incy)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    const bool has_alpha = Operation == AXPY || Operation == SCAL;
    if ((has_alpha && !alpha) || (Operation == SCAL && incx <= 0 && n > 0))
        return has_alpha && !alpha ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
    if (n <= 0)
        return CUBLAS_STATUS_SUCCESS;
    if (!blas::reaches(call, "x", x, blas::extent(n, incx)) ||
        (Operation != SCAL && !blas::reaches(call, "y", y, blas::extent(n, incy))) ||
        (has_alpha && !blas::scalar_reaches(handle, call, "alpha", alpha)))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    const blas::scalar<T> scalar = has_alpha ? blas::scalar_of(handle, alpha) : blas::scalar<T>{T(), nullptr};
    each_element<Operation, T><<<blas::blocks((size_t)n, 256), 256, 0, handle->stream>>>(
        n, scalar, first_of(x, n, incx), incx, y ? first_of(y, n, incy) : y, incy);
    return blas::launched();
}

enum { DOT, NRM2, ASUM, AMAX, AMIN };

/* Each thread does a part of the vector: its sum, or its largest (smallest) element and where that is. */
template <int Operation, class T>
__global__ void sum_parts(int n, const T *x, int incx, const T *y, int incy, double *parts)
{
    const int part = blockIdx.x;
    const int first = (int)((long long)n * part / BLAS_PARTS),
              last = (int)((long long)n * (part + 1) / BLAS_PARTS);
    double sum = 0;
    int place = -1;
    for (int i = first; i < last; i++) {
        const T a = x[(long long)i * incx];
        const T size = a < 0 ? -a : a;
        if (Operation == DOT)
            sum += (double)a * (double)y[(long long)i * incy];
        else if (Operation == NRM2)
            sum += (double)a * (double)a;
        else if (Operation == ASUM)
            sum += (double)size;
        else if (place < 0 || (Operation == AMAX ? (double)size > sum : (double)size < sum)) {
            sum = (double)size;
            place = i;
        }
    }
    parts[part] = sum;
    parts[BLAS_PARTS + part] = place;
}

template <int Operation, class T, class Result>
__global__ void join_parts(const double *parts, Result *result)
{
    double sum = 0;
    int place = -1;
    for (int part = 0; part < BLAS_PARTS; part++) {
        const int there = (int)parts[BLAS_PARTS + part];
        if (Operation == DOT || Operation == NRM2 || Operation == ASUM) {
            sum += parts[part];
        } else if (there >= 0 && (place < 0 || (Operation == AMAX ? parts[part] > sum : parts[part] < sum))) {
            sum = parts[part];
            place = there;
        }
    }
    if (Operation == AMAX || Operation == AMIN)
        *result = (Result)(place + 1); /* counts from 1, as in Fortran */
    else
        *result = (Result)(Operation == NRM2 ? sqrt(sum) : sum);
}

template <int Operation, class T, class Result>
cublasStatus_t run_sum(cublasHandle_t handle, const char *call, int n, const T *x, int incx, const T *y,
                       int incy, Result *result)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!result)
        return CUBLAS_STATUS_INVALID_VALUE;
    const bool on_host = handle->pointer_mode == CUBLAS_POINTER_MODE_HOST;
    const int count = n <= 0 || (Operation != DOT && incx <= 0) ? 0 : n;
    if (!blas::reaches(call, "x", x, blas::extent(count, incx)) ||
        (Operation == DOT && !blas::reaches(call, "y", y, blas::extent(count, incy))) ||
        (!on_host && !blas::reaches(call, "result", result, 1)))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    if (count == 0 && on_host) {
        *result = Result();
        return CUBLAS_STATUS_SUCCESS;
    }
    Result *place = on_host ? (Result *)&handle->parts[2 * BLAS_PARTS] : result;
    sum_parts<Operation, T><<<BLAS_PARTS, 1, 0, handle->stream>>>(
        count, first_of(x, count, incx), incx, y ? first_of(y, count, incy) : y, incy, handle->parts);
    join_parts<Operation, T, Result><<<1, 1, 0, handle->stream>>>(handle->parts, place);
    if (!on_host)
        return blas::launched();
    if (cudaMemcpyAsync(result, place, sizeof *result, cudaMemcpyDeviceToHost, handle->stream) !=
            cudaSuccess ||
        cudaStreamSynchronize(handle->stream) != cudaSuccess)
        return CUBLAS_STATUS_EXECUTION_FAILED;
    return blas::launched();
}

} // namespace

#define NONE(T) ((T *)nullptr)
#define LEVEL_1(P, i, T)                                                                                     \
    extern "C" cublasStatus_t cublas##P##axpy_v2(cublasHandle_t handle, int n, const T *alpha, const T *x,   \
                                                 int incx, T *y, int incy)                                   \
    {                                                                                                        \
        return run_each<AXPY, T>(handle, "cublas" #P "axpy", n, alpha, const_cast<T *>(x), incx, y, incy);   \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##P##scal_v2(cublasHandle_t handle, int n, const T *alpha, T *x,         \
                                                 int incx)                                                   \
    {                                                                                                        \
        return run_each<SCAL, T>(handle, "cublas" #P "scal", n, alpha, x, incx, NONE(T), 1);                 \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##P##copy_v2(cublasHandle_t handle, int n, const T *x, int incx, T *y,   \
                                                 int incy)                                                   \
    {                                                                                                        \
        return run_each<COPY, T>(handle, "cublas" #P "copy", n, NONE(T), const_cast<T *>(x), incx, y, incy); \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##P##swap_v2(cublasHandle_t handle, int n, T *x, int incx, T *y,         \
                                                 int incy)                                                   \
    {                                                                                                        \
        return run_each<SWAP, T>(handle, "cublas" #P "swap", n, NONE(T), x, incx, y, incy);                  \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##P##dot_v2(cublasHandle_t handle, int n, const T *x, int incx,          \
                                                const T *y, int incy, T *result)                             \
    {                                                                                                        \
        return run_sum<DOT, T>(handle, "cublas" #P "dot", n, x, incx, y, incy, result);                      \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##P##nrm2_v2(cublasHandle_t handle, int n, const T *x, int incx,         \
                                                 T *result)                                                  \
    {                                                                                                        \
        return run_sum<NRM2, T>(handle, "cublas" #P "nrm2", n, x, incx, NONE(const T), 1, result);           \
    }                                                                                                        \
    extern "C" cublasStatus_t cublas##P##asum_v2(cublasHandle_t handle, int n, const T *x, int incx,         \
                                                 T *result)                                                  \
    {                                                                                                        \
        return run_sum<ASUM, T>(handle, "cublas" #P "asum", n, x, incx, NONE(const T), 1, result);           \
    }                                                                                                        \
    extern "C" cublasStatus_t cublasI##i##amax_v2(cublasHandle_t handle, int n, const T *x, int incx,        \
                                                  int *result)                                               \
    {                                                                                                        \
        return run_sum<AMAX, T>(handle, "cublasI" #i "amax", n, x, incx, NONE(const T), 1, result);          \
    }                                                                                                        \
    extern "C" cublasStatus_t cublasI##i##amin_v2(cublasHandle_t handle, int n, const T *x, int incx,        \
                                                  int *result)                                               \
    {                                                                                                        \
        return run_sum<AMIN, T>(handle, "cublasI" #i "amin", n, x, incx, NONE(const T), 1, result);          \
    }
LEVEL_1(S, s, float)
LEVEL_1(D, d, double)
