/**
 * @file attributes.c
 * @brief Implementation of attributes.h: the table of all device attributes.
 *
 * Attributes that depend on the simulated machine come from its profile. Attributes of parts of CUDA that are
 * not simulated (textures, NUMA, sharing between processes) have fixed values here.
 */
#include "attributes.h"
#include "../base/devices.h"
#include "../base/machine.h"

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* An attribute is a member of the profile; without a member, its value is fixed. */
struct attribute {
    bool known, in_profile;
    unsigned short offset; /* in struct umsim_attributes */
    int value;
};

#define PROFILE(attribute, member)                                                                           \
    [cudaDevAttr##attribute] = {true, true, offsetof(struct umsim_attributes, member), 0}
#define FIXED(attribute, value) [cudaDevAttr##attribute] = {true, false, 0, value}

static const struct attribute attributes[cudaDevAttrMax] = {
    PROFILE(MaxThreadsPerBlock, max_threads_per_block),
    PROFILE(MaxBlockDimX, max_block_dim_x),
    PROFILE(MaxBlockDimY, max_block_dim_y),
    PROFILE(MaxBlockDimZ, max_block_dim_z),
    PROFILE(MaxGridDimX, max_grid_dim_x),
    PROFILE(MaxGridDimY, max_grid_dim_y),
    PROFILE(MaxGridDimZ, max_grid_dim_z),
    PROFILE(MaxSharedMemoryPerBlock, max_shared_memory_per_block),
    PROFILE(TotalConstantMemory, total_constant_memory),
    PROFILE(WarpSize, warp_size),
    PROFILE(MaxPitch, max_pitch),
    PROFILE(MaxRegistersPerBlock, max_registers_per_block),
    PROFILE(ClockRate, clock_rate_khz),
    PROFILE(TextureAlignment, texture_alignment),
    PROFILE(GpuOverlap, gpu_overlap),
    PROFILE(MultiProcessorCount, multiprocessor_count),
    PROFILE(KernelExecTimeout, kernel_exec_timeout),
    PROFILE(Integrated, integrated),
    PROFILE(CanMapHostMemory, can_map_host_memory),
    PROFILE(ComputeMode, compute_mode),
    PROFILE(SurfaceAlignment, surface_alignment),
    PROFILE(ConcurrentKernels, concurrent_kernels),
    PROFILE(EccEnabled, ecc_enabled),
    PROFILE(PciBusId, pci_bus_id),
    PROFILE(PciDeviceId, pci_device_id),
    PROFILE(PciDomainId, pci_domain_id),
    PROFILE(TccDriver, tcc_driver),
    PROFILE(MemoryClockRate, memory_clock_rate_khz),
    PROFILE(GlobalMemoryBusWidth, global_memory_bus_width),
    PROFILE(L2CacheSize, l2_cache_size),
    PROFILE(MaxThreadsPerMultiProcessor, max_threads_per_multiprocessor),
    PROFILE(AsyncEngineCount, async_engine_count),
    PROFILE(UnifiedAddressing, unified_addressing),
    PROFILE(TexturePitchAlignment, texture_pitch_alignment),
    PROFILE(ComputeCapabilityMajor, compute_capability_major),
    PROFILE(ComputeCapabilityMinor, compute_capability_minor),
    PROFILE(StreamPrioritiesSupported, stream_priorities_supported),
    PROFILE(GlobalL1CacheSupported, global_l1_cache_supported),
    PROFILE(LocalL1CacheSupported, local_l1_cache_supported),
    PROFILE(MaxSharedMemoryPerMultiprocessor, max_shared_memory_per_multiprocessor),
    PROFILE(MaxRegistersPerMultiprocessor, max_registers_per_multiprocessor),
    PROFILE(ManagedMemory, managed_memory),
    PROFILE(IsMultiGpuBoard, is_multi_gpu_board),
    PROFILE(MultiGpuBoardGroupID, multi_gpu_board_group_id),
    PROFILE(HostNativeAtomicSupported, host_native_atomic_supported),
    PROFILE(SingleToDoublePrecisionPerfRatio, single_to_double_precision_perf_ratio),
    PROFILE(PageableMemoryAccess, pageable_memory_access),
    PROFILE(ConcurrentManagedAccess, concurrent_managed_access),
    PROFILE(ComputePreemptionSupported, compute_preemption_supported),
    PROFILE(CanUseHostPointerForRegisteredMem, can_use_host_pointer_for_registered_mem),
    PROFILE(CooperativeLaunch, cooperative_launch),
    PROFILE(MaxSharedMemoryPerBlockOptin, max_shared_memory_per_block_optin),
    PROFILE(HostRegisterSupported, host_register_supported),
    PROFILE(PageableMemoryAccessUsesHostPageTables, pageable_memory_access_uses_host_page_tables),
    PROFILE(DirectManagedMemAccessFromHost, direct_managed_mem_access_from_host),
    PROFILE(MaxBlocksPerMultiprocessor, max_blocks_per_multiprocessor),
    PROFILE(MaxPersistingL2CacheSize, max_persisting_l2_cache_size),
    PROFILE(MaxAccessPolicyWindowSize, max_access_policy_window_size),
    PROFILE(ReservedSharedMemoryPerBlock, reserved_shared_memory_per_block),
    PROFILE(SparseCudaArraySupported, sparse_cuda_array_supported),
    PROFILE(HostRegisterReadOnlySupported, host_register_read_only_supported),
    PROFILE(TimelineSemaphoreInteropSupported, timeline_semaphore_interop_supported),
    PROFILE(MemoryPoolsSupported, memory_pools_supported),
    PROFILE(GPUDirectRDMASupported, gpu_direct_rdma_supported),
    PROFILE(ClusterLaunch, cluster_launch),
    PROFILE(DeferredMappingCudaArraySupported, deferred_mapping_cuda_array_supported),
    PROFILE(IpcEventSupport, ipc_event_supported),

    /* Textures and surfaces: the limits of compute capability 5.0 and later (CUDA C++ Programming Guide). */
    FIXED(MaxTexture1DWidth, 131072),
    FIXED(MaxTexture2DWidth, 131072),
    FIXED(MaxTexture2DHeight, 65536),
    FIXED(MaxTexture3DWidth, 16384),
    FIXED(MaxTexture3DHeight, 16384),
    FIXED(MaxTexture3DDepth, 16384),
    FIXED(MaxTexture2DLayeredWidth, 32768),
    FIXED(MaxTexture2DLayeredHeight, 32768),
    FIXED(MaxTexture2DLayeredLayers, 2048),
    FIXED(MaxTexture1DLayeredWidth, 32768),
    FIXED(MaxTexture1DLayeredLayers, 2048),
    FIXED(MaxTexture2DGatherWidth, 32768),
    FIXED(MaxTexture2DGatherHeight, 32768),
    FIXED(MaxTexture3DWidthAlt, 8192),
    FIXED(MaxTexture3DHeightAlt, 8192),
    FIXED(MaxTexture3DDepthAlt, 32768),
    FIXED(MaxTextureCubemapWidth, 32768),
    FIXED(MaxTextureCubemapLayeredWidth, 32768),
    FIXED(MaxTextureCubemapLayeredLayers, 2046),
    FIXED(MaxSurface1DWidth, 32768),
    FIXED(MaxSurface2DWidth, 131072),
    FIXED(MaxSurface2DHeight, 65536),
    FIXED(MaxSurface3DWidth, 16384),
    FIXED(MaxSurface3DHeight, 16384),
    FIXED(MaxSurface3DDepth, 16384),
    FIXED(MaxSurface1DLayeredWidth, 32768),
    FIXED(MaxSurface1DLayeredLayers, 2048),
    FIXED(MaxSurface2DLayeredWidth, 32768),
    FIXED(MaxSurface2DLayeredHeight, 32768),
    FIXED(MaxSurface2DLayeredLayers, 2048),
    FIXED(MaxSurfaceCubemapWidth, 32768),
    FIXED(MaxSurfaceCubemapLayeredWidth, 32768),
    FIXED(MaxSurfaceCubemapLayeredLayers, 2046),
    FIXED(MaxTexture1DLinearWidth, 268435456),
    FIXED(MaxTexture2DLinearWidth, 131072),
    FIXED(MaxTexture2DLinearHeight, 65000),
    FIXED(MaxTexture2DLinearPitch, 2097120),
    FIXED(MaxTexture2DMipmappedWidth, 32768),
    FIXED(MaxTexture2DMipmappedHeight, 32768),
    FIXED(MaxTexture1DMipmappedWidth, 32768),

    /* What an H200 answers (driver 580, CUDA 13.0). */
    FIXED(CanFlushRemoteWrites, 0),
    FIXED(GPUDirectRDMAFlushWritesOptions, 1),
    FIXED(GPUDirectRDMAWritesOrdering, 100),
    FIXED(MemSyncDomainCount, 4),
    FIXED(NumaConfig, cudaDeviceNumaConfigNone),
    FIXED(NumaId, -1),
    FIXED(MpsEnabled, 0),
    FIXED(HostNumaId, 0),
    FIXED(D3D12CigSupported, 0),
    FIXED(VulkanCigSupported, 0),
    FIXED(HostNumaMultinodeIpcSupported, 0),
    FIXED(OnlyPartialHostNativeAtomicSupported, 0),

    /* Unlike an H200, which supports these, this library does not. */
    FIXED(MemoryPoolSupportedHandleTypes, cudaMemHandleTypeNone),
    FIXED(HostNumaMemoryPoolsSupported, 0),
    FIXED(HostMemoryPoolsSupported, 0),

    /* A profile does not say which card it is. */
    FIXED(GpuPciDeviceId, 0),
    FIXED(GpuPciSubsystemId, 0),

    /* These numbers have no meaning. 96 was cooperative launches over several devices in CUDA 12. */
    FIXED(Reserved92, 0),
    FIXED(Reserved93, 0),
    FIXED(Reserved94, 0),
    FIXED(Reserved96, 0),
    FIXED(Reserved122, 0),
    FIXED(Reserved123, 0),
    FIXED(Reserved124, 0),
    FIXED(Reserved127, 0),
    FIXED(Reserved128, 0),
    FIXED(Reserved129, 0),
    FIXED(Reserved132, 0),
    FIXED(Reserved141, 0),
    FIXED(Reserved145, 0),
};

bool umsim_attribute_of(unsigned device, int number, int *value)
{
    const struct umsim_attributes *has = &umsim_machine_of(device)->attributes;
    if (number < 0 || number >= cudaDevAttrMax || !attributes[number].known)
        return false;
    if (!attributes[number].in_profile) {
        *value = attributes[number].value;
        return true;
    }
    int64_t figure;
    memcpy(&figure, (const char *)has + attributes[number].offset, sizeof figure);
    *value = figure > INT_MAX ? INT_MAX : (int)figure;
    if (number == cudaDevAttrPciBusId)
        *value = umsim_device_bus(device);
    return true;
}

int umsim_device_bus(unsigned device)
{
    const unsigned number = umsim_device_of_machine(device);
    return (int)(umsim_machine.attributes.pci_bus_id + number * umsim_machine.peers.pci_bus_step);
}

/* No real card has this identifier. It is a hash (FNV-1a) of the profile's name, and of the number of a
 * further device, repeated, so that two profiles are two devices. */
static void identify(unsigned device_of_machine, char bytes[16])
{
    uint64_t hash[2] = {14695981039346656037u, 1099511628211u};
    for (int half = 0; half < 2; half++) {
        for (const char *p = umsim_machine.name; *p; p++)
            hash[half] = (hash[half] ^ (unsigned char)*p) * 1099511628211u;
        if (device_of_machine)
            hash[half] = (hash[half] ^ device_of_machine) * 1099511628211u;
    }
    memcpy(bytes, hash, sizeof hash);
}

void umsim_device_uuid(unsigned device, char bytes[16])
{
    identify(umsim_device_of_machine(device), bytes);
}

bool umsim_device_is_named(const char *name, unsigned device_of_machine)
{
    unsigned char bytes[16];
    char text[48] = "GPU-";
    size_t at = 4;
    identify(device_of_machine, (char *)bytes);
    for (int i = 0; i < 16; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%02x",
                               i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", bytes[i]);
    return strlen(name) > 4 && strncmp(name, text, strlen(name)) == 0;
}
