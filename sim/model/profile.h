/**
 * @file profile.h
 * @brief A machine as the simulator sees it: its attributes, how much memory it has, and what things cost.
 *
 * To use it: call umsim_profile_load() once with a name ("h200-pcie5") or a path and the folders to search;
 * then read the members. Only cost.h turns costs into times. To describe another machine, write a JSON file
 * (format: README.md in this folder) and name it.
 *
 * Every member of the groups below is one key of the JSON group of the same name; profile_fields.c holds
 * the list. Each figure keeps its source (measured, assumed, documented): umsim_profile_figure() returns it.
 */
#ifndef UMSIM_PROFILE_H
#define UMSIM_PROFILE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The most devices that a machine may have. */
#define UMSIM_DEVICES_MAX 8

/** The most points that one table of costs may have. */
#define UMSIM_CURVE_POINTS 16

/** A cost that depends on a size: straight lines between points, sizes rising. umsim_curve_us() in cost.h
 * reads it. */
struct umsim_curve {
    unsigned count;                   /**< points used, at least 2 */
    double bytes[UMSIM_CURVE_POINTS]; /**< sizes, strictly rising */
    double us[UMSIM_CURVE_POINTS];    /**< microseconds at that size */
    /** @name What machines of the kind took at that size: least and most. Zero where no range is known @{ */
    double least_us[UMSIM_CURVE_POINTS], most_us[UMSIM_CURVE_POINTS];
    /** @} */
};

/** Where a figure comes from. Inherited figures keep the source that their base file gave them. */
enum umsim_source {
    UMSIM_SOURCE_MEASURED,   /**< measured on the device that the profile is named after */
    UMSIM_SOURCE_DOCUMENTED, /**< from the vendor's documents */
    UMSIM_SOURCE_ASSUMED     /**< a plausible figure, or one derived from others: its note says how */
};

/**
 * The values of the device attributes. Names and units are those of cudaDeviceAttr and cudaDeviceProp;
 * booleans are 0 or 1. All are int64_t so that one table can describe them.
 */
struct umsim_attributes {
    int64_t compute_capability_major;
    int64_t compute_capability_minor;
    int64_t multiprocessor_count;
    int64_t warp_size;
    int64_t max_threads_per_block;
    int64_t max_threads_per_multiprocessor;
    int64_t max_blocks_per_multiprocessor;
    int64_t max_block_dim_x;
    int64_t max_block_dim_y;
    int64_t max_block_dim_z;
    int64_t max_grid_dim_x;
    int64_t max_grid_dim_y;
    int64_t max_grid_dim_z;
    int64_t max_shared_memory_per_block;
    int64_t max_shared_memory_per_block_optin;
    int64_t max_shared_memory_per_multiprocessor;
    int64_t reserved_shared_memory_per_block;
    int64_t max_registers_per_block;
    int64_t max_registers_per_multiprocessor;
    int64_t total_constant_memory;
    int64_t l2_cache_size;
    int64_t max_persisting_l2_cache_size;
    int64_t max_access_policy_window_size;
    int64_t clock_rate_khz;
    int64_t memory_clock_rate_khz;
    int64_t global_memory_bus_width; /**< bits */
    int64_t max_pitch;
    int64_t texture_alignment;
    int64_t texture_pitch_alignment;
    int64_t surface_alignment;
    int64_t async_engine_count;
    int64_t gpu_overlap;
    int64_t concurrent_kernels;
    int64_t kernel_exec_timeout;
    int64_t compute_mode;
    int64_t integrated;
    int64_t ecc_enabled;
    int64_t tcc_driver;
    int64_t is_multi_gpu_board;
    int64_t multi_gpu_board_group_id;
    int64_t pci_domain_id;
    int64_t pci_bus_id;
    int64_t pci_device_id;
    int64_t single_to_double_precision_perf_ratio;
    int64_t stream_priorities_supported;
    int64_t global_l1_cache_supported;
    int64_t local_l1_cache_supported;
    int64_t compute_preemption_supported;
    int64_t cooperative_launch;
    int64_t cluster_launch;
    int64_t ipc_event_supported;
    int64_t unified_addressing;
    int64_t can_map_host_memory;
    int64_t managed_memory;
    int64_t concurrent_managed_access;
    int64_t pageable_memory_access;
    int64_t pageable_memory_access_uses_host_page_tables;
    int64_t direct_managed_mem_access_from_host;
    int64_t host_native_atomic_supported;
    int64_t host_register_supported;
    int64_t host_register_read_only_supported;
    int64_t can_use_host_pointer_for_registered_mem;
    int64_t memory_pools_supported;
    int64_t gpu_direct_rdma_supported;
    int64_t sparse_cuda_array_supported;
    int64_t deferred_mapping_cuda_array_supported;
    int64_t timeline_semaphore_interop_supported;
    int64_t least_stream_priority;    /**< cudaDeviceGetStreamPriorityRange: 0 */
    int64_t greatest_stream_priority; /**< the most urgent: a number of at most 0, e.g. -5 */
    int64_t driver_version;           /**< as cudaDriverGetVersion() says, e.g. 13000 */
};

