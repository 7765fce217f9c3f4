/**
 * @file cuda_runtime_api.h
 * @brief The CUDA runtime API's functions, for C and C++: those that the simulator provides, and no others.
 *
 * C programs include this (or cuda_runtime.h), and link libumsim. What is not declared here is not
 * provided: using it is a compile error.
 *
 * Every function returns cudaSuccess or an error. Two kinds of errors are not repeated below: any call may
 * return the sticky error of an earlier kernel (cudaErrorIllegalAddress, ...), and any call returns
 * cudaErrorInitializationError in a child of fork() or when the simulator cannot start. A call that fails
 * changes nothing. All functions may be called from any host thread, but not from a cudaLaunchHostFunc()
 * function (cudaErrorNotPermitted).
 *
 * -DUMSIM_CUDA12 gives the signatures and structures of CUDA 12.8. Where they differ from CUDA 13's, the
 * program is linked with separate symbols, so that one library serves both:
 *
 *     cudaGetDeviceProperties_v2               cudaMemPrefetchAsync_v2   cudaMemPrefetchAsync_v2_ptsz
 *     cudaMemAdvise_v2                         umsim_cuda12_cudaChooseDevice
 *     umsim_cuda12_cudaPointerGetAttributes    umsim_cuda12_cudaRuntimeGetVersion
 *     umsim_cuda12_cudaMemAdvise               umsim_cuda12_cudaMemPrefetchAsync
 *     umsim_cuda12_cudaMemPrefetchAsync_ptsz   umsim_cuda12_cudaGraphAddDependencies
 *     umsim_cuda12_cudaGetTextureObjectResourceDesc, ...ResourceViewDesc
 *     umsim_cuda12_cudaGetSurfaceObjectResourceDesc
 */
#ifndef UMSIM_CUDA_RUNTIME_API_H
#define UMSIM_CUDA_RUNTIME_API_H
#define __CUDA_RUNTIME_API_H__ /* NVIDIA's name for it: programs test whether it is defined */

#include "device_types.h"
#include "driver_types.h"

/** CUDA version of these headers: 1000 * major + 10 * minor. */
#ifdef UMSIM_CUDA12
#define CUDART_VERSION 12080
#else
#define CUDART_VERSION 13000
#endif

/** Device code may use this macro; these functions are for the host only. */
#define CUDART_DEVICE

