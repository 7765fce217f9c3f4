/**
 * @file cuda_runtime.h
 * @brief The CUDA runtime: its C API, the vector types, and in C++ the overloads that save casts.
 *
 * This is the header that programs include. For C it includes cuda_runtime_api.h and vector_functions.h. In
 * C++, allocation functions accept a `T **`, and both CUDA 13's and CUDA 12's forms of
 * cudaMemPrefetchAsync() and cudaMemAdvise() are declared. In a file that umcc compiles, kernels and device
 * variables can be named directly (cudaMemcpyToSymbol(variable, ...)), and threadIdx, __syncthreads() and
 * the other names of device code are available (umsim/device.h).
 *
 * The overloads return what the function of the same name in cuda_runtime_api.h returns.
 */
#ifndef UMSIM_CUDA_RUNTIME_H
#define UMSIM_CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__ /* NVIDIA's name for it: programs test whether it is defined */

#include "builtin_types.h"
#include "channel_descriptor.h"
#include "cuda_runtime_api.h"
#include "driver_functions.h"
#include "host_defines.h"
#include "library_types.h"
#include "vector_functions.h"
#ifdef __cplusplus
#include <initializer_list> /* these two for programs: NVIDIA's header brings them */
#include <utility>
#endif

/**
 * @name Names of CUDA 3 and before
 * Course programs still use them; NVIDIA's headers no longer have them from CUDA 13 on.
 * @{
 */
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
static inline cudaError_t cudaThreadSetLimit(enum cudaLimit __limit, size_t __value)
{
    return cudaDeviceSetLimit(__limit, __value);
}
/** cudaDeviceSetCacheConfig(). */
static inline cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache __cacheConfig)
{
    return cudaDeviceSetCacheConfig(__cacheConfig);
}
/** @} */

#ifdef __cplusplus

/** @name Allocations of any type of pointer
 * Sizes are bytes, whatever the type. @{ */
/** cudaMalloc() for a `_Tp *`. */
template <class _Tp> static inline cudaError_t cudaMalloc(_Tp **__devPtr, size_t __size)
{
    return ::cudaMalloc((void **)__devPtr, __size);
}
/** cudaMallocPitch() for a `_Tp *`. */
template <class _Tp>
static inline cudaError_t cudaMallocPitch(_Tp **__devPtr, size_t *__pitch, size_t __width, size_t __height)
{
    return ::cudaMallocPitch((void **)__devPtr, __pitch, __width, __height);
}
/** cudaMallocManaged() for a `_Tp *`. */
template <class _Tp>
static inline cudaError_t cudaMallocManaged(_Tp **__devPtr, size_t __size,
                                            unsigned int __flags = cudaMemAttachGlobal)
{
    return ::cudaMallocManaged((void **)__devPtr, __size, __flags);
}
/** cudaHostAlloc() under the name of cudaMallocHost(). */
static inline cudaError_t cudaMallocHost(void **__ptr, size_t __size, unsigned int __flags)
{
    return ::cudaHostAlloc(__ptr, __size, __flags);
}
/** cudaMallocHost() for a `_Tp *`, with the flags of cudaHostAlloc(). */
template <class _Tp>
static inline cudaError_t cudaMallocHost(_Tp **__ptr, size_t __size, unsigned int __flags = 0)
{
    return ::cudaHostAlloc((void **)__ptr, __size, __flags);
}
/** cudaHostAlloc() for a `_Tp *`. */
template <class _Tp> static inline cudaError_t cudaHostAlloc(_Tp **__ptr, size_t __size, unsigned int __flags)
{
    return ::cudaHostAlloc((void **)__ptr, __size, __flags);
}
/** cudaHostGetDevicePointer() for a `_Tp *`. */
template <class _Tp>
static inline cudaError_t cudaHostGetDevicePointer(_Tp **__pDevice, void *__pHost, unsigned int __flags)
{
    return ::cudaHostGetDevicePointer((void **)__pDevice, __pHost, __flags);
}
/** cudaMallocAsync() for a `_Tp *`. */
template <class _Tp>
static inline cudaError_t cudaMallocAsync(_Tp **__ptr, size_t __size, cudaStream_t __stream)
{
    return ::cudaMallocAsync((void **)__ptr, __size, __stream);
}
/** cudaMallocFromPoolAsync() under the name of cudaMallocAsync(). */
static inline cudaError_t cudaMallocAsync(void **__ptr, size_t __size, cudaMemPool_t __memPool,
                                          cudaStream_t __stream)
{
    return ::cudaMallocFromPoolAsync(__ptr, __size, __memPool, __stream);
}
/** The same for a `_Tp *`. */
template <class _Tp>
static inline cudaError_t cudaMallocAsync(_Tp **__ptr, size_t __size, cudaMemPool_t __memPool,
                                          cudaStream_t __stream)
{
    return ::cudaMallocFromPoolAsync((void **)__ptr, __size, __memPool, __stream);
}
/** cudaMallocFromPoolAsync() for a `_Tp *`. */
template <class _Tp>
static inline cudaError_t cudaMallocFromPoolAsync(_Tp **__ptr, size_t __size, cudaMemPool_t __memPool,
                                                  cudaStream_t __stream)
{
    return ::cudaMallocFromPoolAsync((void **)__ptr, __size, __memPool, __stream);
}
/** cudaStreamAttachMemAsync() for a `_Tp *`. */
template <class _Tp>
static inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t __stream, _Tp *__devPtr, size_t __length = 0,
                                                   unsigned int __flags = cudaMemAttachSingle)
{
    return ::cudaStreamAttachMemAsync(__stream, (void *)__devPtr, __length, __flags);
}
/** @} */

