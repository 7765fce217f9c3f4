/**
 * @file cuda_device_runtime_api.h
 * @brief CUDA's runtime in device code: kernels that launch kernels (dynamic parallelism), streams, errors
 * and memory there.
 *
 * `kernel<<<grid, block, shared, stream>>>(...)` works in device code compiled with -rdc=true. umcc leads the
 * calls that CUDA has there to the functions of umsim::device; in a `__host__ __device__` function they are
 * the host's where that runs. What CUDA does not have in device code (cudaMemcpy(), and
 * cudaDeviceSynchronize() since CUDA 12) umcc refuses.
 */
#ifndef UMSIM_CUDA_DEVICE_RUNTIME_API_H
#define UMSIM_CUDA_DEVICE_RUNTIME_API_H

#include "cuda_runtime_api.h"
#include "umsim/nested.h"

/** The grid's stream for what runs when the grid and all that it has launched have ended. */
#define cudaStreamTailLaunch ((cudaStream_t)UMSIM_STREAM_TAIL_LAUNCH)
/** The grid's stream for launches that wait for nothing and that nothing waits for but the end of the grid.
 */
#define cudaStreamFireAndForget ((cudaStream_t)UMSIM_STREAM_FIRE_AND_FORGET)

#if defined(__UMCC__) && defined(__cplusplus)
#include "umsim/device.h"