/** @cond internal */
#ifdef __cplusplus
#define UMSIM_DEFAULT(value) = value
extern "C" {
#else
#define UMSIM_DEFAULT(value)
#endif

#ifdef UMSIM_CUDA12
#define UMSIM_CUDA12_SYMBOL(name) __asm__("umsim_cuda12_" name)
#else
#define UMSIM_CUDA12_SYMBOL(name)
#endif

/*
 * Per-thread default stream: with CUDA_API_PER_THREAD_DEFAULT_STREAM, stream 0 is the calling thread's own
 * stream. The functions below then map to other symbols: _ptds if the default stream is implied, _ptsz if a
 * stream is an argument. The library has both symbols of each, 34 in all, and of cudaMemPrefetchAsync those
 * listed above. umsim/api_graph.h has those of graphs, umsim/api_array.h those of arrays.
 */
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define UMSIM_PTSZ "_ptsz"
#define cudaMemcpy cudaMemcpy_ptds
#define cudaMemcpy2D cudaMemcpy2D_ptds
#define cudaMemcpyToSymbol cudaMemcpyToSymbol_ptds
#define cudaMemcpyFromSymbol cudaMemcpyFromSymbol_ptds
#define cudaMemset cudaMemset_ptds
#define cudaMemset2D cudaMemset2D_ptds
#define cudaMemcpy3D cudaMemcpy3D_ptds
#define cudaMemset3D cudaMemset3D_ptds
#define cudaMemcpy3DAsync cudaMemcpy3DAsync_ptsz
#define cudaMemset3DAsync cudaMemset3DAsync_ptsz
#define cudaMemcpy3DPeer cudaMemcpy3DPeer_ptds
#define cudaMemcpy3DPeerAsync cudaMemcpy3DPeerAsync_ptsz
#define cudaMemcpyAsync cudaMemcpyAsync_ptsz
#define cudaMemcpy2DAsync cudaMemcpy2DAsync_ptsz
#define cudaMemcpyToSymbolAsync cudaMemcpyToSymbolAsync_ptsz
#define cudaMemcpyFromSymbolAsync cudaMemcpyFromSymbolAsync_ptsz
#define cudaMemsetAsync cudaMemsetAsync_ptsz
#define cudaMemset2DAsync cudaMemset2DAsync_ptsz
#define cudaMemPrefetchAsync cudaMemPrefetchAsync_ptsz
#define cudaMallocAsync cudaMallocAsync_ptsz
#define cudaFreeAsync cudaFreeAsync_ptsz
#define cudaMallocFromPoolAsync cudaMallocFromPoolAsync_ptsz
#define cudaStreamQuery cudaStreamQuery_ptsz
#define cudaStreamGetId cudaStreamGetId_ptsz
#define cudaStreamGetDevice cudaStreamGetDevice_ptsz
#define cudaStreamSynchronize cudaStreamSynchronize_ptsz
#define cudaStreamGetFlags cudaStreamGetFlags_ptsz
#define cudaStreamGetPriority cudaStreamGetPriority_ptsz
#define cudaStreamWaitEvent cudaStreamWaitEvent_ptsz
#define cudaStreamAddCallback cudaStreamAddCallback_ptsz
#define cudaStreamAttachMemAsync cudaStreamAttachMemAsync_ptsz
#define cudaEventRecord cudaEventRecord_ptsz
#define cudaEventRecordWithFlags cudaEventRecordWithFlags_ptsz
#define cudaLaunchKernel cudaLaunchKernel_ptsz
#define cudaLaunchCooperativeKernel cudaLaunchCooperativeKernel_ptsz
#define cudaLaunchKernelExC cudaLaunchKernelExC_ptsz
#define cudaLaunchHostFunc cudaLaunchHostFunc_ptsz
#ifdef UMSIM_CUDA12
#define cudaMemPrefetchAsync_v2 cudaMemPrefetchAsync_v2_ptsz
#endif
#else
#define UMSIM_PTSZ ""
#endif

#ifdef UMSIM_CUDA12
#define cudaGetDeviceProperties cudaGetDeviceProperties_v2
#endif
/** @endcond */

/** @name Device
 * @{ */
/** Number of devices: 1. @return cudaErrorInvalidValue when `__count` is NULL. */
cudaError_t cudaGetDeviceCount(int *__count);
/** The calling thread's device. @return cudaErrorInvalidValue when `__device` is NULL. */
cudaError_t cudaGetDevice(int *__device);
/** Selects the calling thread's device. @return cudaErrorInvalidDevice if no device has that number. */
cudaError_t cudaSetDevice(int __device);
/** Fills in all properties of a device. @return cudaErrorInvalidValue, cudaErrorInvalidDevice. */
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *__prop, int __device);
/** One attribute of a device. @return cudaErrorInvalidValue (NULL, or no such attribute),
 * cudaErrorInvalidDevice. */
cudaError_t cudaDeviceGetAttribute(int *__value, enum cudaDeviceAttr __attr, int __device);
/** The device that fits `__prop` best. @return cudaErrorInvalidValue when a pointer is NULL. */
cudaError_t cudaChooseDevice(int *__device, const struct cudaDeviceProp *__prop)
    UMSIM_CUDA12_SYMBOL("cudaChooseDevice");
/** Waits until all work of the device is done. @return the error of that work, if any. */
cudaError_t cudaDeviceSynchronize(void);
/** Frees everything that the process has on the device and forgets its state. After a sticky error the device
 * stays unusable (cudaErrorDevicesUnavailable), as on hardware. */
cudaError_t cudaDeviceReset(void);
/** A limit of device code, bytes or number. @return cudaErrorInvalidValue, cudaErrorUnsupportedLimit. */
cudaError_t cudaDeviceGetLimit(size_t *__pValue, enum cudaLimit __limit);
/** Sets such a limit. @return cudaErrorInvalidValue, cudaErrorUnsupportedLimit, cudaErrorMemoryAllocation. */
cudaError_t cudaDeviceSetLimit(enum cudaLimit __limit, size_t __value);
/** Priorities that streams can have: smaller numbers run first. Either pointer may be NULL. */
cudaError_t cudaDeviceGetStreamPriorityRange(int *__leastPriority, int *__greatestPriority);
/** Writes the device's PCI address as text into `__len` bytes. @return cudaErrorInvalidValue,
 * cudaErrorInvalidDevice. */
