/**
 * @file device.c
 * @brief Devices (CUDA Driver API: Version Management, Device Management), and what a context sets for its
 * device (Context Management).
 */
#include "context.h"
#include "../api/attributes.h"
#include "../base/machine.h"
#include "../include/cudaProfiler.h"
#include "../include/cuda_profiler_api.h"

#include <string.h>

CUresult cuDriverGetVersion(int *driverVersion)
{
    UMSIM_DRIVER(cuDriverGetVersion, UMSIM_NEEDS_NOTHING);
    return umsim_result(cudaDriverGetVersion(driverVersion));
}

/* ---- which device ---- */

CUresult cuDeviceGetCount(int *count)
{
    UMSIM_DRIVER(cuDeviceGetCount, UMSIM_NEEDS_INIT);
    return umsim_result(cudaGetDeviceCount(count));
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    UMSIM_DRIVER(cuDeviceGet, UMSIM_NEEDS_INIT);
    if (!device)
        return CUDA_ERROR_INVALID_VALUE;
    if (!umsim_is_device(ordinal))
        return CUDA_ERROR_INVALID_DEVICE;
    *device = ordinal;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetByPCIBusId(CUdevice *dev, const char *pciBusId)
{
    UMSIM_DRIVER(cuDeviceGetByPCIBusId, UMSIM_NEEDS_INIT);
    return umsim_result(cudaDeviceGetByPCIBusId(dev, pciBusId));
}

CUresult cuDeviceGetPCIBusId(char *pciBusId, int len, CUdevice dev)
{
    UMSIM_DRIVER(cuDeviceGetPCIBusId, UMSIM_NEEDS_INIT);
    return umsim_result(cudaDeviceGetPCIBusId(pciBusId, len, dev));
}

/* ---- what it is ---- */

CUresult cuDeviceGetName(char *name, int len, CUdevice dev)
{
    UMSIM_DRIVER(cuDeviceGetName, UMSIM_NEEDS_INIT);
    if (!name || len <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (!umsim_is_device(dev))
        return CUDA_ERROR_INVALID_DEVICE;
    strncpy(name, umsim_machine_of((unsigned)dev)->device, (size_t)len);
    name[len - 1] = 0;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice dev)
{
    UMSIM_DRIVER(cuDeviceGetUuid, UMSIM_NEEDS_INIT);
    if (!uuid || !umsim_is_device(dev))
        return uuid ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
    umsim_device_uuid((unsigned)dev, uuid->bytes);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetLuid(char *luid, unsigned int *deviceNodeMask, CUdevice dev)
{
    UMSIM_DRIVER(cuDeviceGetLuid, UMSIM_NEEDS_INIT);
    (void)luid, (void)deviceNodeMask, (void)dev;
    return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice dev)
{
    UMSIM_DRIVER(cuDeviceTotalMem, UMSIM_NEEDS_INIT);
    if (!bytes || !umsim_is_device(dev))
        return bytes ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
    *bytes = (size_t)umsim_machine_of((unsigned)dev)->capacity.total_global_memory;
    return CUDA_SUCCESS;
}

/* Both APIs number attributes alike. What only the driver knows, and the simulator does not have, is 0. */
CUresult cuDeviceGetAttribute(int *pi, CUdevice_attribute attrib, CUdevice dev)
{
    UMSIM_DRIVER(cuDeviceGetAttribute, UMSIM_NEEDS_INIT);
    if (!pi || !umsim_is_device(dev))
        return pi ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
    if ((int)attrib <= 0 || attrib >= CU_DEVICE_ATTRIBUTE_MAX)
        return CUDA_ERROR_INVALID_VALUE;
    if (!umsim_attribute_of((unsigned)dev, (int)attrib, pi))
        *pi = 0;
    return CUDA_SUCCESS;
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice dev)
{
    UMSIM_DRIVER(cuDeviceComputeCapability, UMSIM_NEEDS_INIT);
    if (!major || !minor || !umsim_is_device(dev))
        return major && minor ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
    *major = umsim_attribute_at((unsigned)dev, cudaDevAttrComputeCapabilityMajor);
    *minor = umsim_attribute_at((unsigned)dev, cudaDevAttrComputeCapabilityMinor);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetProperties(CUdevprop *prop, CUdevice dev)
{
    UMSIM_DRIVER(cuDeviceGetProperties, UMSIM_NEEDS_INIT);
    if (!prop || !umsim_is_device(dev))
        return prop ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
    *prop = (CUdevprop){
        .maxThreadsPerBlock = umsim_attribute_at((unsigned)dev, cudaDevAttrMaxThreadsPerBlock),
        .sharedMemPerBlock = umsim_attribute_at((unsigned)dev, cudaDevAttrMaxSharedMemoryPerBlock),
        .totalConstantMemory = umsim_attribute_at((unsigned)dev, cudaDevAttrTotalConstantMemory),
        .SIMDWidth = umsim_attribute_at((unsigned)dev, cudaDevAttrWarpSize),
        .memPitch = umsim_attribute_at((unsigned)dev, cudaDevAttrMaxPitch),
        .regsPerBlock = umsim_attribute_at((unsigned)dev, cudaDevAttrMaxRegistersPerBlock),
        .clockRate = umsim_attribute_at((unsigned)dev, cudaDevAttrClockRate),
        .textureAlign = umsim_attribute_at((unsigned)dev, cudaDevAttrTextureAlignment),
    };
    const unsigned device = (unsigned)dev;
    UMSIM_FILL(prop->maxThreadsDim, cudaDevAttrMaxBlockDimX, cudaDevAttrMaxBlockDimY,
               cudaDevAttrMaxBlockDimZ);
    UMSIM_FILL(prop->maxGridSize, cudaDevAttrMaxGridDimX, cudaDevAttrMaxGridDimY, cudaDevAttrMaxGridDimZ);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t *maxWidthInElements, CUarray_format format,
                                            unsigned numChannels, CUdevice dev)
{
    UMSIM_DRIVER(cuDeviceGetTexture1DLinearMaxWidth, UMSIM_NEEDS_INIT);
    (void)format;
    if (!maxWidthInElements || !numChannels || numChannels > 4)
        return CUDA_ERROR_INVALID_VALUE;
    if (!umsim_is_device(dev))
        return CUDA_ERROR_INVALID_DEVICE;
    *maxWidthInElements = (size_t)umsim_attribute_at((unsigned)dev, cudaDevAttrMaxTexture1DLinearWidth);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetExecAffinitySupport(int *pi, CUexecAffinityType type, CUdevice dev)
{
    UMSIM_DRIVER(cuDeviceGetExecAffinitySupport, UMSIM_NEEDS_INIT);
    if (!pi || type >= CU_EXEC_AFFINITY_TYPE_MAX)
        return CUDA_ERROR_INVALID_VALUE;
    if (!umsim_is_device(dev))
        return CUDA_ERROR_INVALID_DEVICE;
    *pi = 0;
    return CUDA_SUCCESS;
}

/* ---- what a context sets: it holds for all of its device ---- */

CUresult cuCtxSynchronize(void)
{
    UMSIM_DRIVER(cuCtxSynchronize, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaDeviceSynchronize());
}

CUresult cuCtxSynchronize_v2(CUcontext ctx)
{
    UMSIM_DRIVER(cuCtxSynchronize, UMSIM_NEEDS_INIT);
    if (ctx ? !umsim_context_lives(ctx) : !umsim_context_current())
        return CUDA_ERROR_INVALID_CONTEXT;
    UMSIM_AS_DEVICE(umsim_context_device(ctx));
    return umsim_result(cudaDeviceSynchronize());
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
    UMSIM_DRIVER(cuCtxSetLimit, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaDeviceSetLimit((enum cudaLimit)limit, value));
}

CUresult cuCtxGetLimit(size_t *pvalue, CUlimit limit)
{
    UMSIM_DRIVER(cuCtxGetLimit, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaDeviceGetLimit(pvalue, (enum cudaLimit)limit));
}

CUresult cuCtxGetCacheConfig(CUfunc_cache *pconfig)
{
    UMSIM_DRIVER(cuCtxGetCacheConfig, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaDeviceGetCacheConfig((enum cudaFuncCache *)pconfig));
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config)
{
    UMSIM_DRIVER(cuCtxSetCacheConfig, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaDeviceSetCacheConfig((enum cudaFuncCache)config));
}

CUresult cuCtxGetSharedMemConfig(CUsharedconfig *pConfig)
{
    UMSIM_DRIVER(cuCtxGetSharedMemConfig, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaDeviceGetSharedMemConfig((enum cudaSharedMemConfig *)pConfig));
}

CUresult cuCtxSetSharedMemConfig(CUsharedconfig config)
{
    UMSIM_DRIVER(cuCtxSetSharedMemConfig, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaDeviceSetSharedMemConfig((enum cudaSharedMemConfig)config));
}

CUresult cuCtxGetStreamPriorityRange(int *leastPriority, int *greatestPriority)
{
    UMSIM_DRIVER(cuCtxGetStreamPriorityRange, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaDeviceGetStreamPriorityRange(leastPriority, greatestPriority));
}

CUresult cuCtxResetPersistingL2Cache(void)
{
    UMSIM_DRIVER(cuCtxResetPersistingL2Cache, UMSIM_NEEDS_CONTEXT);
    return CUDA_SUCCESS;
}

CUresult cuCtxGetExecAffinity(CUexecAffinityParam *pExecAffinity, CUexecAffinityType type)
{
    UMSIM_DRIVER(cuCtxGetExecAffinity, UMSIM_NEEDS_CONTEXT);
    if (!pExecAffinity || type >= CU_EXEC_AFFINITY_TYPE_MAX)
        return CUDA_ERROR_INVALID_VALUE;
    pExecAffinity->type = type;
    pExecAffinity->param.smCount.val = (unsigned)umsim_attribute_value(cudaDevAttrMultiProcessorCount);
    return CUDA_SUCCESS;
}

/* These talk to a profiler, and there is none. */

CUresult cuProfilerStart(void)
{
    UMSIM_DRIVER(cuProfilerStart, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaProfilerStart());
}

CUresult cuProfilerStop(void)
{
    UMSIM_DRIVER(cuProfilerStop, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaProfilerStop());
}

CUresult cuProfilerInitialize(const char *configFile, const char *outputFile, CUoutput_mode outputMode)
{
    UMSIM_DRIVER(cuProfilerInitialize, UMSIM_NEEDS_CONTEXT);
    (void)configFile, (void)outputFile, (void)outputMode;
    return CUDA_ERROR_NOT_SUPPORTED;
}
