/**
 * @file cuda_device_runtime_api.h
 * @brief CUDA's runtime in device code: kernels that launch kernels (dynamic parallelism), and streams,
 * errors and memory there.
 *
 * `kernel<<<grid, block, shared, stream>>>(...)` works in device code compiled with -rdc=true. umcc
 * redirects the calls that CUDA provides in device code to the functions of umsim::device. In a `__host__
 * __device__` function that runs on the host, they are the host's functions. umcc refuses what CUDA does
 * not provide in device code (cudaMemcpy(), and cudaDeviceSynchronize() since CUDA 12).
 */
#ifndef UMSIM_CUDA_DEVICE_RUNTIME_API_H
#define UMSIM_CUDA_DEVICE_RUNTIME_API_H

#include "cuda_runtime_api.h"
#include "umsim/nested.h"

/** The grid's stream for work that runs when the grid and all that it has launched have ended. */
#define cudaStreamTailLaunch ((cudaStream_t)UMSIM_STREAM_TAIL_LAUNCH)
/** The grid's stream for launches that wait for nothing, and that only the end of the grid waits for. */
#define cudaStreamFireAndForget ((cudaStream_t)UMSIM_STREAM_FIRE_AND_FORGET)

#if defined(__UMCC__) && defined(__cplusplus)
#include "umsim/device.h"

