/**
 * @file attributes.h
 * @brief What cudaDeviceGetAttribute() and cudaGetDeviceProperties() answer, from one table.
 *
 * cudaDeviceProp has two layouts, CUDA 13's and CUDA 12's. umsim_properties_fill() is compiled twice: into
 * device.c for CUDA 13's, and into cuda12.c, which defines UMSIM_CUDA12, for CUDA 12's.
 */
#ifndef UMSIM_ATTRIBUTES_H
#define UMSIM_ATTRIBUTES_H

#include "../base/devices.h"
#include "../base/machine.h"
#include "../include/driver_types.h"

#include <stdbool.h>
#include <string.h>

/**
 * Reads a device's attribute `number` (an enum cudaDeviceAttr).
 * @return whether an attribute of this number exists
 */
bool umsim_attribute_of(unsigned device, int number, int *value);

/** Returns the value of an attribute that is known to exist: a device's, the current one's. @{ */
static inline int umsim_attribute_at(unsigned device, int number)
{
    int value = 0;
    umsim_attribute_of(device, number, &value);
    return value;
}

static inline int umsim_attribute_value(int number)
{
    return umsim_attribute_at(umsim_device(), number);
}
/** @} */

/** A device's identity: the same in every process that simulates this machine. */
void umsim_device_uuid(unsigned device, char bytes[16]);

/** Whether a name of CUDA_VISIBLE_DEVICES, or its beginning, is that of the machine's device of this number.
 */
bool umsim_device_is_named(const char *name, unsigned device_of_machine);

/** A device's number on the bus. */
int umsim_device_bus(unsigned device);

/* Copies two or three consecutive attributes into an array member. */
#define UMSIM_FILL(member, ...)                                                                              \
    do {                                                                                                     \
        static const int numbers_[] = {__VA_ARGS__};                                                         \
        for (size_t i_ = 0; i_ < sizeof numbers_ / sizeof *numbers_; i_++)                                   \
            (member)[i_] = umsim_attribute_at(device, numbers_[i_]);                                         \
    } while (0)

static inline void umsim_properties_fill_textures(struct cudaDeviceProp *p, unsigned device)
{
    p->maxTexture1D = umsim_attribute_at(device, cudaDevAttrMaxTexture1DWidth);
    p->maxTexture1DMipmap = umsim_attribute_at(device, cudaDevAttrMaxTexture1DMipmappedWidth);
    p->maxTextureCubemap = umsim_attribute_at(device, cudaDevAttrMaxTextureCubemapWidth);
    p->maxSurface1D = umsim_attribute_at(device, cudaDevAttrMaxSurface1DWidth);
    p->maxSurfaceCubemap = umsim_attribute_at(device, cudaDevAttrMaxSurfaceCubemapWidth);
    UMSIM_FILL(p->maxTexture2D, cudaDevAttrMaxTexture2DWidth, cudaDevAttrMaxTexture2DHeight);
    UMSIM_FILL(p->maxTexture2DMipmap, cudaDevAttrMaxTexture2DMipmappedWidth,
               cudaDevAttrMaxTexture2DMipmappedHeight);
    UMSIM_FILL(p->maxTexture2DLinear, cudaDevAttrMaxTexture2DLinearWidth, cudaDevAttrMaxTexture2DLinearHeight,
               cudaDevAttrMaxTexture2DLinearPitch);
    UMSIM_FILL(p->maxTexture2DGather, cudaDevAttrMaxTexture2DGatherWidth,
               cudaDevAttrMaxTexture2DGatherHeight);
    UMSIM_FILL(p->maxTexture3D, cudaDevAttrMaxTexture3DWidth, cudaDevAttrMaxTexture3DHeight,
               cudaDevAttrMaxTexture3DDepth);
    UMSIM_FILL(p->maxTexture3DAlt, cudaDevAttrMaxTexture3DWidthAlt, cudaDevAttrMaxTexture3DHeightAlt,
               cudaDevAttrMaxTexture3DDepthAlt);
    UMSIM_FILL(p->maxTexture1DLayered, cudaDevAttrMaxTexture1DLayeredWidth,
               cudaDevAttrMaxTexture1DLayeredLayers);
    UMSIM_FILL(p->maxTexture2DLayered, cudaDevAttrMaxTexture2DLayeredWidth,
               cudaDevAttrMaxTexture2DLayeredHeight, cudaDevAttrMaxTexture2DLayeredLayers);
    UMSIM_FILL(p->maxTextureCubemapLayered, cudaDevAttrMaxTextureCubemapLayeredWidth,
               cudaDevAttrMaxTextureCubemapLayeredLayers);
    UMSIM_FILL(p->maxSurface2D, cudaDevAttrMaxSurface2DWidth, cudaDevAttrMaxSurface2DHeight);
    UMSIM_FILL(p->maxSurface3D, cudaDevAttrMaxSurface3DWidth, cudaDevAttrMaxSurface3DHeight,
               cudaDevAttrMaxSurface3DDepth);
    UMSIM_FILL(p->maxSurface1DLayered, cudaDevAttrMaxSurface1DLayeredWidth,
               cudaDevAttrMaxSurface1DLayeredLayers);
    UMSIM_FILL(p->maxSurface2DLayered, cudaDevAttrMaxSurface2DLayeredWidth,
               cudaDevAttrMaxSurface2DLayeredHeight, cudaDevAttrMaxSurface2DLayeredLayers);
    UMSIM_FILL(p->maxSurfaceCubemapLayered, cudaDevAttrMaxSurfaceCubemapLayeredWidth,
               cudaDevAttrMaxSurfaceCubemapLayeredLayers);
}

