/**
 * @file profile_fields.c
 * @brief Implementation of profile_fields.h: the list of a profile's figures.
 */
#include "profile_fields.h"
#include <string.h>

#define ATTRIBUTE(member, unit, minimum)                                                                     \
    {                                                                                                        \
        "attributes", #member, unit, UMSIM_FIELD_INTEGER, offsetof(struct umsim_profile, attributes.member), \
            minimum                                                                                          \
    }
#define CAPACITY(member, minimum)                                                                            \
    {                                                                                                        \
        "capacity", #member, "bytes", UMSIM_FIELD_INTEGER, offsetof(struct umsim_profile, capacity.member),  \
            minimum                                                                                          \
    }
#define COST(member, unit)                                                                                   \
    {                                                                                                        \
        "costs", #member, unit, UMSIM_FIELD_REAL, offsetof(struct umsim_profile, costs.member), 0            \
    }
/* A bandwidth is a divisor: a value below a kilobyte a second is a mistake. */
#define BANDWIDTH(member)                                                                                    \
    {                                                                                                        \
        "costs", #member, "GB/s", UMSIM_FIELD_REAL, offsetof(struct umsim_profile, costs.member), 1e-6       \
    }
#define CURVE(member)                                                                                        \
    {                                                                                                        \
        "costs", #member, "us", UMSIM_FIELD_CURVE, offsetof(struct umsim_profile, costs.member), 0           \
    }
#define PEERS(member, unit, kind, minimum)                                                                   \
    {                                                                                                        \
        "peers", #member, unit, UMSIM_FIELD_##kind, offsetof(struct umsim_profile, peers.member), minimum    \
    }