/** How much memory there is, bytes. */
struct umsim_capacity {
    int64_t total_global_memory;    /**< cudaDeviceProp.totalGlobalMem and cudaMemGetInfo's total */
    int64_t free_at_start;          /**< what cudaMemGetInfo calls free in a program that allocated nothing */
    int64_t allocation_granularity; /**< cudaMalloc takes whole multiples of this out of the free memory */
};

/**
 * What things cost. The end of a name is its unit: _us microseconds, _ns nanoseconds, _gbs 10^9 bytes a
 * second; curves are microseconds by bytes. cost.h says how they are combined, and is the only reader.
 */
struct umsim_costs {
    /** @name Calls: time of the calling host thread @{ */
    double start_us; /**< the first CUDA call of a program: making the context */
    double call_us;  /**< a call that only looks something up */
    double stream_create_us;
    double stream_destroy_us;
    double event_create_us;
    double event_destroy_us;
    double event_record_us;
    double event_device_us; /**< an event record in its stream, before it reads the time */
    double query_us;        /**< cudaStreamQuery, cudaEventQuery */
    double stream_wait_event_us;
    double host_function_us;       /**< to issue cudaLaunchHostFunc */
    double host_function_start_us; /**< from its turn in the stream to its first instruction */
    double synchronize_us;         /**< from the device's end of work to the waiting call's return */
    double synchronize_idle_us;    /**< a waiting call that has nothing to wait for */
    /** @} */
    /** @name Allocation, by bytes: time of the calling host thread @{ */
    struct umsim_curve malloc_device, free_device;
    struct umsim_curve malloc_host, free_host; /**< cudaMallocHost, cudaHostAlloc */
    double malloc_small_us,
        free_small_us; /**< one that fits into a chunk that others share, device or pinned */
    struct umsim_curve malloc_managed, free_managed;
    struct umsim_curve host_register, host_unregister;
    struct umsim_curve malloc_async, free_async; /**< stream-ordered, from a warm pool */
    /** @} */
    /** @name Copies, by bytes: a synchronous copy on an idle device, from the call to its return @{ */
    struct umsim_curve htod_pageable, dtoh_pageable;
    struct umsim_curve htod_pinned, dtoh_pinned;
    struct umsim_curve htod_write_combined, dtoh_write_combined;
    struct umsim_curve htod_managed,
        dtoh_managed; /**< between pinned memory and managed memory on the device */
    struct umsim_curve dtod;
    struct umsim_curve htoh;
    struct umsim_curve memset_device;
    double copy_issue_us;         /**< host's part of an asynchronous copy or memset */
    double pageable_staged_bytes; /**< pageable host-to-device copies up to this size return once staged */
    /** @} */
    /** @name Kernels @{ */
    double launch_issue_us;   /**< host's part of a launch */
    double launch_start_us;   /**< from its turn in the stream to its first instruction */
    double kernel_minimum_us; /**< shortest kernel */
    double block_ns;          /**< a thread block on one multiprocessor slot, without its bytes */
    double block_start_ns;    /**< from one block's start to the next one's, of the whole device */
    double device_read_gbs, device_write_gbs;
    double cache_gbs; /**< between the first and the second level of cache */
    double mapped_read_piece_ns, mapped_write_piece_ns; /**< what crosses the link alone */
    double atomic_address_ns; /**< one atomic operation on an address behind another */
    double atomic_line_ns;    /**< one request of atomic operations on a line behind another */
    double managed_read_gbs, managed_write_gbs; /**< managed pages resident on the device */
    double mapped_read_gbs, mapped_write_gbs;   /**< host memory over the link; remote managed pages too */
    double mapped_both_gbs; /**< most that goes over the link at once, both ways together */
    double device_latency_ns, mapped_latency_ns; /**< one dependent access */
    double cached_latency_ns; /**< one dependent access to what came along with an earlier one */
    /** extra for a kernel that uses the link: its first address translations, its last write */
    double mapped_start_us;
    /** @} */
    /** @name Paging of managed memory @{ */
    double cpu_fault_us; /**< one CPU fault that takes something from the GPU, without the bytes it moves */
    double cpu_fault_transfer_us;   /**< one transfer (a contiguous run of pages) of such a fault */
    double cpu_fault_first_us;      /**< extra for a program's first CPU fault */
    double cpu_fault_populating_us; /**< one CPU fault that only populates host memory, without its pages */
    double cpu_populate_us;         /**< one 4 KiB page populated in host memory, that is mapped */
    struct umsim_curve cpu_block_clear; /**< one 2 MiB block's host memory, allocated and cleared: by the
                                           bytes of managed memory that have host memory already. The more
                                           these are, the less of it is in the processor's caches */
    double gpu_fresh_us;         /**< extra for the first kernel on pages that a prefetch or advice mapped */
    double gpu_fault_idle_us;    /**< extra for a fault that finds the driver's handler asleep */
    double gpu_fault_awake_us;   /**< how long the handler stays awake after a fault */
    double gpu_fault_service_us; /**< from a kernel's first fault to its servicing, handler awake */
    double gpu_fault_batch_us;   /**< one batch fetched and replayed */
    double gpu_fault_block_us;   /**< one 2 MiB block serviced in a batch, without the bytes moved */
    double gpu_populate_us;      /**< one 4 KiB page populated in device memory */
    /** extra for one such page, for each doubling of a kernel's touches above one in 64 KiB */
    double gpu_fault_density_us;
    double gpu_fault_crowd_us; /**< extra for one such page that migrates and is not touched alone in its 64
                                  KiB */
    double migrate_htod_gbs, migrate_dtoh_gbs; /**< bytes moved by faults, once moving */
    double migrate_transfer_us;                /**< one transfer of a GPU fault's migration */
    double remote_map_us;                      /**< one 4 KiB page mapped remotely by the device on a fault */
    double gpu_invalidate_us;                  /**< one 4 KiB duplicate on the host ended by a GPU's write */
    double eviction_us;                        /**< one 2 MiB chunk evicted, without the bytes moved */
    double advise_us;                          /**< one cudaMemAdvise call */
    double advise_change_us;                   /**< extra when it changes any mapping */
    double advise_protect_us; /**< extra for each 4 KiB page that ReadMostly write-protects */
    double advise_map_us;     /**< extra for each 4 KiB page that AccessedBy maps */
    /** extra for one 4 KiB page of host memory that a freed managed allocation had */
    double free_populated_us;
    struct umsim_curve prefetch_populate; /**< populating without moving, by bytes, call and wait included */
    double prefetch_issue_us;             /**< host's part of cudaMemPrefetchAsync */
    double prefetch_block_us; /**< extra for each 2 MiB that it is asked for, whether there or not */
    struct umsim_curve prefetch_htod, prefetch_dtoh; /**< by bytes moved, call and wait included */
    /** @} */
    /** @name The host itself @{ */
    double host_memcpy_gbs; /**< one thread, bytes counted once */
    double host_memset_gbs; /**< one thread, memory populated */
    /** @} */
};