/* Sizes and limits: launches, shared memory, caches, copies. */
static inline void umsim_properties_fill_sizes(struct cudaDeviceProp *p, unsigned device)
{
    p->sharedMemPerBlock = (size_t)umsim_attribute_at(device, cudaDevAttrMaxSharedMemoryPerBlock);
    p->regsPerBlock = umsim_attribute_at(device, cudaDevAttrMaxRegistersPerBlock);
    p->warpSize = umsim_attribute_at(device, cudaDevAttrWarpSize);
    p->memPitch = (size_t)umsim_attribute_at(device, cudaDevAttrMaxPitch);
    p->maxThreadsPerBlock = umsim_attribute_at(device, cudaDevAttrMaxThreadsPerBlock);
    UMSIM_FILL(p->maxThreadsDim, cudaDevAttrMaxBlockDimX, cudaDevAttrMaxBlockDimY, cudaDevAttrMaxBlockDimZ);
    UMSIM_FILL(p->maxGridSize, cudaDevAttrMaxGridDimX, cudaDevAttrMaxGridDimY, cudaDevAttrMaxGridDimZ);
    p->totalConstMem = (size_t)umsim_attribute_at(device, cudaDevAttrTotalConstantMemory);
    p->textureAlignment = (size_t)umsim_attribute_at(device, cudaDevAttrTextureAlignment);
    p->texturePitchAlignment = (size_t)umsim_attribute_at(device, cudaDevAttrTexturePitchAlignment);
    p->surfaceAlignment = (size_t)umsim_attribute_at(device, cudaDevAttrSurfaceAlignment);
    p->memoryBusWidth = umsim_attribute_at(device, cudaDevAttrGlobalMemoryBusWidth);
    p->l2CacheSize = umsim_attribute_at(device, cudaDevAttrL2CacheSize);
    p->persistingL2CacheMaxSize = umsim_attribute_at(device, cudaDevAttrMaxPersistingL2CacheSize);
    p->accessPolicyMaxWindowSize = umsim_attribute_at(device, cudaDevAttrMaxAccessPolicyWindowSize);
    p->maxThreadsPerMultiProcessor = umsim_attribute_at(device, cudaDevAttrMaxThreadsPerMultiProcessor);
    p->maxBlocksPerMultiProcessor = umsim_attribute_at(device, cudaDevAttrMaxBlocksPerMultiprocessor);
    p->sharedMemPerMultiprocessor =
        (size_t)umsim_attribute_at(device, cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    p->sharedMemPerBlockOptin = (size_t)umsim_attribute_at(device, cudaDevAttrMaxSharedMemoryPerBlockOptin);
    p->reservedSharedMemPerBlock =
        (size_t)umsim_attribute_at(device, cudaDevAttrReservedSharedMemoryPerBlock);
    p->regsPerMultiprocessor = umsim_attribute_at(device, cudaDevAttrMaxRegistersPerMultiprocessor);
}

/* What the device can do with memory. */
static inline void umsim_properties_fill_memory(struct cudaDeviceProp *p, unsigned device)
{
    p->canMapHostMemory = umsim_attribute_at(device, cudaDevAttrCanMapHostMemory);
    p->unifiedAddressing = umsim_attribute_at(device, cudaDevAttrUnifiedAddressing);
    p->managedMemory = umsim_attribute_at(device, cudaDevAttrManagedMemory);
    p->concurrentManagedAccess = umsim_attribute_at(device, cudaDevAttrConcurrentManagedAccess);
    p->pageableMemoryAccess = umsim_attribute_at(device, cudaDevAttrPageableMemoryAccess);
    p->pageableMemoryAccessUsesHostPageTables =
        umsim_attribute_at(device, cudaDevAttrPageableMemoryAccessUsesHostPageTables);
    p->directManagedMemAccessFromHost = umsim_attribute_at(device, cudaDevAttrDirectManagedMemAccessFromHost);
    p->hostNativeAtomicSupported = umsim_attribute_at(device, cudaDevAttrHostNativeAtomicSupported);
    p->canUseHostPointerForRegisteredMem =
        umsim_attribute_at(device, cudaDevAttrCanUseHostPointerForRegisteredMem);
    p->hostRegisterSupported = umsim_attribute_at(device, cudaDevAttrHostRegisterSupported);
    p->hostRegisterReadOnlySupported = umsim_attribute_at(device, cudaDevAttrHostRegisterReadOnlySupported);
    p->sparseCudaArraySupported = umsim_attribute_at(device, cudaDevAttrSparseCudaArraySupported);
    p->deferredMappingCudaArraySupported =
        umsim_attribute_at(device, cudaDevAttrDeferredMappingCudaArraySupported);
    p->memoryPoolsSupported = umsim_attribute_at(device, cudaDevAttrMemoryPoolsSupported);
    p->memoryPoolSupportedHandleTypes =
        (unsigned)umsim_attribute_at(device, cudaDevAttrMemoryPoolSupportedHandleTypes);
    p->gpuDirectRDMASupported = umsim_attribute_at(device, cudaDevAttrGPUDirectRDMASupported);
    p->gpuDirectRDMAFlushWritesOptions =
        (unsigned)umsim_attribute_at(device, cudaDevAttrGPUDirectRDMAFlushWritesOptions);
    p->gpuDirectRDMAWritesOrdering = umsim_attribute_at(device, cudaDevAttrGPUDirectRDMAWritesOrdering);
}

/* Which device it is, and what else it can do. */
static inline void umsim_properties_fill_device(struct cudaDeviceProp *p, unsigned device)
{
    p->major = umsim_attribute_at(device, cudaDevAttrComputeCapabilityMajor);
    p->minor = umsim_attribute_at(device, cudaDevAttrComputeCapabilityMinor);
    p->multiProcessorCount = umsim_attribute_at(device, cudaDevAttrMultiProcessorCount);
    p->integrated = umsim_attribute_at(device, cudaDevAttrIntegrated);
    p->concurrentKernels = umsim_attribute_at(device, cudaDevAttrConcurrentKernels);
    p->ECCEnabled = umsim_attribute_at(device, cudaDevAttrEccEnabled);
    p->pciBusID = umsim_attribute_at(device, cudaDevAttrPciBusId);
    p->pciDeviceID = umsim_attribute_at(device, cudaDevAttrPciDeviceId);
    p->pciDomainID = umsim_attribute_at(device, cudaDevAttrPciDomainId);
    p->tccDriver = umsim_attribute_at(device, cudaDevAttrTccDriver);
    p->asyncEngineCount = umsim_attribute_at(device, cudaDevAttrAsyncEngineCount);
    p->streamPrioritiesSupported = umsim_attribute_at(device, cudaDevAttrStreamPrioritiesSupported);
    p->globalL1CacheSupported = umsim_attribute_at(device, cudaDevAttrGlobalL1CacheSupported);
    p->localL1CacheSupported = umsim_attribute_at(device, cudaDevAttrLocalL1CacheSupported);
    p->isMultiGpuBoard = umsim_attribute_at(device, cudaDevAttrIsMultiGpuBoard);
    p->multiGpuBoardGroupID = umsim_attribute_at(device, cudaDevAttrMultiGpuBoardGroupID);
    p->computePreemptionSupported = umsim_attribute_at(device, cudaDevAttrComputePreemptionSupported);
    p->cooperativeLaunch = umsim_attribute_at(device, cudaDevAttrCooperativeLaunch);
    p->timelineSemaphoreInteropSupported =
        umsim_attribute_at(device, cudaDevAttrTimelineSemaphoreInteropSupported);
    p->ipcEventSupported = umsim_attribute_at(device, cudaDevAttrIpcEventSupport);
    p->clusterLaunch = umsim_attribute_at(device, cudaDevAttrClusterLaunch);
    p->unifiedFunctionPointers = 1;
}

/* Members that the two layouts have in different places, or that only one of them has. */
static inline void umsim_properties_fill_version(struct cudaDeviceProp *p, unsigned device)
{
#ifdef UMSIM_CUDA12
    struct cudaDeviceProp *dropped = p;
    p->cooperativeMultiDeviceLaunch = umsim_attribute_at(device, cudaDevAttrCooperativeMultiDeviceLaunch);
#else
    p->deviceNumaConfig = umsim_attribute_at(device, cudaDevAttrNumaConfig);
    p->deviceNumaId = umsim_attribute_at(device, cudaDevAttrNumaId);
    p->mpsEnabled = umsim_attribute_at(device, cudaDevAttrMpsEnabled);
    p->hostNumaId = umsim_attribute_at(device, cudaDevAttrHostNumaId);
    p->gpuPciDeviceID = (unsigned)umsim_attribute_at(device, cudaDevAttrGpuPciDeviceId);
    p->gpuPciSubsystemID = (unsigned)umsim_attribute_at(device, cudaDevAttrGpuPciSubsystemId);
    p->hostNumaMultinodeIpcSupported = umsim_attribute_at(device, cudaDevAttrHostNumaMultinodeIpcSupported);
    struct umsim_dropped_properties {
        UMSIM_DROPPED_PROPERTIES
    } *dropped = (struct umsim_dropped_properties *)p->reserved;
#endif
    dropped->clockRate = umsim_attribute_at(device, cudaDevAttrClockRate);
    dropped->memoryClockRate = umsim_attribute_at(device, cudaDevAttrMemoryClockRate);
    dropped->deviceOverlap = umsim_attribute_at(device, cudaDevAttrGpuOverlap);
    dropped->kernelExecTimeoutEnabled = umsim_attribute_at(device, cudaDevAttrKernelExecTimeout);
    dropped->computeMode = umsim_attribute_at(device, cudaDevAttrComputeMode);
    dropped->maxTexture1DLinear = umsim_attribute_at(device, cudaDevAttrMaxTexture1DLinearWidth);
    dropped->singleToDoublePrecisionPerfRatio =
        umsim_attribute_at(device, cudaDevAttrSingleToDoublePrecisionPerfRatio);
}

/** Fills in the structure in the layout of the CUDA version that this file is compiled for. */
static inline void umsim_properties_fill(struct cudaDeviceProp *p, unsigned device)
{
    memset(p, 0, sizeof *p);
    memcpy(p->name, umsim_machine_of(device)->device, sizeof p->name);
    p->name[sizeof p->name - 1] = 0;
    umsim_device_uuid(device, p->uuid.bytes);
    p->totalGlobalMem = (size_t)umsim_machine_of(device)->capacity.total_global_memory;
    umsim_properties_fill_textures(p, device);
    umsim_properties_fill_sizes(p, device);
    umsim_properties_fill_memory(p, device);
    umsim_properties_fill_device(p, device);
    umsim_properties_fill_version(p, device);
    p->pciBusID = umsim_device_bus(device);
}

#endif