const struct umsim_field umsim_profile_fields[] = {
    ATTRIBUTE(compute_capability_major, "count", 1),
    ATTRIBUTE(compute_capability_minor, "count", 0),
    ATTRIBUTE(multiprocessor_count, "count", 1),
    ATTRIBUTE(warp_size, "count", 1),
    ATTRIBUTE(max_threads_per_block, "count", 1),
    ATTRIBUTE(max_threads_per_multiprocessor, "count", 1),
    ATTRIBUTE(max_blocks_per_multiprocessor, "count", 1),
    ATTRIBUTE(max_block_dim_x, "count", 1),
    ATTRIBUTE(max_block_dim_y, "count", 1),
    ATTRIBUTE(max_block_dim_z, "count", 1),
    ATTRIBUTE(max_grid_dim_x, "count", 1),
    ATTRIBUTE(max_grid_dim_y, "count", 1),
    ATTRIBUTE(max_grid_dim_z, "count", 1),
    ATTRIBUTE(max_shared_memory_per_block, "bytes", 1),
    ATTRIBUTE(max_shared_memory_per_block_optin, "bytes", 1),
    ATTRIBUTE(max_shared_memory_per_multiprocessor, "bytes", 1),
    ATTRIBUTE(reserved_shared_memory_per_block, "bytes", 0),
    ATTRIBUTE(max_registers_per_block, "count", 0),
    ATTRIBUTE(max_registers_per_multiprocessor, "count", 0),
    ATTRIBUTE(total_constant_memory, "bytes", 0),
    ATTRIBUTE(l2_cache_size, "bytes", 0),
    ATTRIBUTE(max_persisting_l2_cache_size, "bytes", 0),
    ATTRIBUTE(max_access_policy_window_size, "bytes", 0),
    ATTRIBUTE(clock_rate_khz, "kHz", 1),
    ATTRIBUTE(memory_clock_rate_khz, "kHz", 1),
    ATTRIBUTE(global_memory_bus_width, "bits", 1),
    ATTRIBUTE(max_pitch, "bytes", 0),
    ATTRIBUTE(texture_alignment, "bytes", 1),
    ATTRIBUTE(texture_pitch_alignment, "bytes", 0),
    ATTRIBUTE(surface_alignment, "bytes", 0),
    ATTRIBUTE(async_engine_count, "count", 0),
    ATTRIBUTE(gpu_overlap, "count", 0),
    ATTRIBUTE(concurrent_kernels, "count", 0),
    ATTRIBUTE(kernel_exec_timeout, "count", 0),
    ATTRIBUTE(compute_mode, "count", 0),
    ATTRIBUTE(integrated, "count", 0),
    ATTRIBUTE(ecc_enabled, "count", 0),
    ATTRIBUTE(tcc_driver, "count", 0),
    ATTRIBUTE(is_multi_gpu_board, "count", 0),
    ATTRIBUTE(multi_gpu_board_group_id, "count", 0),
    ATTRIBUTE(pci_domain_id, "count", 0),
    ATTRIBUTE(pci_bus_id, "count", 0),
    ATTRIBUTE(pci_device_id, "count", 0),
    ATTRIBUTE(single_to_double_precision_perf_ratio, "count", 0),
    ATTRIBUTE(stream_priorities_supported, "count", 0),
    ATTRIBUTE(global_l1_cache_supported, "count", 0),
    ATTRIBUTE(local_l1_cache_supported, "count", 0),
    ATTRIBUTE(compute_preemption_supported, "count", 0),
    ATTRIBUTE(cooperative_launch, "count", 0),
    ATTRIBUTE(cluster_launch, "count", 0),
    ATTRIBUTE(ipc_event_supported, "count", 0),
    ATTRIBUTE(unified_addressing, "count", 0),
    ATTRIBUTE(can_map_host_memory, "count", 0),
    ATTRIBUTE(managed_memory, "count", 0),
    ATTRIBUTE(concurrent_managed_access, "count", 0),
    ATTRIBUTE(pageable_memory_access, "count", 0),
    ATTRIBUTE(pageable_memory_access_uses_host_page_tables, "count", 0),
    ATTRIBUTE(direct_managed_mem_access_from_host, "count", 0),
    ATTRIBUTE(host_native_atomic_supported, "count", 0),
    ATTRIBUTE(host_register_supported, "count", 0),
    ATTRIBUTE(host_register_read_only_supported, "count", 0),
    ATTRIBUTE(can_use_host_pointer_for_registered_mem, "count", 0),
    ATTRIBUTE(memory_pools_supported, "count", 0),
    ATTRIBUTE(gpu_direct_rdma_supported, "count", 0),
    ATTRIBUTE(sparse_cuda_array_supported, "count", 0),
    ATTRIBUTE(deferred_mapping_cuda_array_supported, "count", 0),
    ATTRIBUTE(timeline_semaphore_interop_supported, "count", 0),
    ATTRIBUTE(least_stream_priority, "count", 0),
    ATTRIBUTE(greatest_stream_priority, "count", -1000),
    ATTRIBUTE(driver_version, "count", 1),
    CAPACITY(total_global_memory, 1),
    CAPACITY(free_at_start, 1),
    CAPACITY(allocation_granularity, 1),
    COST(start_us, "us"),
    COST(call_us, "us"),
    COST(stream_create_us, "us"),
    COST(stream_destroy_us, "us"),
    COST(event_create_us, "us"),
    COST(event_destroy_us, "us"),
    COST(event_record_us, "us"),
    COST(event_device_us, "us"),
    COST(query_us, "us"),
    COST(stream_wait_event_us, "us"),
    COST(host_function_us, "us"),
    COST(host_function_start_us, "us"),
    COST(synchronize_us, "us"),
    COST(synchronize_idle_us, "us"),
    CURVE(malloc_device),
    CURVE(free_device),
    CURVE(malloc_host),
    CURVE(free_host),
    COST(malloc_small_us, "us"),
    COST(free_small_us, "us"),
    CURVE(malloc_managed),
    CURVE(free_managed),
    CURVE(host_register),
    CURVE(host_unregister),
    CURVE(malloc_async),
    CURVE(free_async),
    CURVE(htod_pageable),
    CURVE(dtoh_pageable),
    CURVE(htod_pinned),
    CURVE(dtoh_pinned),
    CURVE(htod_write_combined),
    CURVE(dtoh_write_combined),
    CURVE(htod_managed),
    CURVE(dtoh_managed),
    CURVE(dtod),
    CURVE(htoh),
    CURVE(memset_device),
    COST(copy_issue_us, "us"),
    COST(pageable_staged_bytes, "bytes"),
    COST(launch_issue_us, "us"),
    COST(launch_start_us, "us"),
    COST(kernel_minimum_us, "us"),
    COST(block_ns, "ns"),
    COST(block_start_ns, "ns"),
    BANDWIDTH(device_read_gbs),
    BANDWIDTH(device_write_gbs),
    BANDWIDTH(cache_gbs),
    BANDWIDTH(managed_read_gbs),
    BANDWIDTH(managed_write_gbs),
    BANDWIDTH(mapped_read_gbs),
    BANDWIDTH(mapped_write_gbs),
    BANDWIDTH(mapped_both_gbs),
    COST(device_latency_ns, "ns"),
    COST(mapped_latency_ns, "ns"),
    COST(cached_latency_ns, "ns"),
    COST(mapped_read_piece_ns, "ns"),
    COST(mapped_write_piece_ns, "ns"),
    COST(atomic_address_ns, "ns"),
    COST(atomic_line_ns, "ns"),
    COST(mapped_start_us, "us"),
    COST(cpu_fault_us, "us"),
    COST(cpu_fault_transfer_us, "us"),
    COST(cpu_fault_first_us, "us"),
    COST(cpu_fault_populating_us, "us"),
    COST(cpu_populate_us, "us"),
    CURVE(cpu_block_clear),
    COST(gpu_fresh_us, "us"),
    COST(gpu_fault_idle_us, "us"),
    COST(gpu_fault_awake_us, "us"),
    COST(gpu_fault_service_us, "us"),
    COST(gpu_fault_batch_us, "us"),
    COST(gpu_fault_block_us, "us"),
    COST(gpu_populate_us, "us"),
    COST(gpu_fault_density_us, "us"),
    COST(gpu_fault_crowd_us, "us"),
    BANDWIDTH(migrate_htod_gbs),
    BANDWIDTH(migrate_dtoh_gbs),
    COST(migrate_transfer_us, "us"),
    COST(remote_map_us, "us"),
    COST(gpu_invalidate_us, "us"),
    COST(eviction_us, "us"),
    COST(advise_us, "us"),
    COST(advise_change_us, "us"),
    COST(advise_protect_us, "us"),
    COST(advise_map_us, "us"),
    COST(free_populated_us, "us"),
    CURVE(prefetch_populate),
    COST(prefetch_issue_us, "us"),
    COST(prefetch_block_us, "us"),
    CURVE(prefetch_htod),
    CURVE(prefetch_dtoh),
    BANDWIDTH(host_memcpy_gbs),
    BANDWIDTH(host_memset_gbs),
    /* the last ones, as a profile may have none of them */
    PEERS(devices, "count", INTEGER, 1),
    PEERS(access, "count", INTEGER, 0),
    PEERS(native_atomics, "count", INTEGER, 0),
    PEERS(arrays, "count", INTEGER, 0),
    PEERS(rank, "count", INTEGER, 0),
    PEERS(pci_bus_step, "count", INTEGER, 1),
    PEERS(read_gbs, "GB/s", REAL, 1e-6),
    PEERS(write_gbs, "GB/s", REAL, 1e-6),
    PEERS(packet_bytes, "bytes", REAL, 0),
    PEERS(latency_ns, "ns", REAL, 0),
    PEERS(atomic_ns, "ns", REAL, 0),
    PEERS(copy_issue_us, "us", REAL, 0),
    PEERS(copy_sync_issue_us, "us", REAL, 0),
    PEERS(copy_sync_us, "us", REAL, 0),
    PEERS(copy, "us", CURVE, 0),
    PEERS(copy_pulled, "us", CURVE, 0),
    PEERS(copy_by_host, "us", CURVE, 0),
    PEERS(copy_by_host_call, "us", CURVE, 0),
    PEERS(enable_us, "us", REAL, 0),
    PEERS(disable_us, "us", REAL, 0),
    PEERS(map, "us", CURVE, 0),
    PEERS(unmap, "us", CURVE, 0),
    PEERS(migrate_gbs, "GB/s", REAL, 1e-6),
    PEERS(migrate_unmap_us, "us", REAL, 0),
    PEERS(map_us, "us", REAL, 0),
    PEERS(invalidate_us, "us", REAL, 0),
    PEERS(prefetch, "us", CURVE, 0),
};

