/**
 * @file cuda_runtime.h
 * @brief The CUDA runtime: its C API, the vector types, and in C++ the overloads that save casts.
 *
 * The header that programs include. From C it brings cuda_runtime_api.h and vector_functions.h. In C++
 * allocations take a `T **`, and both CUDA 13's and CUDA 12's forms of cudaMemPrefetchAsync() and
 * cudaMemAdvise() are there. In a file that umcc compiles, kernels and device variables can be named directly
 * (cudaMemcpyToSymbol(variable, ...)), and threadIdx, __syncthreads() and the other words of device code are
 * there (umsim/device.h).
 *
 * The overloads return what the function of the same name in cuda_runtime_api.h returns.
 */
#ifndef UMSIM_CUDA_RUNTIME_H
#define UMSIM_CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__ /* NVIDIA's name for it: programs ask whether it is there */

#include "builtin_types.h"
#include "channel_descriptor.h"
#include "cuda_runtime_api.h"
#include "driver_functions.h"
#include "host_defines.h"
#include "vector_functions.h"

/** @name Names of CUDA 3 and before
 * Course programs still have them; NVIDIA's headers no longer do from CUDA 13 on. @{ */
#ifndef UMSIM_CUDA12
/** cudaDeviceSynchronize(). */
static inline cudaError_t cudaThreadSynchronize(void)
{
    return cudaDeviceSynchronize();
}
/** cudaDeviceReset(). */
static inline cudaError_t cudaThreadExit(void)
{
    return cudaDeviceReset();
}
/** cudaDeviceSetLimit(). */
static inline cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value)
{
    return cudaDeviceSetLimit(limit, value);
}
/** cudaDeviceSetCacheConfig(). */
static inline cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache cacheConfig)
{
    return cudaDeviceSetCacheConfig(cacheConfig);
}
#endif
/** @} */

#ifdef __cplusplus

/** @name Allocations of any type of pointer
 * Sizes are bytes, whatever the type. @{ */
/** cudaMalloc() for a `T *`. */
template <class T> static inline cudaError_t cudaMalloc(T **devPtr, size_t size)
{
    return ::cudaMalloc((void **)devPtr, size);
}
/** cudaMallocPitch() for a `T *`. */
template <class T>
static inline cudaError_t cudaMallocPitch(T **devPtr, size_t *pitch, size_t width, size_t height)
{
    return ::cudaMallocPitch((void **)devPtr, pitch, width, height);
}
/** cudaMallocManaged() for a `T *`. */
template <class T>
static inline cudaError_t cudaMallocManaged(T **devPtr, size_t size, unsigned int flags = cudaMemAttachGlobal)
{
    return ::cudaMallocManaged((void **)devPtr, size, flags);
}
/** cudaHostAlloc() under the name of cudaMallocHost(). */
static inline cudaError_t cudaMallocHost(void **ptr, size_t size, unsigned int flags)
{
    return ::cudaHostAlloc(ptr, size, flags);
}
/** cudaMallocHost() for a `T *`, with the flags of cudaHostAlloc(). */
template <class T> static inline cudaError_t cudaMallocHost(T **ptr, size_t size, unsigned int flags = 0)
{
    return ::cudaHostAlloc((void **)ptr, size, flags);
}
/** cudaHostAlloc() for a `T *`. */
template <class T> static inline cudaError_t cudaHostAlloc(T **ptr, size_t size, unsigned int flags)
{
    return ::cudaHostAlloc((void **)ptr, size, flags);
}
/** cudaHostGetDevicePointer() for a `T *`. */
template <class T>
static inline cudaError_t cudaHostGetDevicePointer(T **pDevice, void *pHost, unsigned int flags)
{
    return ::cudaHostGetDevicePointer((void **)pDevice, pHost, flags);
}
/** cudaMallocAsync() for a `T *`. */
template <class T> static inline cudaError_t cudaMallocAsync(T **ptr, size_t size, cudaStream_t stream)
{
    return ::cudaMallocAsync((void **)ptr, size, stream);
}
/** cudaMallocFromPoolAsync() under the name of cudaMallocAsync(). */
static inline cudaError_t cudaMallocAsync(void **ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync(ptr, size, memPool, stream);
}
/** The same for a `T *`. */
template <class T>
static inline cudaError_t cudaMallocAsync(T **ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync((void **)ptr, size, memPool, stream);
}
/** cudaMallocFromPoolAsync() for a `T *`. */
template <class T>
static inline cudaError_t cudaMallocFromPoolAsync(T **ptr, size_t size, cudaMemPool_t memPool,
                                                  cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync((void **)ptr, size, memPool, stream);
}
/** cudaStreamAttachMemAsync() for a `T *`. */
template <class T>
static inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T *devPtr, size_t length = 0,
                                                   unsigned int flags = cudaMemAttachSingle)
{
    return ::cudaStreamAttachMemAsync(stream, (void *)devPtr, length, flags);
}
/** @} */

