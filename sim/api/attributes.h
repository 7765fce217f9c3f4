/**
 * @file attributes.h
 * @brief What cudaDeviceGetAttribute() and cudaGetDeviceProperties() answer, from one table.
 *
 * cudaDeviceProp has two layouts, CUDA 13's and CUDA 12's. umsim_properties_fill() is compiled twice: into
 * device.c for CUDA 13's, and into cuda12.c, which defines UMSIM_CUDA12, for CUDA 12's.
 */
#ifndef UMSIM_ATTRIBUTES_H
#define UMSIM_ATTRIBUTES_H

#include "../base/machine.h"
#include "../include/driver_types.h"

#include <stdbool.h>
#include <string.h>

/**
 * Reads the attribute `number` (an enum cudaDeviceAttr).
 * @return whether an attribute of this number exists
 */
bool umsim_attribute(int number, int *value); /* of device 0 */
bool umsim_attribute_of(unsigned device, int number, int *value);

/** Returns the value of an attribute that is known to exist. */
static inline int umsim_attribute_value(int number)
{
    int value = 0;
    umsim_attribute(number, &value);
    return value;
}

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
            (member)[i_] = umsim_attribute_value(numbers_[i_]);                                              \
    } while (0)

static inline void umsim_properties_fill_textures(struct cudaDeviceProp *p)
{
    p->maxTexture1D = umsim_attribute_value(cudaDevAttrMaxTexture1DWidth);
    p->maxTexture1DMipmap = umsim_attribute_value(cudaDevAttrMaxTexture1DMipmappedWidth);
    p->maxTextureCubemap = umsim_attribute_value(cudaDevAttrMaxTextureCubemapWidth);
    p->maxSurface1D = umsim_attribute_value(cudaDevAttrMaxSurface1DWidth);
    p->maxSurfaceCubemap = umsim_attribute_value(cudaDevAttrMaxSurfaceCubemapWidth);
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
static inline void umsim_properties_fill_sizes(struct cudaDeviceProp *p)
{
    p->sharedMemPerBlock = (size_t)umsim_attribute_value(cudaDevAttrMaxSharedMemoryPerBlock);
    p->regsPerBlock = umsim_attribute_value(cudaDevAttrMaxRegistersPerBlock);
    p->warpSize = umsim_attribute_value(cudaDevAttrWarpSize);
    p->memPitch = (size_t)umsim_attribute_value(cudaDevAttrMaxPitch);
    p->maxThreadsPerBlock = umsim_attribute_value(cudaDevAttrMaxThreadsPerBlock);
    UMSIM_FILL(p->maxThreadsDim, cudaDevAttrMaxBlockDimX, cudaDevAttrMaxBlockDimY, cudaDevAttrMaxBlockDimZ);
    UMSIM_FILL(p->maxGridSize, cudaDevAttrMaxGridDimX, cudaDevAttrMaxGridDimY, cudaDevAttrMaxGridDimZ);
    p->totalConstMem = (size_t)umsim_attribute_value(cudaDevAttrTotalConstantMemory);
    p->textureAlignment = (size_t)umsim_attribute_value(cudaDevAttrTextureAlignment);
    p->texturePitchAlignment = (size_t)umsim_attribute_value(cudaDevAttrTexturePitchAlignment);
    p->surfaceAlignment = (size_t)umsim_attribute_value(cudaDevAttrSurfaceAlignment);
    p->memoryBusWidth = umsim_attribute_value(cudaDevAttrGlobalMemoryBusWidth);
    p->l2CacheSize = umsim_attribute_value(cudaDevAttrL2CacheSize);
    p->persistingL2CacheMaxSize = umsim_attribute_value(cudaDevAttrMaxPersistingL2CacheSize);
    p->accessPolicyMaxWindowSize = umsim_attribute_value(cudaDevAttrMaxAccessPolicyWindowSize);
    p->maxThreadsPerMultiProcessor = umsim_attribute_value(cudaDevAttrMaxThreadsPerMultiProcessor);
    p->maxBlocksPerMultiProcessor = umsim_attribute_value(cudaDevAttrMaxBlocksPerMultiprocessor);
    p->sharedMemPerMultiprocessor =
        (size_t)umsim_attribute_value(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    p->sharedMemPerBlockOptin = (size_t)umsim_attribute_value(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    p->reservedSharedMemPerBlock = (size_t)umsim_attribute_value(cudaDevAttrReservedSharedMemoryPerBlock);
    p->regsPerMultiprocessor = umsim_attribute_value(cudaDevAttrMaxRegistersPerMultiprocessor);
}

/* What the device can do with memory. */
static inline void umsim_properties_fill_memory(struct cudaDeviceProp *p)
{
    p->canMapHostMemory = umsim_attribute_value(cudaDevAttrCanMapHostMemory);
    p->unifiedAddressing = umsim_attribute_value(cudaDevAttrUnifiedAddressing);
    p->managedMemory = umsim_attribute_value(cudaDevAttrManagedMemory);
    p->concurrentManagedAccess = umsim_attribute_value(cudaDevAttrConcurrentManagedAccess);
    p->pageableMemoryAccess = umsim_attribute_value(cudaDevAttrPageableMemoryAccess);
    p->pageableMemoryAccessUsesHostPageTables =
        umsim_attribute_value(cudaDevAttrPageableMemoryAccessUsesHostPageTables);
    p->directManagedMemAccessFromHost = umsim_attribute_value(cudaDevAttrDirectManagedMemAccessFromHost);
    p->hostNativeAtomicSupported = umsim_attribute_value(cudaDevAttrHostNativeAtomicSupported);
    p->canUseHostPointerForRegisteredMem =
        umsim_attribute_value(cudaDevAttrCanUseHostPointerForRegisteredMem);
    p->hostRegisterSupported = umsim_attribute_value(cudaDevAttrHostRegisterSupported);
    p->hostRegisterReadOnlySupported = umsim_attribute_value(cudaDevAttrHostRegisterReadOnlySupported);
    p->sparseCudaArraySupported = umsim_attribute_value(cudaDevAttrSparseCudaArraySupported);
    p->deferredMappingCudaArraySupported =
        umsim_attribute_value(cudaDevAttrDeferredMappingCudaArraySupported);
    p->memoryPoolsSupported = umsim_attribute_value(cudaDevAttrMemoryPoolsSupported);
    p->memoryPoolSupportedHandleTypes =
        (unsigned)umsim_attribute_value(cudaDevAttrMemoryPoolSupportedHandleTypes);
    p->gpuDirectRDMASupported = umsim_attribute_value(cudaDevAttrGPUDirectRDMASupported);
    p->gpuDirectRDMAFlushWritesOptions =
        (unsigned)umsim_attribute_value(cudaDevAttrGPUDirectRDMAFlushWritesOptions);
    p->gpuDirectRDMAWritesOrdering = umsim_attribute_value(cudaDevAttrGPUDirectRDMAWritesOrdering);
}

/* Which device it is, and what else it can do. */
static inline void umsim_properties_fill_device(struct cudaDeviceProp *p)
{
    p->major = umsim_attribute_value(cudaDevAttrComputeCapabilityMajor);
    p->minor = umsim_attribute_value(cudaDevAttrComputeCapabilityMinor);
    p->multiProcessorCount = umsim_attribute_value(cudaDevAttrMultiProcessorCount);
    p->integrated = umsim_attribute_value(cudaDevAttrIntegrated);
    p->concurrentKernels = umsim_attribute_value(cudaDevAttrConcurrentKernels);
    p->ECCEnabled = umsim_attribute_value(cudaDevAttrEccEnabled);
    p->pciBusID = umsim_attribute_value(cudaDevAttrPciBusId);
    p->pciDeviceID = umsim_attribute_value(cudaDevAttrPciDeviceId);
    p->pciDomainID = umsim_attribute_value(cudaDevAttrPciDomainId);
    p->tccDriver = umsim_attribute_value(cudaDevAttrTccDriver);
    p->asyncEngineCount = umsim_attribute_value(cudaDevAttrAsyncEngineCount);
    p->streamPrioritiesSupported = umsim_attribute_value(cudaDevAttrStreamPrioritiesSupported);
    p->globalL1CacheSupported = umsim_attribute_value(cudaDevAttrGlobalL1CacheSupported);
    p->localL1CacheSupported = umsim_attribute_value(cudaDevAttrLocalL1CacheSupported);
    p->isMultiGpuBoard = umsim_attribute_value(cudaDevAttrIsMultiGpuBoard);
    p->multiGpuBoardGroupID = umsim_attribute_value(cudaDevAttrMultiGpuBoardGroupID);
    p->computePreemptionSupported = umsim_attribute_value(cudaDevAttrComputePreemptionSupported);
    p->cooperativeLaunch = umsim_attribute_value(cudaDevAttrCooperativeLaunch);
    p->timelineSemaphoreInteropSupported =
        umsim_attribute_value(cudaDevAttrTimelineSemaphoreInteropSupported);
    p->ipcEventSupported = umsim_attribute_value(cudaDevAttrIpcEventSupport);
    p->clusterLaunch = umsim_attribute_value(cudaDevAttrClusterLaunch);
    p->unifiedFunctionPointers = 1;
}

/* Members that the two layouts have in different places, or that only one of them has. */
static inline void umsim_properties_fill_version(struct cudaDeviceProp *p)
{
#ifdef UMSIM_CUDA12
    struct cudaDeviceProp *dropped = p;
    p->cooperativeMultiDeviceLaunch = umsim_attribute_value(cudaDevAttrCooperativeMultiDeviceLaunch);
#else
    p->deviceNumaConfig = umsim_attribute_value(cudaDevAttrNumaConfig);
    p->deviceNumaId = umsim_attribute_value(cudaDevAttrNumaId);
    p->mpsEnabled = umsim_attribute_value(cudaDevAttrMpsEnabled);
    p->hostNumaId = umsim_attribute_value(cudaDevAttrHostNumaId);
    p->gpuPciDeviceID = (unsigned)umsim_attribute_value(cudaDevAttrGpuPciDeviceId);
    p->gpuPciSubsystemID = (unsigned)umsim_attribute_value(cudaDevAttrGpuPciSubsystemId);
    p->hostNumaMultinodeIpcSupported = umsim_attribute_value(cudaDevAttrHostNumaMultinodeIpcSupported);
    struct umsim_dropped_properties {
        UMSIM_DROPPED_PROPERTIES
    } *dropped = (struct umsim_dropped_properties *)p->reserved;
#endif
    dropped->clockRate = umsim_attribute_value(cudaDevAttrClockRate);
    dropped->memoryClockRate = umsim_attribute_value(cudaDevAttrMemoryClockRate);
    dropped->deviceOverlap = umsim_attribute_value(cudaDevAttrGpuOverlap);
    dropped->kernelExecTimeoutEnabled = umsim_attribute_value(cudaDevAttrKernelExecTimeout);
    dropped->computeMode = umsim_attribute_value(cudaDevAttrComputeMode);
    dropped->maxTexture1DLinear = umsim_attribute_value(cudaDevAttrMaxTexture1DLinearWidth);
    dropped->singleToDoublePrecisionPerfRatio =
        umsim_attribute_value(cudaDevAttrSingleToDoublePrecisionPerfRatio);
}

/** Fills in the structure in the layout of the CUDA version that this file is compiled for. */
static inline void umsim_properties_fill(struct cudaDeviceProp *p, unsigned device)
{
    memset(p, 0, sizeof *p);
    memcpy(p->name, umsim_machine.device, sizeof p->name);
    p->name[sizeof p->name - 1] = 0;
    umsim_device_uuid(device, p->uuid.bytes);
    p->totalGlobalMem = (size_t)umsim_machine.capacity.total_global_memory;
    umsim_properties_fill_textures(p);
    umsim_properties_fill_sizes(p);
    umsim_properties_fill_memory(p);
    umsim_properties_fill_device(p);
    umsim_properties_fill_version(p);
    p->pciBusID = umsim_device_bus(device);
}

#endif