const size_t umsim_profile_field_count = sizeof umsim_profile_fields / sizeof umsim_profile_fields[0];

_Static_assert(sizeof umsim_profile_fields / sizeof umsim_profile_fields[0] <=
                   sizeof((struct umsim_profile *)0)->sources,
               "a source for each figure");

int umsim_profile_field_find(const char *group, const char *key, int first)
{
    for (size_t n = 0; n < umsim_profile_field_count; n++) {
        size_t i = ((size_t)first + n) % umsim_profile_field_count;
        if (strcmp(umsim_profile_fields[i].key, key) == 0 &&
            strcmp(umsim_profile_fields[i].group, group) == 0)
            return (int)i;
    }
    return -1;
}

unsigned umsim_profile_devices(const struct umsim_profile *profile)
{
    return profile->peers.devices ? (unsigned)profile->peers.devices : 1;
}

int umsim_profile_figure(const struct umsim_profile *profile, size_t index, struct umsim_figure *out)
{
    if (index >= umsim_profile_field_count)
        return 0;
    const struct umsim_field *field = &umsim_profile_fields[index];
    if (!profile->peers.devices && strcmp(field->group, "peers") == 0)
        return 0;
    const char *place = (const char *)profile + field->offset;
    *out = (struct umsim_figure){.group = field->group,
                                 .key = field->key,
                                 .unit = field->unit,
                                 .source = profile->sources[index],
                                 .machines = profile->machines[index],
                                 .range = profile->ranges[index]};
    if (field->kind == UMSIM_FIELD_CURVE)
        out->curve = (const struct umsim_curve *)place;
    else if (field->kind == UMSIM_FIELD_INTEGER)
        out->value = (double)*(const int64_t *)place;
    else
        out->value = *(const double *)place;
    return 1;
}