cudaError_t cudaDeviceGetPCIBusId(char *__pciBusId, int __len, int __device);
/** The device with a PCI address. @return cudaErrorInvalidValue, cudaErrorInvalidDevice. */
cudaError_t cudaDeviceGetByPCIBusId(int *__device, const char *__pciBusId);
/** What cudaDeviceSetCacheConfig() has set. @return cudaErrorInvalidValue. */
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *__pCacheConfig);
/** Version that the driver supports, 1000 * major + 10 * minor. @return cudaErrorInvalidValue when NULL. */
cudaError_t cudaDriverGetVersion(int *__driverVersion);
/** CUDART_VERSION of the runtime. @return cudaErrorInvalidValue when NULL. */
cudaError_t cudaRuntimeGetVersion(int *__runtimeVersion) UMSIM_CUDA12_SYMBOL("cudaRuntimeGetVersion");
/** Sets cudaDeviceScheduleSpin and other bits of the current device. @return cudaErrorInvalidValue. */
cudaError_t cudaSetDeviceFlags(unsigned int __flags);
/** Reads them. @return cudaErrorInvalidValue when `__flags` is NULL. */
cudaError_t cudaGetDeviceFlags(unsigned int *__flags);
/** A preference for the division between L1 and shared memory. Accepted; it changes no result. */
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache __cacheConfig);
/** A preference for the width of shared memory's banks; no effect, as on today's devices. @return
 * cudaErrorInvalidValue. */
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig __config);
/** The width of the banks: 4 bytes. @return cudaErrorInvalidValue. */
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *__pConfig);
/** Starts a device without selecting it; of `__flags` one bit, cudaInitDeviceFlagsAreValid, says whether
 * `__deviceFlags` counts. @return cudaErrorInvalidDevice, cudaErrorInvalidValue. */
cudaError_t cudaInitDevice(int __device, unsigned int __deviceFlags, unsigned int __flags);
/** Makes the first of the listed devices current in the calling thread, which may choose others later; an
 * empty list changes nothing. @return cudaErrorInvalidValue, cudaErrorInvalidDevice. */
cudaError_t cudaSetValidDevices(int *__device_arr, int __len);
/** The pool that the device came with. @return cudaErrorInvalidValue, cudaErrorInvalidDevice. */
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *__memPool, int __device);
/** The pool that cudaMallocAsync() takes from. @return cudaErrorInvalidValue, cudaErrorInvalidDevice. */
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *__memPool, int __device);
/** Makes cudaMallocAsync() take from another pool. @return cudaErrorInvalidValue, cudaErrorInvalidDevice. */
cudaError_t cudaDeviceSetMemPool(int __device, cudaMemPool_t __memPool);
/** @} */

/** @name Errors
 * @{ */
/** The last error of a call of this thread; forgets it, unless it is sticky. */
cudaError_t cudaGetLastError(void);
/** The last error of a call of this thread; keeps it. */
cudaError_t cudaPeekAtLastError(void);
/** The error's name, such as "cudaErrorInvalidValue"; "unrecognized error code" for others. Never freed. */
const char *cudaGetErrorName(cudaError_t __error);
/** What the error means, in words; "unrecognized error code" for others. Never freed. */
const char *cudaGetErrorString(cudaError_t __error);
/** @} */

/** @name Device memory
 * Sizes are bytes. @{ */
/** Allocates device memory; 0 bytes give NULL. The host cannot read or write it.
 *  @return cudaErrorInvalidValue (devPtr NULL), cudaErrorMemoryAllocation. */
cudaError_t cudaMalloc(void **__devPtr, size_t __size);
/** Waits for the device and frees; NULL is fine. @return cudaErrorInvalidValue when it is no allocation's
 * start. */
cudaError_t cudaFree(void *__devPtr);
/** Allocates `__height` rows of `__width` bytes, each padded to `*__pitch`. @return as cudaMalloc(). */
cudaError_t cudaMallocPitch(void **__devPtr, size_t *__pitch, size_t __width, size_t __height);
/** Allocates `__extent.depth` slices of `__extent.height` padded rows of `__extent.width` bytes. @return as
 * cudaMalloc(). */
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *__pitchedDevPtr, struct cudaExtent __extent);
/** Free and total memory of the device. @return cudaErrorInvalidValue when a pointer is NULL. */
cudaError_t cudaMemGetInfo(size_t *__free, size_t *__total);
/** @} */