/** cudaEventCreateWithFlags() under the name of cudaEventCreate(). */
static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
    return ::cudaEventCreateWithFlags(event, flags);
}

/** @name The other version's forms of prefetch and advice
 * CUDA 12 says where with a device number (cudaCpuDeviceId for the host), CUDA 13 with a cudaMemLocation. @{
 */
#ifdef UMSIM_CUDA12
/** CUDA 13's form. */
static inline cudaError_t cudaMemPrefetchAsync(const void *devPtr, size_t count,
                                               struct cudaMemLocation location, unsigned int flags,
                                               cudaStream_t stream = 0)
{
    return ::cudaMemPrefetchAsync_v2(devPtr, count, location, flags, stream);
}
/** CUDA 13's form. */
static inline cudaError_t cudaMemAdvise(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
                                        struct cudaMemLocation location)
{
    return ::cudaMemAdvise_v2(devPtr, count, advice, location);
}
#else
/** The place that a CUDA 12 device number means; a number that is no device stays one, and is refused as
 * such. */
static inline struct cudaMemLocation umsim_location_of_device(int device)
{
    struct cudaMemLocation location;
    location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    location.id = device == cudaCpuDeviceId ? 0 : device;
    return location;
}
/** CUDA 12's form. NVIDIA's CUDA 13 headers no longer have it. */
static inline cudaError_t cudaMemPrefetchAsync(const void *devPtr, size_t count, int dstDevice,
                                               cudaStream_t stream = 0)
{
    return ::cudaMemPrefetchAsync(devPtr, count, umsim_location_of_device(dstDevice), 0u, stream);
}
/** CUDA 12's form. NVIDIA's CUDA 13 headers no longer have it. */
static inline cudaError_t cudaMemAdvise(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
                                        int device)
{
    return ::cudaMemAdvise(devPtr, count, advice, umsim_location_of_device(device));
}
#endif
/** @} */

/** @name Older forms of calls for graphs
 * @{ */
/** cudaGraphInstantiate() as CUDA 11 had it; nothing is logged. */
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                                               cudaGraphNode_t *pErrorNode, char *pLogBuffer,
                                               size_t bufferSize)
{
    (void)pErrorNode;
    (void)pLogBuffer;
    (void)bufferSize;
    return ::cudaGraphInstantiate(pGraphExec, graph, 0);
}
#ifndef UMSIM_CUDA12
/** CUDA 12's form. NVIDIA's CUDA 13 headers no longer have it. */
static inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                   const cudaGraphNode_t *to, size_t numDependencies)
{
    return ::cudaGraphAddDependencies(graph, from, to, NULL, numDependencies);
}
#endif
/** @} */

/** @name Launches of any kernel
 * @{ */
/** cudaLaunchKernel() of a kernel by its name. */
template <class T>
static inline cudaError_t cudaLaunchKernel(T *func, dim3 gridDim, dim3 blockDim, void **args,
                                           size_t sharedMem = 0, cudaStream_t stream = 0)
{
    return ::cudaLaunchKernel((const void *)func, gridDim, blockDim, args, sharedMem, stream);
}
/** cudaLaunchKernelExC() of a kernel and its arguments, which convert to its parameters. */
template <class... P, class... A>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(P...),
                                             A &&...args)
{
    return [&](P... parameters) {
        void *pointers[sizeof...(P) + 1] = {(void *)&parameters...};
        return ::cudaLaunchKernelExC(config, (const void *)kernel, pointers);
    }(static_cast<A &&>(args)...);
}
/** cudaLaunchCooperativeKernel() of a kernel by its name. */
template <class T>
static inline cudaError_t cudaLaunchCooperativeKernel(T *func, dim3 gridDim, dim3 blockDim, void **args,
                                                      size_t sharedMem = 0, cudaStream_t stream = 0)
{
    return ::cudaLaunchCooperativeKernel((const void *)func, gridDim, blockDim, args, sharedMem, stream);
}
/** @} */