namespace umsim
{

/** CUDA's runtime as device code sees it: each function does what the host's of the same name does. */
namespace device
{

/** Keeps what a call comes to as the thread's last error, as the host's calls do. */
inline cudaError_t result(cudaError_t error)
{
    return (cudaError_t)umsim_nested_fail(error);
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

/** @name Streams and events: of the grid that makes them
 * Work in them runs in the order in which it is issued, so events have nothing to do. @{ */
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    if (!umsim_in_kernel())
        return ::cudaStreamCreateWithFlags(stream, flags);
    if (!stream || (flags != cudaStreamNonBlocking && flags != cudaStreamDefault)) /* both on an H200 */
        return result(cudaErrorInvalidValue);
    *stream = (cudaStream_t)umsim_nested_handle();
    return cudaSuccess;
}
inline cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    if (!umsim_in_kernel())
        return ::cudaStreamDestroy(stream);
    return result(umsim_nested_is_handle(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    if (!umsim_in_kernel())
        return ::cudaEventCreateWithFlags(event, flags);
    if (!event || flags != cudaEventDisableTiming)
        return result(cudaErrorInvalidValue);
    *event = (cudaEvent_t)umsim_nested_handle();
    return cudaSuccess;
}
inline cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    if (!umsim_in_kernel())
        return ::cudaEventDestroy(event);
    return result(umsim_nested_is_handle(event) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}
inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0)
{
    if (!umsim_in_kernel())
        return ::cudaEventRecord(event, stream);
    const bool good = umsim_nested_is_handle(event) && stream != cudaStreamFireAndForget;
    return result(good ? cudaSuccess : cudaErrorInvalidResourceHandle);
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0)
{
    if (!umsim_in_kernel())
        return ::cudaStreamWaitEvent(stream, event, flags);
    return result(umsim_nested_is_handle(event) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}
/** @} */

/** @name Memory: from the heap of malloc() in device code, which the host cannot free @{ */
inline cudaError_t cudaMalloc(void **p, size_t bytes)
{
    if (!umsim_in_kernel())
        return ::cudaMalloc(p, bytes);
    if (!p)
        return result(cudaErrorInvalidValue);
    *p = bytes ? umsim_kernel_malloc(bytes, 256) : nullptr;
    return result(*p || !bytes ? cudaSuccess : cudaErrorMemoryAllocation);
}
template <class T> inline cudaError_t cudaMalloc(T **p, size_t bytes)
{
    return device::cudaMalloc((void **)p, bytes);
}
inline cudaError_t cudaFree(void *p)
{
    if (!umsim_in_kernel())
        return ::cudaFree(p);
    umsim_free(p);
    return cudaSuccess;
}
/** @} */

/** @name Copies and memsets: as kernels that run in their stream's turn @{ */

/** Threads that a copy is worth: programs compiled with --check have one, because their rows may share a
 * word. */
#ifdef UMSIM_CHECKED
template <class Body, bool Builtins> using copying = threads<Body, Builtins>;
constexpr size_t copying_threads = 1;
#else
template <class Body, bool Builtins> using copying = blocks<Body, Builtins>;
constexpr size_t copying_threads = (size_t)1 << 16;
#endif

/** Rows of `width` bytes each, `last` the last one's; shared out among the blocks, which have one thread. */
struct rows_of {
    size_t rows, width, last;
    char *to;
    size_t to_pitch;
    const char *from; /**< NULL: `value` is written */
    size_t from_pitch;
    int value;

    template <class... A> void operator()(uint3, uint3 block, dim3, dim3 grid, A...) const
    {
        for (size_t row = block.x; row < rows; row += grid.x) {
            const size_t bytes = row + 1 == rows ? last : width;
            if (from)
                __builtin_memcpy(to + row * to_pitch, from + row * from_pitch, bytes);
            else
                __builtin_memset(to + row * to_pitch, value, bytes);
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

inline cudaError_t issue(const rows_of &rows, cudaStream_t stream)
{
    const size_t threads = rows.rows < copying_threads ? rows.rows : copying_threads;
    if (!rows.width || !rows.rows)
        return cudaSuccess;
    const int before = umsim_nested_error(1);
    if (umsim_push_call(dim3((unsigned)threads), dim3(1), 0, stream) == 0) {
        if (rows.from)
            umsim::launch<copying, false, copy_name>(rows);
        else
            umsim::launch<copying, false, set_name>(rows);
    }
    const int error = umsim_nested_error(0);
    umsim_nested_fail(error ? error : before);
    return (cudaError_t)error;
}

/** Of one stretch the rows are as long as is worth a thread. */
inline cudaError_t issue_stretch(void *to, const void *from, int value, size_t bytes, cudaStream_t stream)
{
    const size_t row = (size_t)64 << 10, rows = (bytes + row - 1) / row;
    if (!bytes)
        return cudaSuccess;
    return issue(
        rows_of{rows, row, bytes - (rows - 1) * row, (char *)to, row, (const char *)from, row, value},
        stream);
}

inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t stream = 0)
{
    if (!umsim_in_kernel())
        return ::cudaMemcpyAsync(to, from, bytes, kind, stream);
    if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return result(cudaErrorInvalidMemcpyDirection);
    if (bytes && (!to || !from))
        return result(cudaErrorInvalidValue);
    return issue_stretch(to, from, 0, bytes, stream);
}
inline cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream = 0)
{
    if (!umsim_in_kernel())
        return ::cudaMemsetAsync(to, value, bytes, stream);
    if (bytes && !to)
        return result(cudaErrorInvalidValue);
    return issue_stretch(to, nullptr, value & 255, bytes, stream);
}
inline cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                     size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream = 0)
{
    if (!umsim_in_kernel())
        return ::cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, stream);
    if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return result(cudaErrorInvalidMemcpyDirection);
    if (!to || !from)
        return result(cudaErrorInvalidValue);
    if (width > to_pitch || width > from_pitch)
        return result(cudaErrorInvalidPitchValue);
    return issue(rows_of{height, width, width, (char *)to, to_pitch, (const char *)from, from_pitch, 0},
                 stream);
}
inline cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
                                     cudaStream_t stream = 0)
{
    if (!umsim_in_kernel())
        return ::cudaMemset2DAsync(to, pitch, value, width, height, stream);
    if (!to)
        return result(cudaErrorInvalidValue);
    if (width > pitch)
        return result(cudaErrorInvalidPitchValue);
    return issue(rows_of{height, width, width, (char *)to, pitch, nullptr, 0, value & 255}, stream);
}
/** @} */

/** @name The device @{ */
inline cudaError_t cudaGetDevice(int *device)
{
    if (!umsim_in_kernel())
        return ::cudaGetDevice(device);
    return device ? (*device = 0, cudaSuccess) : result(cudaErrorInvalidValue);
}
inline cudaError_t cudaGetDeviceCount(int *count)
{
    if (!umsim_in_kernel())
        return ::cudaGetDeviceCount(count);
    return count ? (*count = 1, cudaSuccess) : result(cudaErrorInvalidValue);
}
/** In kernels: the version of CUDA's device runtime, 6000 as on an H200 (driver 580, CUDA 13.0). */
inline cudaError_t cudaRuntimeGetVersion(int *version)
{
    if (!umsim_in_kernel())
        return ::cudaRuntimeGetVersion(version);
    return version ? (*version = 6000, cudaSuccess) : result(cudaErrorInvalidValue);
}
/** @} */

using ::cudaGetErrorName;
using ::cudaGetErrorString;

} // namespace device
} // namespace umsim
#endif

#endif