/**
 * @name Copies
 * Copies without a stream are ordered by the default stream. A copy from pageable memory to the device may
 * return once the bytes are staged; one to the host returns when the bytes have arrived; one within the
 * device does not wait. Errors: cudaErrorInvalidValue (past the end, a kind that contradicts the pointers),
 * cudaErrorInvalidMemcpyDirection (no such kind); with a stream also cudaErrorInvalidResourceHandle.
 * @{
 */
/** Copies `__count` bytes. */
cudaError_t cudaMemcpy(void *__dst, const void *__src, size_t __count, enum cudaMemcpyKind __kind);
/** Queues the copy in a stream. Only with pinned memory does the host continue before the copy is done. */
cudaError_t cudaMemcpyAsync(void *__dst, const void *__src, size_t __count, enum cudaMemcpyKind __kind,
                            cudaStream_t __stream UMSIM_DEFAULT(0));
/** Copies `__height` rows of `__width` bytes that start `__dpitch` and `__spitch` bytes apart.
 *  @return also cudaErrorInvalidPitchValue. */
cudaError_t cudaMemcpy2D(void *__dst, size_t __dpitch, const void *__src, size_t __spitch, size_t __width,
                         size_t __height, enum cudaMemcpyKind __kind);
/** Queues the same in a stream. */
cudaError_t cudaMemcpy2DAsync(void *__dst, size_t __dpitch, const void *__src, size_t __spitch,
                              size_t __width, size_t __height, enum cudaMemcpyKind __kind,
                              cudaStream_t __stream UMSIM_DEFAULT(0));
/** Copies into a __device__, __constant__ or __managed__ variable, `__offset` bytes from its start.
 *  @return also cudaErrorInvalidSymbol. */
cudaError_t cudaMemcpyToSymbol(const void *__symbol, const void *__src, size_t __count,
                               size_t __offset UMSIM_DEFAULT(0),
                               enum cudaMemcpyKind __kind UMSIM_DEFAULT(cudaMemcpyHostToDevice));
/** Copies out of such a variable. @return also cudaErrorInvalidSymbol. */
cudaError_t cudaMemcpyFromSymbol(void *__dst, const void *__symbol, size_t __count,
                                 size_t __offset UMSIM_DEFAULT(0),
                                 enum cudaMemcpyKind __kind UMSIM_DEFAULT(cudaMemcpyDeviceToHost));
/** Queues a copy into such a variable. @return also cudaErrorInvalidSymbol. */
cudaError_t cudaMemcpyToSymbolAsync(const void *__symbol, const void *__src, size_t __count, size_t __offset,
                                    enum cudaMemcpyKind __kind, cudaStream_t __stream UMSIM_DEFAULT(0));
/** Queues a copy out of such a variable. @return also cudaErrorInvalidSymbol. */
cudaError_t cudaMemcpyFromSymbolAsync(void *__dst, const void *__symbol, size_t __count, size_t __offset,
                                      enum cudaMemcpyKind __kind, cudaStream_t __stream UMSIM_DEFAULT(0));
/** Device address of such a variable. @return cudaErrorInvalidValue, cudaErrorInvalidSymbol. */
cudaError_t cudaGetSymbolAddress(void **__devPtr, const void *__symbol);
/** Size of such a variable, bytes. @return cudaErrorInvalidValue, cudaErrorInvalidSymbol. */
cudaError_t cudaGetSymbolSize(size_t *__size, const void *__symbol);
/** Sets `__count` bytes of device, managed or pinned memory to the low byte of `__value`. @return
 * cudaErrorInvalidValue. */
cudaError_t cudaMemset(void *__devPtr, int __value, size_t __count);
/** Queues the same in a stream. @return also cudaErrorInvalidResourceHandle. */
cudaError_t cudaMemsetAsync(void *__devPtr, int __value, size_t __count,
                            cudaStream_t __stream UMSIM_DEFAULT(0));
/** Sets `__height` rows of `__width` bytes that start `__pitch` bytes apart. @return cudaErrorInvalidValue.
 */
cudaError_t cudaMemset2D(void *__devPtr, size_t __pitch, int __value, size_t __width, size_t __height);
/** Queues the same in a stream. @return also cudaErrorInvalidResourceHandle. */
cudaError_t cudaMemset2DAsync(void *__devPtr, size_t __pitch, int __value, size_t __width, size_t __height,
                              cudaStream_t __stream UMSIM_DEFAULT(0));