#ifdef __UMCC__
/** @name Device variables by their name
 * For __device__, __constant__ and __managed__ variables of any type. In files that umcc compiles, as nvcc's
 * headers have them for nvcc only. @{ */
/** cudaMemcpyToSymbol() of a variable. */
template <class T>
static inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *src, size_t count,
                                             size_t offset = 0,
                                             enum cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return ::cudaMemcpyToSymbol((const void *)&symbol, src, count, offset, kind);
}
/** cudaMemcpyToSymbolAsync() of a variable. */
template <class T>
static inline cudaError_t
cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t count, size_t offset = 0,
                        enum cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0)
{
    return ::cudaMemcpyToSymbolAsync((const void *)&symbol, src, count, offset, kind, stream);
}
/** cudaMemcpyFromSymbol() of a variable. */
template <class T>
static inline cudaError_t cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t count, size_t offset = 0,
                                               enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return ::cudaMemcpyFromSymbol(dst, (const void *)&symbol, count, offset, kind);
}
/** cudaMemcpyFromSymbolAsync() of a variable. */
template <class T>
static inline cudaError_t
cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t count, size_t offset = 0,
                          enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0)
{
    return ::cudaMemcpyFromSymbolAsync(dst, (const void *)&symbol, count, offset, kind, stream);
}
/** cudaGetSymbolAddress() of a variable. */
template <class T> static inline cudaError_t cudaGetSymbolAddress(void **devPtr, const T &symbol)
{
    return ::cudaGetSymbolAddress(devPtr, (const void *)&symbol);
}
/** cudaGetSymbolSize() of a variable. */
template <class T> static inline cudaError_t cudaGetSymbolSize(size_t *size, const T &symbol)
{
    return ::cudaGetSymbolSize(size, (const void *)&symbol);
}
/** @} */

/** @name Kernels by their name
 * @{ */
/** cudaFuncGetAttributes() of a kernel. */
template <class T> static inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, T *func)
{
    return ::cudaFuncGetAttributes(attr, (const void *)func);
}
/** cudaFuncSetAttribute() of a kernel. */
template <class T>
static inline cudaError_t cudaFuncSetAttribute(T *func, enum cudaFuncAttribute attr, int value)
{
    return ::cudaFuncSetAttribute((const void *)func, attr, value);
}
/** cudaFuncSetSharedMemConfig() of a kernel. */
template <class T>
static inline cudaError_t cudaFuncSetSharedMemConfig(T *func, enum cudaSharedMemConfig config)
{
    return ::cudaFuncSetSharedMemConfig((const void *)func, config);
}
/** cudaFuncSetCacheConfig() of a kernel. */
template <class T> static inline cudaError_t cudaFuncSetCacheConfig(T *func, enum cudaFuncCache cacheConfig)
{
    return ::cudaFuncSetCacheConfig((const void *)func, cacheConfig);
}
/** cudaOccupancyMaxActiveBlocksPerMultiprocessor() of a kernel. */
template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, T func, int blockSize,
                                                                        size_t dynamicSMemSize)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, (const void *)func, blockSize,
                                                           dynamicSMemSize);
}
/** cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags() of a kernel. */
template <class T>
static inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, T func, int blockSize,
                                                       size_t dynamicSMemSize, unsigned int flags)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, (const void *)func, blockSize,
                                                                    dynamicSMemSize, flags);
}
/** cudaOccupancyAvailableDynamicSMemPerBlock() of a kernel. */
template <class T>
static inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, T *func,
                                                                    int numBlocks, int blockSize)
{
    return ::cudaOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize, (const void *)func, numBlocks,
                                                       blockSize);
}
/** @} */

#include "umsim/device.h"
#include "umsim/occupancy.h"
#endif /* __UMCC__ */

#endif /* __cplusplus */

#endif
