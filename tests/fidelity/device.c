/**
 * @file device.c
 * @brief What this device says about itself, under the names that a profile has for it (sim/model/profile.h).
 */
#include "cells.h"

#include <stdio.h>
#include <cuda_runtime_api.h>

static const struct {
    const char *name;
    enum cudaDeviceAttr attribute;
} attributes[] = {
    {"max_threads_per_block", cudaDevAttrMaxThreadsPerBlock},
    {"max_block_dim_x", cudaDevAttrMaxBlockDimX},
    {"max_block_dim_y", cudaDevAttrMaxBlockDimY},
    {"max_block_dim_z", cudaDevAttrMaxBlockDimZ},
    {"max_grid_dim_x", cudaDevAttrMaxGridDimX},
    {"max_grid_dim_y", cudaDevAttrMaxGridDimY},
    {"max_grid_dim_z", cudaDevAttrMaxGridDimZ},
    {"max_shared_memory_per_block", cudaDevAttrMaxSharedMemoryPerBlock},
    {"total_constant_memory", cudaDevAttrTotalConstantMemory},
    {"warp_size", cudaDevAttrWarpSize},
    {"max_pitch", cudaDevAttrMaxPitch},
    {"max_registers_per_block", cudaDevAttrMaxRegistersPerBlock},
    {"clock_rate_khz", cudaDevAttrClockRate},
    {"texture_alignment", cudaDevAttrTextureAlignment},
    {"gpu_overlap", cudaDevAttrGpuOverlap},
    {"multiprocessor_count", cudaDevAttrMultiProcessorCount},
    {"kernel_exec_timeout", cudaDevAttrKernelExecTimeout},
    {"integrated", cudaDevAttrIntegrated},
    {"can_map_host_memory", cudaDevAttrCanMapHostMemory},
    {"compute_mode", cudaDevAttrComputeMode},
    {"surface_alignment", cudaDevAttrSurfaceAlignment},
    {"concurrent_kernels", cudaDevAttrConcurrentKernels},
    {"ecc_enabled", cudaDevAttrEccEnabled},
    {"pci_bus_id", cudaDevAttrPciBusId},
    {"pci_device_id", cudaDevAttrPciDeviceId},
    {"pci_domain_id", cudaDevAttrPciDomainId},
    {"tcc_driver", cudaDevAttrTccDriver},
    {"memory_clock_rate_khz", cudaDevAttrMemoryClockRate},
    {"global_memory_bus_width", cudaDevAttrGlobalMemoryBusWidth},
    {"l2_cache_size", cudaDevAttrL2CacheSize},
    {"max_threads_per_multiprocessor", cudaDevAttrMaxThreadsPerMultiProcessor},
    {"async_engine_count", cudaDevAttrAsyncEngineCount},
    {"unified_addressing", cudaDevAttrUnifiedAddressing},
    {"texture_pitch_alignment", cudaDevAttrTexturePitchAlignment},
    {"compute_capability_major", cudaDevAttrComputeCapabilityMajor},
    {"compute_capability_minor", cudaDevAttrComputeCapabilityMinor},
    {"stream_priorities_supported", cudaDevAttrStreamPrioritiesSupported},
    {"global_l1_cache_supported", cudaDevAttrGlobalL1CacheSupported},
    {"local_l1_cache_supported", cudaDevAttrLocalL1CacheSupported},
    {"max_shared_memory_per_multiprocessor", cudaDevAttrMaxSharedMemoryPerMultiprocessor},
    {"max_registers_per_multiprocessor", cudaDevAttrMaxRegistersPerMultiprocessor},
    {"managed_memory", cudaDevAttrManagedMemory},
    {"is_multi_gpu_board", cudaDevAttrIsMultiGpuBoard},
    {"multi_gpu_board_group_id", cudaDevAttrMultiGpuBoardGroupID},
    {"host_native_atomic_supported", cudaDevAttrHostNativeAtomicSupported},
    {"single_to_double_precision_perf_ratio", cudaDevAttrSingleToDoublePrecisionPerfRatio},
    {"pageable_memory_access", cudaDevAttrPageableMemoryAccess},
    {"concurrent_managed_access", cudaDevAttrConcurrentManagedAccess},
    {"compute_preemption_supported", cudaDevAttrComputePreemptionSupported},
    {"can_use_host_pointer_for_registered_mem", cudaDevAttrCanUseHostPointerForRegisteredMem},
    {"cooperative_launch", cudaDevAttrCooperativeLaunch},
    {"max_shared_memory_per_block_optin", cudaDevAttrMaxSharedMemoryPerBlockOptin},
    {"host_register_supported", cudaDevAttrHostRegisterSupported},
    {"pageable_memory_access_uses_host_page_tables", cudaDevAttrPageableMemoryAccessUsesHostPageTables},
    {"direct_managed_mem_access_from_host", cudaDevAttrDirectManagedMemAccessFromHost},
    {"max_blocks_per_multiprocessor", cudaDevAttrMaxBlocksPerMultiprocessor},
    {"max_persisting_l2_cache_size", cudaDevAttrMaxPersistingL2CacheSize},
    {"max_access_policy_window_size", cudaDevAttrMaxAccessPolicyWindowSize},
    {"reserved_shared_memory_per_block", cudaDevAttrReservedSharedMemoryPerBlock},
    {"sparse_cuda_array_supported", cudaDevAttrSparseCudaArraySupported},
    {"host_register_read_only_supported", cudaDevAttrHostRegisterReadOnlySupported},
    {"timeline_semaphore_interop_supported", cudaDevAttrTimelineSemaphoreInteropSupported},
    {"memory_pools_supported", cudaDevAttrMemoryPoolsSupported},
    {"gpu_direct_rdma_supported", cudaDevAttrGPUDirectRDMASupported},
    {"cluster_launch", cudaDevAttrClusterLaunch},
    {"deferred_mapping_cuda_array_supported", cudaDevAttrDeferredMappingCudaArraySupported},
    {"ipc_event_supported", cudaDevAttrIpcEventSupport},
};

static void print_attributes(void)
{
    int least = 0, greatest = 0, version = 0;

    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++) {
        int value;
        if (cudaDeviceGetAttribute(&value, attributes[i].attribute, 0) == cudaSuccess)
            printf("\"%s\": %d, ", attributes[i].name, value);
    }
    (void)cudaDeviceGetStreamPriorityRange(&least, &greatest);
    (void)cudaDriverGetVersion(&version);
    printf("\"least_stream_priority\": %d, \"greatest_stream_priority\": %d, \"driver_version\": %d", least,
           greatest, version);
}

void cell_print_device(void)
{
    size_t free = 0, total = 0;

    printf("\"attributes\": {");
    print_attributes();
    (void)cudaMemGetInfo(&free, &total);
    printf("}, \"capacity\": {\"total_global_memory\": %zu, \"free_at_start\": %zu}", total, free);
}