/** What dense accesses of a warp to a peer's memory travel in, at most. */
#define UMSIM_PEER_PACKET 128

/**
 * Several devices in one machine, and what is between them. The whole group is optional: without it there is
 * one device. Peer access is between all pairs or between none.
 */
struct umsim_peers {
    int64_t devices;        /**< how many; 0 where the profile has no such group: one */
    int64_t access;         /**< kernels and copies may reach a peer's memory, once it is enabled */
    int64_t native_atomics; /**< ... with atomic operations */
    int64_t arrays;         /**< ... and arrays' elements */
    int64_t rank;           /**< cudaDevP2PAttrPerformanceRank */
    int64_t pci_bus_step;   /**< from one device's pci_bus_id to the next one's */
    /** @name Kernels that reach a peer's memory @{ */
    double read_gbs, write_gbs; /**< dense accesses, one way: packets of UMSIM_PEER_PACKET bytes */
    double packet_bytes;        /**< what the link carries for a packet beside its bytes */
    double latency_ns;          /**< one dependent access */
    double atomic_ns;           /**< atomic operations that wait for each other there, each */
    /** @} */
    /** @name Copies between two devices, with peer access; by bytes, call and wait included @{ */
    double copy_issue_us;      /**< host's part of the asynchronous call */
    double copy_sync_issue_us; /**< extra for the host of the synchronous one, which does not wait either */
    double copy_sync_us;       /**< ... and for the devices, which come to an end with each other */
    struct umsim_curve copy;   /**< in a stream of the device that has the data */
    struct umsim_curve copy_pulled; /**< in a stream of the one that gets it, between two events */
    /** @} */
    /** @name ... without: through the host's memory @{ */
    struct umsim_curve copy_by_host;
    struct umsim_curve copy_by_host_call; /**< how long the call holds the host, which passes pieces on */
    /** @} */
    /** @name Access @{ */
    double enable_us, disable_us;
    struct umsim_curve map, unmap; /**< extra for an allocation that a peer reaches, by bytes: its cudaMalloc
                                      and its cudaFree */
    /** @} */
    /** @name Managed memory (cost_paging.c) @{ */
    double migrate_gbs;          /**< pages from one device to another, beside what any fault takes */
    double migrate_unmap_us;     /**< a page that moves: the other device's mapping ends */
    double map_us;               /**< a page that is there already, mapped over the link or at home */
    double invalidate_us;        /**< another device's copy, ended by a kernel that writes all of the page */
    struct umsim_curve prefetch; /**< by bytes moved, call and wait included */
    /** @} */
};