/** Copies slices of rows, between arrays and memory. @return as cudaMemcpy2D(). */
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *__p);
/** Queues the same in a stream. @return also cudaErrorInvalidResourceHandle. */
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *__p, cudaStream_t __stream UMSIM_DEFAULT(0));
/** Sets slices of rows. @return cudaErrorInvalidValue. */
cudaError_t cudaMemset3D(struct cudaPitchedPtr __pitchedDevPtr, int __value, struct cudaExtent __extent);
/** Queues the same in a stream. @return also cudaErrorInvalidResourceHandle. */
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr __pitchedDevPtr, int __value, struct cudaExtent __extent,
                              cudaStream_t __stream UMSIM_DEFAULT(0));
/** @} */

/** @name Pinned host memory
 * Its pages cannot move, so that copy engines read it directly; kernels can use it at the same address. @{ */
/** Allocates pinned memory. @return cudaErrorInvalidValue, cudaErrorMemoryAllocation. */
cudaError_t cudaMallocHost(void **__ptr, size_t __size);
/** The same with cudaHostAlloc... flags. @return cudaErrorInvalidValue, cudaErrorMemoryAllocation. */
cudaError_t cudaHostAlloc(void **__pHost, size_t __size, unsigned int __flags);
/** Frees the result of either of the two functions above; NULL is fine. @return cudaErrorInvalidValue for
 * anything else. */
cudaError_t cudaFreeHost(void *__ptr);
/** Pins memory that the program already has, with cudaHostRegister... flags. @return cudaErrorInvalidValue,
 * cudaErrorHostMemoryAlreadyRegistered, cudaErrorMemoryAllocation. */
cudaError_t cudaHostRegister(void *__ptr, size_t __size, unsigned int __flags);
/** Undoes that; `__ptr` as registered. @return cudaErrorInvalidValue, cudaErrorHostMemoryNotRegistered. */
cudaError_t cudaHostUnregister(void *__ptr);
/** Address of pinned memory for kernels; `__flags` 0. @return cudaErrorInvalidValue when it is not mapped. */
cudaError_t cudaHostGetDevicePointer(void **__pDevice, void *__pHost, unsigned int __flags);
/** Flags that pinned memory was allocated with. @return cudaErrorInvalidValue. */
cudaError_t cudaHostGetFlags(unsigned int *__pFlags, void *__pHost);
/** @} */

/** @name Managed memory
 * One address for host and device; its pages move to the side that touches them. @{ */
/** Allocates managed memory; `__flags` cudaMemAttachGlobal or cudaMemAttachHost; 0 bytes give success.
 *  @return cudaErrorInvalidValue, cudaErrorMemoryAllocation. */
cudaError_t cudaMallocManaged(void **__devPtr, size_t __size,
                              unsigned int __flags UMSIM_DEFAULT(cudaMemAttachGlobal));
#ifdef UMSIM_CUDA12
/** Queues the move of a range to a device, or to the host (cudaCpuDeviceId).
 *  @return cudaErrorInvalidValue (not managed), cudaErrorInvalidDevice, cudaErrorInvalidResourceHandle. */
cudaError_t cudaMemPrefetchAsync(const void *__devPtr, size_t __count, int __dstDevice,
                                 cudaStream_t __stream UMSIM_DEFAULT(0))
    UMSIM_CUDA12_SYMBOL("cudaMemPrefetchAsync" UMSIM_PTSZ);
/** Tells the driver how a range will be used. @return cudaErrorInvalidValue (not managed),
 * cudaErrorInvalidDevice. */
cudaError_t cudaMemAdvise(const void *__devPtr, size_t __count, enum cudaMemoryAdvise __advice, int __device)
    UMSIM_CUDA12_SYMBOL("cudaMemAdvise");
/** CUDA 13's cudaMemPrefetchAsync(), by its name in CUDA 12. */
cudaError_t cudaMemPrefetchAsync_v2(const void *__devPtr, size_t __count, struct cudaMemLocation __location,
                                    unsigned int __flags, cudaStream_t __stream UMSIM_DEFAULT(0));
/** CUDA 13's cudaMemAdvise(), by its name in CUDA 12. */
cudaError_t cudaMemAdvise_v2(const void *__devPtr, size_t __count, enum cudaMemoryAdvise __advice,
                             struct cudaMemLocation __location);