namespace umsim
{

/** CUDA's runtime as device code sees it: each function does what the host's of the same name does. */
namespace device
{

/** Stores the result of a call as the thread's last error, as the host's calls do. */
inline cudaError_t keep_error(cudaError_t __error)
{
    return (cudaError_t)umsim_nested_fail(__error);
}

/** @name Errors: the calling thread's own @{ */
inline cudaError_t cudaGetLastError()
{
    return umsim_in_kernel() ? (cudaError_t)umsim_nested_error(1) : ::cudaGetLastError();
}
inline cudaError_t cudaPeekAtLastError()
{
    return umsim_in_kernel() ? (cudaError_t)umsim_nested_error(0) : ::cudaPeekAtLastError();
}
/** @} */

/**
 * @name Streams and events: each belongs to the grid that makes it
 * Work in them runs in the order in which it is issued, so events have no work to do.
 * @{
 */
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *__stream, unsigned __flags)
{
    if (!umsim_in_kernel())
        return ::cudaStreamCreateWithFlags(__stream, __flags);
    if (!__stream || (__flags != cudaStreamNonBlocking && __flags != cudaStreamDefault)) /* both on an H200 */
        return keep_error(cudaErrorInvalidValue);
    *__stream = (cudaStream_t)umsim_nested_handle();
    return cudaSuccess;
}
inline cudaError_t cudaStreamDestroy(cudaStream_t __stream)
{
    if (!umsim_in_kernel())
        return ::cudaStreamDestroy(__stream);
    return keep_error(umsim_nested_is_handle(__stream) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *__event, unsigned __flags)
{
    if (!umsim_in_kernel())
        return ::cudaEventCreateWithFlags(__event, __flags);
    if (!__event || __flags != cudaEventDisableTiming)
        return keep_error(cudaErrorInvalidValue);
    *__event = (cudaEvent_t)umsim_nested_handle();
    return cudaSuccess;
}
inline cudaError_t cudaEventDestroy(cudaEvent_t __event)
{
    if (!umsim_in_kernel())
        return ::cudaEventDestroy(__event);
    return keep_error(umsim_nested_is_handle(__event) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}
inline cudaError_t cudaEventRecord(cudaEvent_t __event, cudaStream_t __stream = 0)
{
    if (!umsim_in_kernel())
        return ::cudaEventRecord(__event, __stream);
    const bool __good = umsim_nested_is_handle(__event) && __stream != cudaStreamFireAndForget;
    return keep_error(__good ? cudaSuccess : cudaErrorInvalidResourceHandle);
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t __stream, cudaEvent_t __event, unsigned __flags = 0)
{
    if (!umsim_in_kernel())
        return ::cudaStreamWaitEvent(__stream, __event, __flags);
    return keep_error(umsim_nested_is_handle(__event) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}
/** @} */

/** @name Graphs @{ */
/** Sets the number that a conditional node of the running graph asks. */
inline void cudaGraphSetConditional(cudaGraphConditionalHandle __handle, unsigned int __value)
{
    umsim_condition_set(__handle, __value);
}
/** @} */

/** @name Memory: from the heap of malloc() in device code, which the host cannot free @{ */
__attribute__((__always_inline__, __artificial__)) inline cudaError_t cudaMalloc(void **__p, size_t __bytes)
{
    if (!umsim_in_kernel())
        return ::cudaMalloc(__p, __bytes);
    if (!__p)
        return keep_error(cudaErrorInvalidValue);
    *__p = __bytes ? umsim_kernel_malloc(__bytes, 256) : nullptr;
    return keep_error(*__p || !__bytes ? cudaSuccess : cudaErrorMemoryAllocation);
}
template <class _Tp>
__attribute__((__always_inline__, __artificial__)) inline cudaError_t cudaMalloc(_Tp **__p, size_t __bytes)
{
    return device::cudaMalloc((void **)__p, __bytes);
}
inline cudaError_t cudaFree(void *__p)
{
    if (!umsim_in_kernel())
        return ::cudaFree(__p);
    umsim_free(__p);
    return cudaSuccess;
}
/** @} */

/**
 * @name Copies and memsets: as kernels in their stream's order
 * @{
 */

/** The number of threads for a copy. Programs compiled with --check use one, because the rows of two threads
 * may share a word. */
#ifdef UMSIM_CHECKED
template <class _Body, bool _Builtins> using copying = threads<_Body, _Builtins>;
constexpr size_t copying_threads = 1;
#else
template <class _Body, bool _Builtins> using copying = blocks<_Body, _Builtins>;
constexpr size_t copying_threads = (size_t)1 << 16;
#endif

/** Rows of `__width` bytes each, and `__last` bytes for the last one. They are divided among the blocks,
 * which have one thread. */
struct rows_of {
    size_t __rows, __width, __last;
    char *__to;
    size_t __to_pitch;
    const char *__from; /**< NULL: `__value` is written instead */
    size_t __from_pitch;
    int __value;

    template <class... _Ap> void operator()(uint3, uint3 __block, dim3, dim3 __grid, _Ap...) const
    {
        for (size_t __row = __block.x; __row < __rows; __row += __grid.x) {
            const size_t __bytes = __row + 1 == __rows ? __last : __width;
            if (__from)
                __builtin_memcpy(__to + __row * __to_pitch, __from + __row * __from_pitch, __bytes);
            else
                __builtin_memset(__to + __row * __to_pitch, __value, __bytes);
        }
    }
};

struct copy_name {
    static constexpr const char *text()
    {
        return "cudaMemcpyAsync";
    }
};
struct set_name {
    static constexpr const char *text()
    {
        return "cudaMemsetAsync";
    }
};

inline cudaError_t issue(const rows_of &__rows, cudaStream_t __stream)
{
    const size_t __threads = __rows.__rows < copying_threads ? __rows.__rows : copying_threads;
    if (!__rows.__width || !__rows.__rows)
        return cudaSuccess;
    const int __before = umsim_nested_error(1);
    if (umsim_push_call(dim3((unsigned)__threads), dim3(1), 0, __stream) == 0) {
        if (__rows.__from)
            umsim::launch<copying, false, copy_name>(__rows);
        else
            umsim::launch<copying, false, set_name>(__rows);
    }
    const int __error = umsim_nested_error(0);
    umsim_nested_fail(__error ? __error : __before);
    return (cudaError_t)__error;
}

/** Divides one range into rows that are each worth a thread. */
inline cudaError_t issue_range(void *__to, const void *__from, int __value, size_t __bytes,
                               cudaStream_t __stream)
{
    const size_t __row = (size_t)64 << 10, __rows = (__bytes + __row - 1) / __row;
    if (!__bytes)
        return cudaSuccess;
    return issue(rows_of{__rows, __row, __bytes - (__rows - 1) * __row, (char *)__to, __row,
                         (const char *)__from, __row, __value},
                 __stream);
}

inline cudaError_t cudaMemcpyAsync(void *__to, const void *__from, size_t __bytes, cudaMemcpyKind __kind,
                                   cudaStream_t __stream = 0)
{
    if (!umsim_in_kernel())
        return ::cudaMemcpyAsync(__to, __from, __bytes, __kind, __stream);
    if (__kind != cudaMemcpyDeviceToDevice && __kind != cudaMemcpyDefault)
        return keep_error(cudaErrorInvalidMemcpyDirection);
    if (__bytes && (!__to || !__from))
        return keep_error(cudaErrorInvalidValue);
    return issue_range(__to, __from, 0, __bytes, __stream);
}
inline cudaError_t cudaMemsetAsync(void *__to, int __value, size_t __bytes, cudaStream_t __stream = 0)
{
    if (!umsim_in_kernel())
        return ::cudaMemsetAsync(__to, __value, __bytes, __stream);
    if (__bytes && !__to)
        return keep_error(cudaErrorInvalidValue);
    return issue_range(__to, nullptr, __value & 255, __bytes, __stream);
}
inline cudaError_t cudaMemcpy2DAsync(void *__to, size_t __to_pitch, const void *__from, size_t __from_pitch,
                                     size_t __width, size_t __height, cudaMemcpyKind __kind,
                                     cudaStream_t __stream = 0)
{
    if (!umsim_in_kernel())
        return ::cudaMemcpy2DAsync(__to, __to_pitch, __from, __from_pitch, __width, __height, __kind,
                                   __stream);
    if (__kind != cudaMemcpyDeviceToDevice && __kind != cudaMemcpyDefault)
        return keep_error(cudaErrorInvalidMemcpyDirection);
    if (!__to || !__from)
        return keep_error(cudaErrorInvalidValue);
    if (__width > __to_pitch || __width > __from_pitch)
        return keep_error(cudaErrorInvalidPitchValue);
    return issue(
        rows_of{__height, __width, __width, (char *)__to, __to_pitch, (const char *)__from, __from_pitch, 0},
        __stream);
}
inline cudaError_t cudaMemset2DAsync(void *__to, size_t __pitch, int __value, size_t __width, size_t __height,
                                     cudaStream_t __stream = 0)
{
    if (!umsim_in_kernel())
        return ::cudaMemset2DAsync(__to, __pitch, __value, __width, __height, __stream);
    if (!__to)
        return keep_error(cudaErrorInvalidValue);
    if (__width > __pitch)
        return keep_error(cudaErrorInvalidPitchValue);
    return issue(rows_of{__height, __width, __width, (char *)__to, __pitch, nullptr, 0, __value & 255},
                 __stream);
}
/** @} */

/** @name The device @{ */
inline cudaError_t cudaGetDevice(int *__device)
{
    if (!umsim_in_kernel())
        return ::cudaGetDevice(__device);
    return __device ? (*__device = umsim_kernel_device(0), cudaSuccess) : keep_error(cudaErrorInvalidValue);
}
inline cudaError_t cudaGetDeviceCount(int *__count)
{
    if (!umsim_in_kernel())
        return ::cudaGetDeviceCount(__count);
    return __count ? (umsim_kernel_device(__count), cudaSuccess) : keep_error(cudaErrorInvalidValue);
}
/** In kernels: the version of CUDA's device runtime, 6000 as on an H200 (driver 580, CUDA 13.0). */
inline cudaError_t cudaRuntimeGetVersion(int *__version)
{
    if (!umsim_in_kernel())
        return ::cudaRuntimeGetVersion(__version);
    return __version ? (*__version = 6000, cudaSuccess) : keep_error(cudaErrorInvalidValue);
}
/** @} */

using ::cudaGetErrorName;
using ::cudaGetErrorString;

} // namespace device
} // namespace umsim
#endif

#endif
