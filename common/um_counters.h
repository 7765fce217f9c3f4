/**
 * @file um_counters.h
 * @brief Counts what moved: bytes copied, page faults of each side, managed bytes migrated.
 *
 * Rows read these counters at each um_phase(); call um_counters_now() yourself only for other purposes.
 * Synchronise first: work that is still running has not been counted.
 *
 * On sim the counts are the simulator's: exact, and the same in each run. On cuda the counts of managed
 * memory come from CUPTI (um_cupti.h), and bytes copied are what the lab reports. CUPTI loses records in
 * floods of faults. Where that may have happened, the managed counts of the phase are UM_NONE: no count is
 * better than one that is too low.
 */
#ifndef UM_COUNTERS_H
#define UM_COUNTERS_H

#include <stdint.h>

/** Counts. A count that does not exist is UM_NONE (-1). */
struct um_counters {
    int64_t bytes_h2d;          /**< bytes copied host to device by cudaMemcpy and related calls */
    int64_t bytes_d2h;          /**< ... device to host */
    int64_t cpu_faults;         /**< faults of host threads on managed memory (UVM: CpuPageFaultCount) */
    int64_t gpu_fault_groups;   /**< groups of GPU faults on managed memory (UVM: GpuPageFaultCount) */
    int64_t bytes_migrated_h2d; /**< managed bytes moved to the device (UVM: BytesXferHtD) */
    int64_t bytes_migrated_d2h; /**< managed bytes moved to the host (UVM: BytesXferDtH) */
    int64_t evictions;          /**< 2 MiB chunks pushed out of full device memory */
    int64_t contended;          /**< 64 KiB regions that both sides touched while a kernel ran */
    int64_t bytes_user;         /**< managed bytes moved, either way: by cudaMemPrefetchAsync */
    int64_t bytes_coherence;    /**< ... because that page was touched */
    int64_t bytes_prefetch;     /**< ... because a neighbour was */
    int64_t bytes_eviction;     /**< ... because device memory was needed */
    int64_t
        thrashing; /**< times the driver found a page moving to and fro too often (UVM: ThrashingDetected) */
    int64_t throttles;   /**< times the driver kept one side waiting for such a page (UVM: Throttling) */
    int64_t remote_maps; /**< 4 KiB pages that one side mapped in the other's memory (UVM: MapRemote) */
    int64_t bytes_d2d;   /**< bytes copied between devices, or within one, by cudaMemcpy and related calls */
    int64_t bytes_migrated_d2d; /**< managed bytes moved from one device to another (UVM: BytesXferDtD) */
    int64_t lost;               /**< times that records may have been lost; never UM_NONE */
};

/** Counters of which none exists. */
extern const struct um_counters um_no_counters;

/** Totals since the program started. */
struct um_counters um_counters_now(void);

/**
 * `after` minus `before`, count by count. A count is UM_NONE where either of the two does not exist, or where
 * records may have been lost.
 */
struct um_counters um_counters_difference(struct um_counters before, struct um_counters after);

/**
 * Adds `more` to `*sum`, count by count. A count that is UM_NONE in both stays UM_NONE, and so does a count
 * where records may have been lost.
 */
void um_counters_add(struct um_counters *sum, struct um_counters more);

#endif