#else
/** Queues the move of a range to a place; `__flags` 0.
 *  @return cudaErrorInvalidValue (not managed, flags), cudaErrorInvalidDevice,
 * cudaErrorInvalidResourceHandle. */
cudaError_t cudaMemPrefetchAsync(const void *__devPtr, size_t __count, struct cudaMemLocation __location,
                                 unsigned int __flags, cudaStream_t __stream UMSIM_DEFAULT(0));
/** Tells the driver how a range will be used. @return cudaErrorInvalidValue (not managed),
 * cudaErrorInvalidDevice. */
cudaError_t cudaMemAdvise(const void *__devPtr, size_t __count, enum cudaMemoryAdvise __advice,
                          struct cudaMemLocation __location);
#endif
/** One attribute of a range of managed memory. @return cudaErrorInvalidValue. */
cudaError_t cudaMemRangeGetAttribute(void *__data, size_t __dataSize, enum cudaMemRangeAttribute __attribute_,
                                     const void *__devPtr, size_t __count);
/** Several attributes of a range. @return cudaErrorInvalidValue. */
cudaError_t cudaMemRangeGetAttributes(void **__data, size_t *__dataSizes,
                                      enum cudaMemRangeAttribute *__attributes, size_t __numAttributes,
                                      const void *__devPtr, size_t __count);
/** Attaches managed memory to a stream, the host or everything, in stream order; `__length` 0 or the whole
 * size.
 *  @return cudaErrorInvalidValue, cudaErrorInvalidResourceHandle. */
cudaError_t cudaStreamAttachMemAsync(cudaStream_t __stream, void *__devPtr, size_t __length UMSIM_DEFAULT(0),
                                     unsigned int __flags UMSIM_DEFAULT(cudaMemAttachSingle));
/** The kind of memory that an address belongs to; an address that CUDA does not know is no error (type
 * Unregistered). @return cudaErrorInvalidValue when `__attributes` is NULL. */
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *__attributes, const void *__ptr)
    UMSIM_CUDA12_SYMBOL("cudaPointerGetAttributes");
/** @} */

/** @name Stream-ordered allocation
 * @{ */
/** Allocates device memory that the stream may use from here on.
 *  @return cudaErrorInvalidValue, cudaErrorMemoryAllocation, cudaErrorInvalidResourceHandle. */
cudaError_t cudaMallocAsync(void **__devPtr, size_t __size, cudaStream_t __hStream);
/** Frees it, once the stream reaches this point. @return cudaErrorInvalidValue,
 * cudaErrorInvalidResourceHandle. */
cudaError_t cudaFreeAsync(void *__devPtr, cudaStream_t __hStream);
/** cudaMallocAsync() from a given pool. @return as there. */
cudaError_t cudaMallocFromPoolAsync(void **__ptr, size_t __size, cudaMemPool_t __memPool,
                                    cudaStream_t __stream);
/** Makes a pool. @return cudaErrorInvalidValue, cudaErrorNotSupported (shared, or not on the device). */
cudaError_t cudaMemPoolCreate(cudaMemPool_t *__memPool, const struct cudaMemPoolProps *__poolProps);
/** Ends a pool, once its allocations are freed. @return cudaErrorInvalidValue (not a pool, the default one).
 */
cudaError_t cudaMemPoolDestroy(cudaMemPool_t __memPool);
/** Sets an attribute; cudaMemPoolAttr says its type. @return cudaErrorInvalidValue. */
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t __memPool, enum cudaMemPoolAttr __attr, void *__value);
/** Reads an attribute. @return cudaErrorInvalidValue. */
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t __memPool, enum cudaMemPoolAttr __attr, void *__value);
/** Returns unused memory to the device, down to `__minBytesToKeep`. @return cudaErrorInvalidValue. */
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t __memPool, size_t __minBytesToKeep);
/** @} */

/**
 * @name Streams
 * Functions that take a stream return cudaErrorInvalidResourceHandle if the stream does not exist (any more).
 * @{
 */
