/**
 * @file um_counters.h
 * @brief What moved: bytes copied, faults of each side, managed bytes migrated.
 *
 * Rows take these at each um_phase(); call um_counters_now() yourself only for something else. On sim they
 * are the simulator's counts (exact, and the same in each run). On cuda they do not exist yet: all are
 * UM_NONE, except bytes that a lab says it copied. Synchronise first: work that still runs has not been
 * counted.
 */
#ifndef UM_COUNTERS_H
#define UM_COUNTERS_H

#include <stdint.h>

/** Counts. UM_NONE (-1) is one that does not exist. */
struct um_counters {
    int64_t bytes_h2d;          /**< bytes copied host to device by cudaMemcpy and kin */
    int64_t bytes_d2h;          /**< ... device to host */
    int64_t cpu_faults;         /**< faults of host threads on managed memory (UVM: CpuPageFaultCount) */
    int64_t gpu_fault_groups;   /**< groups of GPU faults on managed memory (UVM: GpuPageFaultCount) */
    int64_t bytes_migrated_h2d; /**< managed bytes moved to the device (UVM: BytesXferHtD) */
    int64_t bytes_migrated_d2h; /**< managed bytes moved to the host (UVM: BytesXferDtH) */
    int64_t evictions;          /**< 2 MiB chunks pushed out of full device memory */
    int64_t contended;          /**< 64 KiB regions that both sides touched while a kernel ran */
};

/** Totals since the program started. */
struct um_counters um_counters_now(void);

/** `after` minus `before`, count by count; UM_NONE where either does not exist. */
struct um_counters um_counters_difference(struct um_counters before, struct um_counters after);

/** Adds `more` to `*sum`, count by count; UM_NONE in both stays UM_NONE. */
void um_counters_add(struct um_counters *sum, struct um_counters more);

#endif
