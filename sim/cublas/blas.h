/**
 * @file blas.h
 * @brief What the files of the simulator's cuBLAS share: handles, scalars, the checks before a kernel starts,
 * and what a launch stands for.
 *
 * These files are CUDA, compiled by umcc into libcublas.so. Their kernels are written for an engine that runs
 * a kernel's threads as a loop: each thread does a range of the work, and its inner loops go through memory
 * in order. Sizes are 64-bit numbers inside, whatever a call takes.
 *
 * OpenBLAS could not do the work: kernels run in the GPU process, in which all memory is closed that the host
 * process had (sim/space/seal_host_memory.h), and OpenBLAS keeps threads, locks and buffers of its own there.
 */
#ifndef UMSIM_BLAS_H
#define UMSIM_BLAS_H

#include "../library/arrays.h"
#include "number.h"

#include <cublas_v2.h>
#include <umsim.h>
#include <umsim/reach.h>

/** The number of parts in which a vector is summed. */
#define BLAS_PARTS 64

/** A part of a reduction. */
struct blas_part {
    blas::complex<double> sum;
    blas::i64 place;
};

struct cublasContext {
    cudaStream_t stream;
    cublasPointerMode_t pointer_mode;
    cublasMath_t math;
    cublasAtomicsMode_t atomics;
    int sm_count_target;
    blas_part *parts; /* device memory: BLAS_PARTS, and one final result */
};

namespace blas
{

/** `alpha` or `beta`: the host's value, or the address of the device's, which may be of another type. */
enum stored { STORED_SAME, STORED_HALF, STORED_REAL };
template <class T> struct scalar {
    T value;
    const void *place;
    stored as;
    __device__ T get() const
    {
        if (!place)
            return value;
        if (as == STORED_HALF)
            return T(__half2float(*(const __half *)place));
        return as == STORED_REAL ? T(*(const real_t<T> *)place) : *(const T *)place;
    }
};
template <class T, class S> inline scalar<T> scalar_from(cublasPointerMode_t mode, const S *p, stored as)
{
    return mode == CUBLAS_POINTER_MODE_DEVICE ? scalar<T>{T(), p, as}
                                              : scalar<T>{to<T>(*p), nullptr, STORED_SAME};
}
template <class T> inline scalar<T> scalar_of(cublasHandle_t handle, const T *p)
{
    return scalar_from<T>(handle->pointer_mode, p, STORED_SAME);
}
template <class R> inline scalar<complex<R>> scalar_of_real(cublasHandle_t handle, const R *p)
{
    return scalar_from<complex<R>>(handle->pointer_mode, p, STORED_REAL);
}
template <class T> inline scalar<T> scalar_is(T value)
{
    return {value, nullptr, STORED_SAME};
}
/** Whether the host knows that it is zero: what it would multiply is not read. */
template <class T> inline bool is_zero(const scalar<T> &s)
{
    return !s.place && s.value == T(0);
}

/** Elements from the first to the last of a vector, or of a matrix; of anything that no memory holds,
 * UINT64_MAX. */
inline uint64_t extent(i64 n, i64 stride)
{
    const uint64_t step = stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride;
    return n > 0 ? umsim_plus(umsim_times((uint64_t)(n - 1), step), 1) : 0;
}
inline uint64_t extent(i64 rows, i64 columns, i64 leading)
{
    return rows > 0 && columns > 0
               ? umsim_plus(umsim_times((uint64_t)(columns - 1), (uint64_t)leading), (uint64_t)rows)
               : 0;
}
/** The same of a batch. */
inline uint64_t extent_of_batch(uint64_t one, i64 stride, i64 count)
{
    return one && count > 0 ? umsim_plus(umsim_times((uint64_t)(count - 1), (uint64_t)stride), one) : 0;
}

/** As umsim_reaches(). */
template <class T> inline bool reaches(const char *call, const char *name, const T *p, uint64_t elements)
{
    return umsim_reaches(call, name, p, elements, sizeof(T));
}
template <class T>
inline bool scalar_reaches(cublasHandle_t handle, const char *call, const char *name, const T *p)
{
    return handle->pointer_mode == CUBLAS_POINTER_MODE_HOST || reaches(call, name, p, 1);
}

/** The address of the element that BLAS counts as the first one: a negative stride begins at the end. */
template <class T> __host__ __device__ inline T *first_of(T *x, i64 n, i64 stride)
{
    return stride < 0 ? x - (n - 1) * stride : x;
}

/** The status of the launch that was just made. */
inline cublasStatus_t launched()
{
    return cudaGetLastError() == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

/** How many blocks of `threads` threads `n` pieces of work need. */
inline unsigned blocks(uint64_t n, unsigned threads)
{
    return (unsigned)((n + threads - 1) / threads);
}

/** Of the device. */
inline uint64_t multiprocessors()
{
    static int count;
    if (!count)
        cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0);
    return (uint64_t)count;
}

/** The units that compute with T where cuBLAS has no other. */
template <class T> inline umsim_unit unit_of()
{
    return sizeof(real_t<T>) == 8 ? UMSIM_UNIT_DOUBLE : UMSIM_UNIT_SINGLE;
}

/** The next launch stands for one that goes through `elements` elements once, by 256 threads a block and 4
 * elements each. */
inline void stands_for_elements(uint64_t elements, uint64_t operations, umsim_unit unit)
{
    const umsim_stands_for what = {elements / 1024 + 1, 256, operations, unit, 0};
    umsim_kernel_stands_for(&what);
}

} // namespace blas

/* Calls are rows of macros: one for each prefix (S, D, C, Z), and for sizes of int and of int64_t (_64). */
#define HANDLE cublasHandle_t handle
#define BOTH_SIZES(rows, ...) rows(__VA_ARGS__, int, ) rows(__VA_ARGS__, int64_t, _64)

#endif