/** What cudaStreamAddCallback() calls: the stream, how its work went, and the caller's pointer. */
typedef void (*cudaStreamCallback_t)(cudaStream_t __stream, cudaError_t __status, void *__userData);
/** Makes a stream. @return cudaErrorInvalidValue when `__pStream` is NULL. */
cudaError_t cudaStreamCreate(cudaStream_t *__pStream);
/** The same with cudaStreamDefault or cudaStreamNonBlocking. @return cudaErrorInvalidValue. */
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *__pStream, unsigned int __flags);
/** The same with a priority, clamped to the existing range. @return cudaErrorInvalidValue. */
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *__pStream, unsigned int __flags, int __priority);
/** Ends a stream; its work is still done, and not waited for. */
cudaError_t cudaStreamDestroy(cudaStream_t __stream);
/** Waits until the stream's work is done. @return the error of that work, if any. */
cudaError_t cudaStreamSynchronize(cudaStream_t __stream);
/** Whether the stream's work is done. @return cudaErrorNotReady when it is not. */
cudaError_t cudaStreamQuery(cudaStream_t __stream);
/** Makes the stream's later work wait for an event; the host does not wait. @return cudaErrorInvalidValue
 * (flags). */
cudaError_t cudaStreamWaitEvent(cudaStream_t __stream, cudaEvent_t __event,
                                unsigned int __flags UMSIM_DEFAULT(0));
/** Queues a call of a host function; `__flags` 0. Older than cudaLaunchHostFunc(). @return
 * cudaErrorInvalidValue. */
cudaError_t cudaStreamAddCallback(cudaStream_t __stream, cudaStreamCallback_t __callback, void *__userData,
                                  unsigned int __flags);
/** Queues a call of a host function that must not call CUDA. @return cudaErrorInvalidValue when `__fn` is
 * NULL.
 */
cudaError_t cudaLaunchHostFunc(cudaStream_t __stream, cudaHostFn_t __fn, void *__userData);
/** Flags that the stream was made with. @return cudaErrorInvalidValue when `__flags` is NULL. */
cudaError_t cudaStreamGetFlags(cudaStream_t __hStream, unsigned int *__flags);
/** Priority of the stream. @return cudaErrorInvalidValue when `__priority` is NULL. */
cudaError_t cudaStreamGetPriority(cudaStream_t __hStream, int *__priority);
/** A number that no other stream of the program has. @return cudaErrorInvalidValue. */
cudaError_t cudaStreamGetId(cudaStream_t __hStream, unsigned long long *__streamId);
/** The stream's device. @return cudaErrorInvalidValue. */
cudaError_t cudaStreamGetDevice(cudaStream_t __hStream, int *__device);
/** @} */

/**
 * @name Events
 * Functions that take an event return cudaErrorInvalidResourceHandle if the event does not exist (any more).
 * @{
 */
/** Makes an event that keeps a time. @return cudaErrorInvalidValue when `__event` is NULL. */
cudaError_t cudaEventCreate(cudaEvent_t *__event);
/** The same with cudaEvent... flags. @return cudaErrorInvalidValue. */
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *__event, unsigned int __flags);
/** Ends an event; work that waits for it still does. */
cudaError_t cudaEventDestroy(cudaEvent_t __event);
/** Marks this point in a stream: the event is done when all work before it is done. */
cudaError_t cudaEventRecord(cudaEvent_t __event, cudaStream_t __stream UMSIM_DEFAULT(0));
/** The same; `__flags` cudaEventRecordDefault. @return cudaErrorInvalidValue (flags). */
cudaError_t cudaEventRecordWithFlags(cudaEvent_t __event, cudaStream_t __stream UMSIM_DEFAULT(0),
                                     unsigned int __flags UMSIM_DEFAULT(0));
/** Waits until the event is done. @return the error of the work before it, if any. */
cudaError_t cudaEventSynchronize(cudaEvent_t __event);
/** Whether the event is done. @return cudaErrorNotReady when it is not. */
cudaError_t cudaEventQuery(cudaEvent_t __event);
/** Milliseconds from one event to another; virtual time here. @return cudaErrorNotReady when one is not done,
 *  cudaErrorInvalidResourceHandle when one was not recorded or keeps no time. */
cudaError_t cudaEventElapsedTime(float *__ms, cudaEvent_t __start, cudaEvent_t __end);
/** @} */

/**
 * @name Memory and events of other processes
 * A handle is data: a process gives it to another one, which opens it. Not for graded programs
 * (cudaErrorNotSupported).
 * @{
 */