/** cudaEventCreateWithFlags() under the name of cudaEventCreate(). */
static inline cudaError_t cudaEventCreate(cudaEvent_t *__event, unsigned int __flags)
{
    return ::cudaEventCreateWithFlags(__event, __flags);
}

/**
 * @name The other version's forms of prefetch and advice
 * CUDA 12 gives the place as a device number (cudaCpuDeviceId for the host), CUDA 13 as a cudaMemLocation.
 * @{
 */
#ifdef UMSIM_CUDA12
/** CUDA 13's form. */
static inline cudaError_t cudaMemPrefetchAsync(const void *__devPtr, size_t __count,
                                               struct cudaMemLocation __location, unsigned int __flags,
                                               cudaStream_t __stream = 0)
{
    return ::cudaMemPrefetchAsync_v2(__devPtr, __count, __location, __flags, __stream);
}
/** CUDA 13's form. */
static inline cudaError_t cudaMemAdvise(const void *__devPtr, size_t __count, enum cudaMemoryAdvise __advice,
                                        struct cudaMemLocation __location)
{
    return ::cudaMemAdvise_v2(__devPtr, __count, __advice, __location);
}
#else
/** The place that a CUDA 12 device number means. An invalid number stays invalid, and is refused as such. */
static inline struct cudaMemLocation umsim_location_of_device(int __device)
{
    struct cudaMemLocation __location;
    __location.type = __device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    __location.id = __device == cudaCpuDeviceId ? 0 : __device;
    return __location;
}
/** CUDA 12's form. NVIDIA's CUDA 13 headers no longer have it. */
static inline cudaError_t cudaMemPrefetchAsync(const void *__devPtr, size_t __count, int __dstDevice,
                                               cudaStream_t __stream = 0)
{
    return ::cudaMemPrefetchAsync(__devPtr, __count, umsim_location_of_device(__dstDevice), 0u, __stream);
}
/** CUDA 12's form. NVIDIA's CUDA 13 headers no longer have it. */
static inline cudaError_t cudaMemAdvise(const void *__devPtr, size_t __count, enum cudaMemoryAdvise __advice,
                                        int __device)
{
    return ::cudaMemAdvise(__devPtr, __count, __advice, umsim_location_of_device(__device));
}
#endif
/** @} */

/** @name Older forms of calls for graphs
 * @{ */
