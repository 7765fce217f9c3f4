/**
 * @file umsim/cu_device.h
 * @brief Start, errors, devices and contexts of the driver API. Included by cuda.h.
 */
#ifndef UMSIM_CU_DEVICE_H
#define UMSIM_CU_DEVICE_H

#include "umsim/cu_names.h"
#include "umsim/cu_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What an error means, in a sentence; NULL and CUDA_ERROR_INVALID_VALUE for a number that is no error. */
CUresult cuGetErrorString(CUresult __error, const char **__pStr);
/** The name of an error: "CUDA_ERROR_INVALID_VALUE". */
CUresult cuGetErrorName(CUresult __error, const char **__pStr);
/** To be called before all others. `flags` must be 0. */
CUresult cuInit(unsigned int __Flags);
/** 1000 times the major plus 10 times the minor version; answers before cuInit(), too. */
CUresult cuDriverGetVersion(int *__driverVersion);
/** The handle of a device, from 0 on. */
CUresult cuDeviceGet(CUdevice *__device, int __ordinal);
/** How many devices there are: one. */
CUresult cuDeviceGetCount(int *__count);
/** The device's name, as much of it as fits, with a 0 at its end. */
CUresult cuDeviceGetName(char *__name, int __len, CUdevice __dev);
/** The device's identity. */
CUresult cuDeviceGetUuid(CUuuid *__uuid, CUdevice __dev);
/** Windows' identity: CUDA_ERROR_NOT_SUPPORTED on Linux. */
CUresult cuDeviceGetLuid(char *__luid, unsigned int *__deviceNodeMask, CUdevice __dev);
/** Bytes of device memory. */
CUresult cuDeviceTotalMem(size_t *__bytes, CUdevice __dev);
/** Elements of the widest texture of linear memory. */
CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t *__maxWidthInElements, CUarray_format __format,
                                            unsigned __numChannels, CUdevice __dev);
/** One attribute (CUdevice_attribute). */
CUresult cuDeviceGetAttribute(int *__pi, CUdevice_attribute __attrib, CUdevice __dev);
/** The pool that cuMemAllocAsync() takes from. */
CUresult cuDeviceSetMemPool(CUdevice __dev, CUmemoryPool __pool);
/** The same: which one it is. */
CUresult cuDeviceGetMemPool(CUmemoryPool *__pool, CUdevice __dev);
/** The pool that the device has by itself. */
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *__pool_out, CUdevice __dev);
/** Whether contexts can have part of the multiprocessors: no. */
CUresult cuDeviceGetExecAffinitySupport(int *__pi, CUexecAffinityType __type, CUdevice __dev);
/** Older form of some attributes. */
CUresult cuDeviceGetProperties(CUdevprop *__prop, CUdevice __dev);
/** 9 and 0 for compute capability 9.0. */
CUresult cuDeviceComputeCapability(int *__major, int *__minor, CUdevice __dev);
/** The device at such a place, as "0000:18:00.0". */
CUresult cuDeviceGetByPCIBusId(CUdevice *__dev, const char *__pciBusId);
/** The other way round. */
CUresult cuDeviceGetPCIBusId(char *__pciBusId, int __len, CUdevice __dev);
/** Whether one device reaches another one's memory. */
CUresult cuDeviceCanAccessPeer(int *__canAccessPeer, CUdevice __dev, CUdevice __peerDev);
/** How well one device reaches another: there is no other. */
CUresult cuDeviceGetP2PAttribute(int *__value, CUdevice_P2PAttribute __attrib, CUdevice __srcDevice,
                                 CUdevice __dstDevice);
