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
CUresult cuGetErrorString(CUresult error, const char **pStr);
/** The name of an error: "CUDA_ERROR_INVALID_VALUE". */
CUresult cuGetErrorName(CUresult error, const char **pStr);
/** To be called before all others. `flags` must be 0. */
CUresult cuInit(unsigned int Flags);
/** 1000 times the major plus 10 times the minor version; answers before cuInit(), too. */
CUresult cuDriverGetVersion(int *driverVersion);
/** The handle of a device, from 0 on. */
CUresult cuDeviceGet(CUdevice *device, int ordinal);
/** How many devices there are: one. */
CUresult cuDeviceGetCount(int *count);
/** The device's name, as much of it as fits, with a 0 at its end. */
CUresult cuDeviceGetName(char *name, int len, CUdevice dev);
/** The device's identity. */
CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice dev);
/** Windows' identity: CUDA_ERROR_NOT_SUPPORTED on Linux. */
CUresult cuDeviceGetLuid(char *luid, unsigned int *deviceNodeMask, CUdevice dev);
/** Bytes of device memory. */
CUresult cuDeviceTotalMem(size_t *bytes, CUdevice dev);
/** Elements of the widest texture of linear memory. */
CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t *maxWidthInElements, CUarray_format format,
                                            unsigned numChannels, CUdevice dev);
/** One attribute (CUdevice_attribute). */
CUresult cuDeviceGetAttribute(int *pi, CUdevice_attribute attrib, CUdevice dev);
/** The pool that cuMemAllocAsync() takes from. */
CUresult cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool);
/** The same: which one it is. */
CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice dev);
/** The pool that the device has by itself. */
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool_out, CUdevice dev);
/** Whether contexts can have part of the multiprocessors: no. */
CUresult cuDeviceGetExecAffinitySupport(int *pi, CUexecAffinityType type, CUdevice dev);
/** Older form of some attributes. */
CUresult cuDeviceGetProperties(CUdevprop *prop, CUdevice dev);
/** 9 and 0 for compute capability 9.0. */
CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice dev);
/** The device at such a place, as "0000:18:00.0". */
CUresult cuDeviceGetByPCIBusId(CUdevice *dev, const char *pciBusId);
/** The other way round. */
CUresult cuDeviceGetPCIBusId(char *pciBusId, int len, CUdevice dev);
/** Whether one device reaches another one's memory. */
CUresult cuDeviceCanAccessPeer(int *canAccessPeer, CUdevice dev, CUdevice peerDev);
/** How well one device reaches another: there is no other. */
CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attrib, CUdevice srcDevice,
                                 CUdevice dstDevice);
/** The context that the runtime uses, kept until it is released as often. */
CUresult cuDevicePrimaryCtxRetain(CUcontext *pctx, CUdevice dev);
/** Gives it back; with the last one goes all that was made in it. */
CUresult cuDevicePrimaryCtxRelease(CUdevice dev);
/** How it waits (CUctx_flags). */
CUresult cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags);
/** Its flags, and whether it is kept. */
CUresult cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int *flags, int *active);
/** Takes back all that was made in it. */
CUresult cuDevicePrimaryCtxReset(CUdevice dev);
/** A context, which becomes the calling thread's current one. `ctxCreateParams` may be NULL. */
CUresult cuCtxCreate(CUcontext *pctx, CUctxCreateParams *ctxCreateParams, unsigned int flags, CUdevice dev);
/** Destroys a context and what was allocated in it. */
CUresult cuCtxDestroy(CUcontext ctx);
/** Makes a context current, above the one that is. */
CUresult cuCtxPushCurrent(CUcontext ctx);
/** Takes the current context off this thread's stack; the one below is current again. */
CUresult cuCtxPopCurrent(CUcontext *pctx);
/** Replaces the current context; NULL takes it off. */
CUresult cuCtxSetCurrent(CUcontext ctx);
/** The current context, or NULL. */
CUresult cuCtxGetCurrent(CUcontext *pctx);
/** The current context's device. */
CUresult cuCtxGetDevice(CUdevice *device);
/** A context's device. */
CUresult cuCtxGetDevice_v2(CUdevice *device, CUcontext ctx);
/** The current context's flags. */
CUresult cuCtxGetFlags(unsigned int *flags);
/** Changes them. */
CUresult cuCtxSetFlags(unsigned int flags);
/** A number that no other context of the process has. */
CUresult cuCtxGetId(CUcontext ctx, unsigned long long *ctxId);
/** Waits for all work. */
CUresult cuCtxSynchronize(void);
/** Waits for all work of a context. */
CUresult cuCtxSynchronize_v2(CUcontext ctx);
/** A limit (CUlimit) of the device's. */
CUresult cuCtxSetLimit(CUlimit limit, size_t value);
/** What it is. */
CUresult cuCtxGetLimit(size_t *pvalue, CUlimit limit);
/** Which cache was preferred. */
CUresult cuCtxGetCacheConfig(CUfunc_cache *pconfig);
/** Prefers a cache: a hint. */
CUresult cuCtxSetCacheConfig(CUfunc_cache config);
/** The version of the calls that made the context. */
CUresult cuCtxGetApiVersion(CUcontext ctx, unsigned int *version);
/** The least and the greatest priority of streams; either may be NULL. */
CUresult cuCtxGetStreamPriorityRange(int *leastPriority, int *greatestPriority);
/** Caches are not modelled: nothing to do. */
CUresult cuCtxResetPersistingL2Cache(void);
/** All multiprocessors. */
CUresult cuCtxGetExecAffinity(CUexecAffinityParam *pExecAffinity, CUexecAffinityType type);
/** Deprecated: counts another user of the current context. */
CUresult cuCtxAttach(CUcontext *pctx, unsigned int flags);
/** Deprecated: one user fewer; with the last the context is destroyed. */
CUresult cuCtxDetach(CUcontext ctx);
/** Deprecated: the width of shared memory's banks. */
CUresult cuCtxGetSharedMemConfig(CUsharedconfig *pConfig);
/** Deprecated: a hint for old devices. */
CUresult cuCtxSetSharedMemConfig(CUsharedconfig config);
/** There is no other device: an error. */
CUresult cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags);
/** The same. */
CUresult cuCtxDisablePeerAccess(CUcontext peerContext);
/** A function's address by its name, the newest form that `cudaVersion` knows. */
CUresult cuGetProcAddress(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags,
                          CUdriverProcAddressQueryResult *symbolStatus);
/** Undocumented tables: not provided. */
CUresult cuGetExportTable(const void **ppExportTable, const CUuuid *pExportTableId);

#ifdef __cplusplus
}
#endif
#endif