/** What was seen on several machines of the kind: the least and the most. Nothing is priced by it. */
struct umsim_range {
    double least, most;
};

/** A profile has no more figures. */
#define UMSIM_FIGURES_MAX 256

/** A machine. Plain data: copying it is allowed; nothing has to be freed. */
struct umsim_profile {
    char name[64];        /**< the name that selects it, e.g. "h200-pcie5" */
    char device[256];     /**< cudaDeviceProp.name */
    char conditions[256]; /**< what the measured figures hold for: device, driver, CUDA, date */
    struct umsim_attributes attributes;
    struct umsim_capacity capacity;
    struct umsim_costs costs;
    struct umsim_peers peers;
    unsigned other_count; /**< so many devices behind the first one have a profile of their own: */
    char others[UMSIM_DEVICES_MAX - 1][64]; /**< its name, of device 1, 2, ... */
    /** @name Of each figure, in the order of profile_fields.c @{ */
    unsigned char sources[UMSIM_FIGURES_MAX];  /**< enum umsim_source */
    unsigned char machines[UMSIM_FIGURES_MAX]; /**< how many machines its range is of; 0: no range is known */
    struct umsim_range ranges[UMSIM_FIGURES_MAX]; /**< of a single value; a curve has its own */
    /** @} */
};

/**
 * Loads the profile called `name_or_path`. A name with a '/' or ending in ".json" is a path; any other is
 * looked for as DIR/NAME.json in each of the `count` folders of `dirs`, in order. A file may name a base
 * profile (looked for beside it, then in `dirs`), whose figures it then replaces one by one.
 *
 * @param[out] profile filled on success, unspecified on failure
 * @param[out] error   one line without newline on failure, naming the file and the key, e.g.
 *                     `tiny.json: costs.malloc_device: points: sizes must rise (point 2)`
 * @return 0, or -1 with `error` set (file missing or unreadable, not JSON, unknown key, missing key, wrong
 * type, wrong unit, negative or out of range, base missing or circular).
 */
int umsim_profile_load(const char *name_or_path, const char *const *dirs, size_t count,
                       struct umsim_profile *profile, char *error, size_t error_size);

/**
 * Loads the profile of a machine's device that has one of its own, as `machine` names it: looked for beside
 * the machine's own file, then in `dirs`. Its group `peers` says nothing here.
 *
 * @param name_or_path what `machine` was loaded as
 * @param device       1 to machine->other_count
 * @return 0, or -1 with `error` set: as above, or what the two may not differ in
 */
int umsim_profile_load_other(const char *name_or_path, const char *const *dirs, size_t count,
                             const struct umsim_profile *machine, unsigned device,
                             struct umsim_profile *profile, char *error, size_t error_size);

/** One figure of a profile, for listings: `umlab doctor`, the docs, the tests. */
struct umsim_figure {
    const char *group; /**< "attributes", "capacity", "costs" or "peers" */
    const char *key;
    const char *
        unit; /**< "us", "ns", "GB/s", "bytes", "count", "kHz", "bits"; the unit that the file has to state */
    enum umsim_source source;
    const struct umsim_curve *curve; /**< NULL for a single value */
    double value;                    /**< the value, when `curve` is NULL (exact: integers stay below 2^53) */
    unsigned machines;               /**< how many machines the range is of; 0: there is none */
    struct umsim_range range;        /**< of the value; a curve has that of its points */
};

/** How many devices the machine has: at least 1. */
unsigned umsim_profile_devices(const struct umsim_profile *profile);

/** The `index`-th figure (0, 1, ...) of `profile`. @return 1, or 0 when there are no more. */
int umsim_profile_figure(const struct umsim_profile *profile, size_t index, struct umsim_figure *out);

#ifdef __cplusplus
}
#endif
#endif