/** A handle of memory of cudaMalloc(), for other processes. @return cudaErrorInvalidValue: other memory. */
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *__handle, void *__devPtr);
/** Maps another process's memory on the current device, at its beginning; opened again, at the same address.
 * `__flags` is cudaIpcMemLazyEnablePeerAccess. @return cudaErrorInvalidValue: the flags, or the memory is
 * gone; cudaErrorDeviceUninitialized: it is this process's own. */
cudaError_t cudaIpcOpenMemHandle(void **__devPtr, cudaIpcMemHandle_t __handle, unsigned int __flags);
/** Ends a mapping, when called as often as that was opened. @return cudaErrorInvalidValue: there is none. */
cudaError_t cudaIpcCloseMemHandle(void *__devPtr);
/** A handle of an event made with cudaEventInterprocess. @return cudaErrorInvalidResourceHandle: another
 * event, or one that was opened. */
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *__handle, cudaEvent_t __event);
/** Another process's event, to be recorded and waited for here, too; cudaEventDestroy() ends it. @return
 *  cudaErrorMapBufferObjectFailed: it is gone; cudaErrorDeviceUninitialized: it is this process's own. */
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *__event, cudaIpcEventHandle_t __handle);
/** @} */

/** @name Launches
 * `func` is a kernel's address. @{ */
/** Queues a kernel. `__args` points at one pointer for each parameter; `__sharedMem` is dynamic shared
 * memory, bytes.
 *  @return cudaErrorInvalidValue (grid, block or shared memory outside the limits),
 *  cudaErrorInvalidResourceHandle (not a kernel, not a stream). */
cudaError_t cudaLaunchKernel(const void *__func, dim3 __gridDim, dim3 __blockDim, void **__args,
                             size_t __sharedMem, cudaStream_t __stream);
/** The same with all blocks resident at once. @return also cudaErrorCooperativeLaunchTooLarge. */
cudaError_t cudaLaunchCooperativeKernel(const void *__func, dim3 __gridDim, dim3 __blockDim, void **__args,
                                        size_t __sharedMem, cudaStream_t __stream);
/** A launch with attributes. @return also cudaErrorNotSupported (clusters of more than one block; events of
 * attributes). */
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *__config, const void *__func, void **__args);
/** The handle of a kernel, for the driver API's calls. @return cudaErrorInvalidDeviceFunction: it is none. */
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *__functionPtr, const void *__symbolPtr);
/** The same for its calls that take a CUkernel. */
cudaError_t cudaGetKernel(cudaKernel_t *__kernelPtr, const void *__entryFuncAddr);
/** The attributes of a kernel. @return cudaErrorInvalidValue, cudaErrorInvalidDeviceFunction. */
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *__attr, const void *__func);
/** Sets an attribute of a kernel. @return cudaErrorInvalidValue, cudaErrorInvalidDeviceFunction. */
cudaError_t cudaFuncSetAttribute(const void *__func, enum cudaFuncAttribute __attr, int __value);
/** A preference for the division between L1 and shared memory for a kernel. @return
 * cudaErrorInvalidDeviceFunction. */
cudaError_t cudaFuncSetCacheConfig(const void *__func, enum cudaFuncCache __cacheConfig);
/** As cudaDeviceSetSharedMemConfig(), for a kernel. @return also cudaErrorInvalidDeviceFunction. */
cudaError_t cudaFuncSetSharedMemConfig(const void *__func, enum cudaSharedMemConfig __config);
/** Blocks of `__blockSize` threads and `__dynamicSMemSize` bytes that one multiprocessor holds at once.
 *  @return cudaErrorInvalidValue, cudaErrorInvalidDeviceFunction. */
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *__numBlocks, const void *__func,
                                                          int __blockSize, size_t __dynamicSMemSize);
/** The same with cudaOccupancy... flags. @return as above. */
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *__numBlocks, const void *__func,
                                                                   int __blockSize, size_t __dynamicSMemSize,
                                                                   unsigned int __flags);
/** Dynamic shared memory that each block may have while `__numBlocks` stay resident. @return as above. */
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *__dynamicSmemSize, const void *__func,
                                                      int __numBlocks, int __blockSize);
/** @} */

#ifdef __cplusplus
}
#endif

#include "umsim/api_array.h"
#include "umsim/api_attributes.h"
#include "umsim/api_graph.h"
#include "umsim/api_graph_nodes.h"
#include "umsim/api_peers.h"
#endif