/** The context that the runtime uses, kept until it is released as often. */
CUresult cuDevicePrimaryCtxRetain(CUcontext *__pctx, CUdevice __dev);
/** Gives it back; with the last one goes all that was made in it. */
CUresult cuDevicePrimaryCtxRelease(CUdevice __dev);
/** How it waits (CUctx_flags). */
CUresult cuDevicePrimaryCtxSetFlags(CUdevice __dev, unsigned int __flags);
/** Its flags, and whether it is kept. */
CUresult cuDevicePrimaryCtxGetState(CUdevice __dev, unsigned int *__flags, int *__active);
/** Takes back all that was made in it. */
CUresult cuDevicePrimaryCtxReset(CUdevice __dev);
/** A context, which becomes the calling thread's current one. `ctxCreateParams` may be NULL. */
CUresult cuCtxCreate(CUcontext *__pctx, CUctxCreateParams *__ctxCreateParams, unsigned int __flags,
                     CUdevice __dev);
/** Destroys a context and what was allocated in it. */
CUresult cuCtxDestroy(CUcontext __ctx);
/** Makes a context current, above the one that is. */
CUresult cuCtxPushCurrent(CUcontext __ctx);
/** Takes the current context off this thread's stack; the one below is current again. */
CUresult cuCtxPopCurrent(CUcontext *__pctx);
/** Replaces the current context; NULL takes it off. */
CUresult cuCtxSetCurrent(CUcontext __ctx);
/** The current context, or NULL. */
CUresult cuCtxGetCurrent(CUcontext *__pctx);
/** The current context's device. */
CUresult cuCtxGetDevice(CUdevice *__device);
/** A context's device. */
CUresult cuCtxGetDevice_v2(CUdevice *__device, CUcontext __ctx);
/** The current context's flags. */
CUresult cuCtxGetFlags(unsigned int *__flags);
/** Changes them. */
CUresult cuCtxSetFlags(unsigned int __flags);
/** A number that no other context of the process has. */
CUresult cuCtxGetId(CUcontext __ctx, unsigned long long *__ctxId);
/** Waits for all work. */
CUresult cuCtxSynchronize(void);
/** Waits for all work of a context. */
CUresult cuCtxSynchronize_v2(CUcontext __ctx);
/** A limit (CUlimit) of the device's. */
CUresult cuCtxSetLimit(CUlimit __limit, size_t __value);
/** What it is. */
CUresult cuCtxGetLimit(size_t *__pvalue, CUlimit __limit);
/** Which cache was preferred. */
CUresult cuCtxGetCacheConfig(CUfunc_cache *__pconfig);
/** Prefers a cache: a hint. */
CUresult cuCtxSetCacheConfig(CUfunc_cache __config);
/** The version of the calls that made the context. */
CUresult cuCtxGetApiVersion(CUcontext __ctx, unsigned int *__version);
/** The least and the greatest priority of streams; either may be NULL. */
CUresult cuCtxGetStreamPriorityRange(int *__leastPriority, int *__greatestPriority);
/** Caches are not modelled: nothing to do. */
CUresult cuCtxResetPersistingL2Cache(void);
/** All multiprocessors. */
CUresult cuCtxGetExecAffinity(CUexecAffinityParam *__pExecAffinity, CUexecAffinityType __type);
/** Deprecated: counts another user of the current context. */
CUresult cuCtxAttach(CUcontext *__pctx, unsigned int __flags);
/** Deprecated: one user fewer; with the last the context is destroyed. */
CUresult cuCtxDetach(CUcontext __ctx);
/** Deprecated: the width of shared memory's banks. */
CUresult cuCtxGetSharedMemConfig(CUsharedconfig *__pConfig);
/** Deprecated: a hint for old devices. */
CUresult cuCtxSetSharedMemConfig(CUsharedconfig __config);
/** There is no other device: an error. */
CUresult cuCtxEnablePeerAccess(CUcontext __peerContext, unsigned int __Flags);
/** The same. */
CUresult cuCtxDisablePeerAccess(CUcontext __peerContext);
/** A function's address by its name, the newest form that `cudaVersion` knows. */
CUresult cuGetProcAddress(const char *__symbol, void **__pfn, int __cudaVersion, cuuint64_t __flags,
                          CUdriverProcAddressQueryResult *__symbolStatus);
/** Undocumented tables: not provided. */
CUresult cuGetExportTable(const void **__ppExportTable, const CUuuid *__pExportTableId);

#ifdef __cplusplus
}
#endif
#endif
