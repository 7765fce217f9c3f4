/**
 * @file blas.h
 * @brief What the files of the simulator's small cuBLAS share: handles, scalars, and the check of each array
 * before a kernel starts.
 *
 * These files are CUDA, compiled by umcc into libcublas.so. Their kernels are written for an engine that runs
 * a kernel's threads as a loop: each thread does a range of the work, and its inner loops go through memory
 * in order.
 */
#ifndef UMSIM_BLAS_H
#define UMSIM_BLAS_H

#include "../library/arrays.h"

#include <cublas_v2.h>

/** The number of parts in which a vector is summed. */
#define BLAS_PARTS 64

struct cublasContext {
    cudaStream_t stream;
    cublasPointerMode_t pointer_mode;
    cublasMath_t math;
    double *parts; /* device memory: BLAS_PARTS results and as many indices, and one final result */
};

namespace blas
{

/** `alpha` or `beta`: the host's value, or the address of the device's. */
template <class T> struct scalar {
    T value;
    const T *place;
    __device__ T get() const
    {
        return place ? *place : value;
    }
};
template <class T> inline scalar<T> scalar_of(cublasHandle_t handle, const T *p)
{
    return handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE ? scalar<T>{T(), p} : scalar<T>{*p, nullptr};
}

/** Elements from the first to the last of a vector, or of a matrix. */
inline size_t extent(int n, int stride)
{
    return n > 0 ? (size_t)(n - 1) * (size_t)(stride < 0 ? -(long long)stride : stride) + 1 : 0;
}
inline size_t extent(int rows, int columns, int leading)
{
    return rows > 0 && columns > 0 ? (size_t)(columns - 1) * (size_t)leading + (size_t)rows : 0;
}

/** As umsim_reaches(). */
template <class T> inline bool reaches(const char *call, const char *name, const T *p, size_t elements)
{
    return umsim_reaches(call, name, p, elements, sizeof(T));
}
template <class T>
inline bool scalar_reaches(cublasHandle_t handle, const char *call, const char *name, const T *p)
{
    return handle->pointer_mode == CUBLAS_POINTER_MODE_HOST || reaches(call, name, p, 1);
}

/** The status of the launch that was just made. */
inline cublasStatus_t launched()
{
    return cudaGetLastError() == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

/** How many blocks of `threads` threads `n` pieces of work need. */
inline unsigned blocks(size_t n, unsigned threads)
{
    return (unsigned)((n + threads - 1) / threads);
}

} // namespace blas
#endif