/** cudaGraphInstantiate() as CUDA 11 had it; nothing is logged. */
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *__pGraphExec, cudaGraph_t __graph,
                                               cudaGraphNode_t *__pErrorNode, char *__pLogBuffer,
                                               size_t __bufferSize)
{
    (void)__pErrorNode;
    (void)__pLogBuffer;
    (void)__bufferSize;
    return ::cudaGraphInstantiate(__pGraphExec, __graph, 0);
}
#ifndef UMSIM_CUDA12
/** CUDA 12's form. NVIDIA's CUDA 13 headers no longer have it. */
static inline cudaError_t cudaGraphAddDependencies(cudaGraph_t __graph, const cudaGraphNode_t *__from,
                                                   const cudaGraphNode_t *__to, size_t __numDependencies)
{
    return ::cudaGraphAddDependencies(__graph, __from, __to, NULL, __numDependencies);
}
/** Likewise. @{ */
static inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t __graph, const cudaGraphNode_t *__from,
                                                      const cudaGraphNode_t *__to, size_t __numDependencies)
{
    return ::cudaGraphRemoveDependencies(__graph, __from, __to, NULL, __numDependencies);
}
static inline cudaError_t cudaGraphGetEdges(cudaGraph_t __graph, cudaGraphNode_t *__from,
                                            cudaGraphNode_t *__to, size_t *__numEdges)
{
    return ::cudaGraphGetEdges(__graph, __from, __to, NULL, __numEdges);
}
static inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t __node,
                                                       cudaGraphNode_t *__pDependencies,
                                                       size_t *__pNumDependencies)
{
    return ::cudaGraphNodeGetDependencies(__node, __pDependencies, NULL, __pNumDependencies);
}
static inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t __node,
                                                         cudaGraphNode_t *__pDependentNodes,
                                                         size_t *__pNumDependentNodes)
{
    return ::cudaGraphNodeGetDependentNodes(__node, __pDependentNodes, NULL, __pNumDependentNodes);
}
static inline cudaError_t cudaGraphAddNode(cudaGraphNode_t *__pGraphNode, cudaGraph_t __graph,
                                           const cudaGraphNode_t *__pDependencies, size_t __numDependencies,
                                           struct cudaGraphNodeParams *__nodeParams)
{
    return ::cudaGraphAddNode(__pGraphNode, __graph, __pDependencies, NULL, __numDependencies, __nodeParams);
}
static inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t __stream,
                                                              cudaGraphNode_t *__dependencies,
                                                              size_t __numDependencies,
                                                              unsigned int __flags = 0)
{
    return ::cudaStreamUpdateCaptureDependencies(__stream, __dependencies, NULL, __numDependencies, __flags);
}
static inline cudaError_t
cudaStreamGetCaptureInfo_v2(cudaStream_t __stream, enum cudaStreamCaptureStatus *__captureStatus_out,
                            unsigned long long *__id_out = 0, cudaGraph_t *__graph_out = 0,
                            const cudaGraphNode_t **__dependencies_out = 0, size_t *__numDependencies_out = 0)
{
    return ::cudaStreamGetCaptureInfo(__stream, __captureStatus_out, __id_out, __graph_out,
                                      __dependencies_out, NULL, __numDependencies_out);
}
/** @} */
#endif
/** cudaGraphExecUpdate() as CUDA 11 had it. */
static inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t __hGraphExec, cudaGraph_t __hGraph,
                                              cudaGraphNode_t *__hErrorNode_out,
                                              enum cudaGraphExecUpdateResult *__updateResult_out)
{
    cudaGraphExecUpdateResultInfo __info;
    const cudaError_t __error = ::cudaGraphExecUpdate(__hGraphExec, __hGraph, &__info);
    if (__hErrorNode_out)
        *__hErrorNode_out = __info.errorNode;
    if (__updateResult_out)
        *__updateResult_out = __info.result;
    return __error;
}
/** @} */

/** @name Launches of any kernel
 * @{ */
/** cudaLaunchKernel() of a kernel by its name. */
template <class _Tp>
static inline cudaError_t cudaLaunchKernel(_Tp *__func, dim3 __gridDim, dim3 __blockDim, void **__args,
                                           size_t __sharedMem = 0, cudaStream_t __stream = 0)
{
    return ::cudaLaunchKernel((const void *)__func, __gridDim, __blockDim, __args, __sharedMem, __stream);
}
/** cudaLaunchKernelExC() of a kernel and its arguments, which convert to its parameters. */
template <class... _Pp, class... _Ap>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *__config, void (*__kernel)(_Pp...),
                                             _Ap &&...__args)
{
    return [&](_Pp... __parameters) {
        void *__pointers[sizeof...(_Pp) + 1] = {(void *)&__parameters...};
        return ::cudaLaunchKernelExC(__config, (const void *)__kernel, __pointers);
    }(static_cast<_Ap &&>(__args)...);
}
/** cudaLaunchCooperativeKernel() of a kernel by its name. */
template <class _Tp>
static inline cudaError_t cudaLaunchCooperativeKernel(_Tp *__func, dim3 __gridDim, dim3 __blockDim,
                                                      void **__args, size_t __sharedMem = 0,
                                                      cudaStream_t __stream = 0)
{
    return ::cudaLaunchCooperativeKernel((const void *)__func, __gridDim, __blockDim, __args, __sharedMem,
                                         __stream);
}
/** @} */

#ifdef __UMCC__
/** @name Device variables by their name
 * For __device__, __constant__ and __managed__ variables of any type. In files that umcc compiles, as nvcc's
 * headers have them for nvcc only. @{ */
/** cudaMemcpyToSymbol() of a variable. */
template <class _Tp>
static inline cudaError_t cudaMemcpyToSymbol(const _Tp &__symbol, const void *__src, size_t __count,
                                             size_t __offset = 0,
                                             enum cudaMemcpyKind __kind = cudaMemcpyHostToDevice)
{
    return ::cudaMemcpyToSymbol((const void *)&__symbol, __src, __count, __offset, __kind);
}
/** cudaMemcpyToSymbolAsync() of a variable. */
template <class _Tp>
static inline cudaError_t
cudaMemcpyToSymbolAsync(const _Tp &__symbol, const void *__src, size_t __count, size_t __offset = 0,
                        enum cudaMemcpyKind __kind = cudaMemcpyHostToDevice, cudaStream_t __stream = 0)
{
    return ::cudaMemcpyToSymbolAsync((const void *)&__symbol, __src, __count, __offset, __kind, __stream);
}
/** cudaMemcpyFromSymbol() of a variable. */
template <class _Tp>
static inline cudaError_t cudaMemcpyFromSymbol(void *__dst, const _Tp &__symbol, size_t __count,
                                               size_t __offset = 0,
                                               enum cudaMemcpyKind __kind = cudaMemcpyDeviceToHost)
{
    return ::cudaMemcpyFromSymbol(__dst, (const void *)&__symbol, __count, __offset, __kind);
}
/** cudaMemcpyFromSymbolAsync() of a variable. */
template <class _Tp>
static inline cudaError_t
cudaMemcpyFromSymbolAsync(void *__dst, const _Tp &__symbol, size_t __count, size_t __offset = 0,
                          enum cudaMemcpyKind __kind = cudaMemcpyDeviceToHost, cudaStream_t __stream = 0)
{
    return ::cudaMemcpyFromSymbolAsync(__dst, (const void *)&__symbol, __count, __offset, __kind, __stream);
}
/** cudaGetSymbolAddress() of a variable. */
template <class _Tp> static inline cudaError_t cudaGetSymbolAddress(void **__devPtr, const _Tp &__symbol)
{
    return ::cudaGetSymbolAddress(__devPtr, (const void *)&__symbol);
}
/** cudaGetSymbolSize() of a variable. */
template <class _Tp> static inline cudaError_t cudaGetSymbolSize(size_t *__size, const _Tp &__symbol)
{
    return ::cudaGetSymbolSize(__size, (const void *)&__symbol);
}
/** @} */

/** @name Kernels by their name
 * @{ */
/** cudaFuncGetAttributes() of a kernel. */
template <class _Tp>
static inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *__attr, _Tp *__func)
{
    return ::cudaFuncGetAttributes(__attr, (const void *)__func);
}
/** cudaFuncSetAttribute() of a kernel. */
template <class _Tp>
static inline cudaError_t cudaFuncSetAttribute(_Tp *__func, enum cudaFuncAttribute __attr, int __value)
{
    return ::cudaFuncSetAttribute((const void *)__func, __attr, __value);
}
/** cudaFuncSetSharedMemConfig() of a kernel. */
template <class _Tp>
static inline cudaError_t cudaFuncSetSharedMemConfig(_Tp *__func, enum cudaSharedMemConfig __config)
{
    return ::cudaFuncSetSharedMemConfig((const void *)__func, __config);
}
/** cudaFuncSetCacheConfig() of a kernel. */
template <class _Tp>
static inline cudaError_t cudaFuncSetCacheConfig(_Tp *__func, enum cudaFuncCache __cacheConfig)
{
    return ::cudaFuncSetCacheConfig((const void *)__func, __cacheConfig);
}
/** cudaOccupancyMaxActiveBlocksPerMultiprocessor() of a kernel. */
template <class _Tp>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *__numBlocks, _Tp __func,
                                                                        int __blockSize,
                                                                        size_t __dynamicSMemSize)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(__numBlocks, (const void *)__func, __blockSize,
                                                           __dynamicSMemSize);
}
/** cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags() of a kernel. */
template <class _Tp>
static inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *__numBlocks, _Tp __func, int __blockSize,
                                                       size_t __dynamicSMemSize, unsigned int __flags)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(__numBlocks, (const void *)__func,
                                                                    __blockSize, __dynamicSMemSize, __flags);
}
/** cudaOccupancyAvailableDynamicSMemPerBlock() of a kernel. */
template <class _Tp>
static inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *__dynamicSmemSize, _Tp *__func,
                                                                    int __numBlocks, int __blockSize)
{
    return ::cudaOccupancyAvailableDynamicSMemPerBlock(__dynamicSmemSize, (const void *)__func, __numBlocks,
                                                       __blockSize);
}
/** @} */

#include "cuda_device_runtime_api.h"
#include "umsim/device.h"
#endif /* __UMCC__ */

#include "umsim/occupancy.h"

#endif /* __cplusplus */

#endif
