/**
 * @file umsim.h
 * @brief What the simulator offers beyond CUDA: its counters, its virtual clock, and what a kernel
 * declares.
 *
 * Programs that also run on a GPU include this only under `#ifdef UMLAB_SIM`. All functions may be called
 * from any host thread; none starts the simulator.
 */
#ifndef UMSIM_H
#define UMSIM_H

#include <stddef.h>
#include <stdint.h>

/** The version of umlab that this header belongs to: that of the file VERSION (tests/lint/version.py compares
 * them). */
#define UMLAB_VERSION "1.0.0"

#ifdef __cplusplus
extern "C" {
#endif

/** Why managed bytes moved (UVM's migration causes). */
enum umsim_cause {
    UMSIM_CAUSE_USER,      /**< cudaMemPrefetchAsync */
    UMSIM_CAUSE_COHERENCE, /**< a fault on that very page */
    UMSIM_CAUSE_PREFETCH,  /**< a neighbour's fault: the driver moved the page along with it */
    UMSIM_CAUSE_EVICTION,  /**< device memory was needed */
    UMSIM_CAUSES
};

/**
 * What has been counted since the program started. Names are those of NVIDIA's UVM driver and CUPTI. Bytes
 * are bytes. For the counts of a part of the program, read it before and after, and subtract.
 * umsim_counters_read() does not wait for work that is under way, so synchronise first.
 */
struct umsim_counters {
    uint64_t
        memcpy_htod_bytes; /**< bytes that copy engines moved host to device (cudaMemcpy and related calls) */
    uint64_t memcpy_dtoh_bytes;   /**< ... device to host */
    uint64_t memcpy_dtod_bytes;   /**< ... within the device */
    uint64_t memcpy_calls;        /**< copies executed */
    uint64_t launches;            /**< kernels executed */
    uint64_t synchronizations;    /**< API calls in which the host waited for the device */
    uint64_t cpu_page_faults;     /**< UVM CpuPageFaultCount: faults of host threads on managed memory */
    uint64_t gpu_fault_groups;    /**< GpuPageFaultCount as CUPTI has it: faults on a batch's first page */
    uint64_t bytes_migrated_htod; /**< UVM BytesXferHtD: managed bytes moved to the device */
    uint64_t bytes_migrated_dtoh; /**< UVM BytesXferDtH: managed bytes moved to the host */
    uint64_t evictions;           /**< 2 MiB chunks moved out of full device memory */
    uint64_t read_duplicates;     /**< 4 KiB pages duplicated because of ReadMostly */
    uint64_t read_duplicates_invalidated; /**< 4 KiB duplicates dropped by a write */
    uint64_t remote_maps;                 /**< 4 KiB pages that a device mapped in host memory, or a peer's */
    uint64_t contended; /**< 64 KiB regions touched by both sides while a kernel ran: the program leaves their
                           order open, and results that depend on it are marked ~ */
    uint64_t bytes_htod_by_cause[UMSIM_CAUSES]; /**< bytes_migrated_htod, by enum umsim_cause */
    uint64_t bytes_dtoh_by_cause[UMSIM_CAUSES]; /**< bytes_migrated_dtoh, by enum umsim_cause */
    uint64_t
        thrashing; /**< UVM ThrashingDetected: times a 4 KiB page was found to move to and fro too often */
    uint64_t throttles;           /**< UVM Throttling: times one side had to wait for such a page */
    uint64_t bytes_migrated_dtod; /**< managed bytes moved from one device to another, over their link */
    uint64_t bytes_dtod_by_cause[UMSIM_CAUSES]; /**< bytes_migrated_dtod, by enum umsim_cause */
};

/** Fills `__out` with the totals so far (zeros before the first CUDA call). */
void umsim_counters_read(struct umsim_counters *__out);

/**
 * The same for one managed allocation, or a module's managed variables: what has been counted since it was
 * made. Copies, launches, synchronisations and `contended` do not belong to an allocation: 0. Small
 * allocations (below 2 MiB) share pages, which move together: each allocation in one 2 MiB block shows the
 * counts of the whole block.
 * @param __p any address within it
 * @return 1; 0 if `__p` is not in living managed memory, and all counts are then 0
 */
int umsim_counters_of(const void *__p, struct umsim_counters *__out);

/** How the warps of kernels have accessed an allocation: counted in programs of `umcc --check=coalescing`. */
struct umsim_accesses {
    uint64_t requests;        /**< instructions of a warp that read or write it */
    uint64_t sectors;         /**< 32-byte sectors that these needed */
    uint64_t bytes_requested; /**< by their threads together */
    uint64_t bytes_moved;     /**< in these sectors */
};

/**
 * What kernels that were waited for have done to the allocation that holds `__p`. In such a program an
 * address is not reused soon after it is freed; if it is, the counts include those of the allocation that was
 * there before.
 * @return 1; 0, and all counts 0, if nothing was counted
 */
int umsim_accesses_of(const void *__p, struct umsim_accesses *__out);

/** The calling thread's virtual time, nanoseconds since the simulator started. 0 before. */
uint64_t umsim_time_ns(void);

/** Lets `__ns` of host work pass on the calling thread's virtual clock. Without it, host loops take no
 * virtual time. */
void umsim_host_work_ns(uint64_t __ns);

/** The same for a memcpy() of `__bytes` bytes by the calling thread, at the profile's `host_memcpy_gbs`. */
void umsim_host_copied(size_t __bytes);

/** Name of the profile in use, e.g. "h200-pcie5". Lives as long as the program. */
const char *umsim_profile_name(void);

/**
 * @name What the next kernel moves
 * Declares that the next kernel that this thread launches reads (writes) `__bytes` bytes of the allocation
 * that holds
 * `__p`. The simulator knows where that memory is. A kernel that declares nothing is costed from the accesses
 * that it, or a launch like it, was counted to make (docs/counting.md). The launch clears the declaration.
 * @{
 */
void umsim_kernel_reads(const void *__p, size_t __bytes);
void umsim_kernel_writes(const void *__p, size_t __bytes);
/** The longest chain of dependent accesses (pointer chase) of the next kernel to the allocation that holds
 * `__p`. Each access costs the latency of that memory. */
void umsim_kernel_chases(const void *__p, size_t __dependent_accesses);
/** @} */

/**
 * Says what an address is, as the fault explanation does, without touching it: "12 bytes into a 4096-byte
 * cudaMalloc allocation".
 * @return the length written (at most `__size - 1`); 0 if the address does not belong to the simulator
 */
size_t umsim_describe(const void *__p, char *__text, size_t __size);

/**
 * Draws where the pages of `__bytes` bytes of managed memory from `__p` on are now, without touching them.
 * The result is a line of at most `__characters` characters, each for an equal slice of whole 4 KiB pages
 * (fewer characters if there are fewer pages). `H` is host, `G` device (of several devices its number), `=`
 * more than one of them (read-duplicated), `.` nowhere yet. A mixed slice shows where most of it is: `h`, `g`
 * (whichever device), `-`, `,`. Work that was not waited for has
 * not moved anything yet, so synchronise first.
 * @param __bytes within one allocation
 * @param __bar space for `__characters` + 1 characters; a 0 follows the last one
 * @return the characters written; 0 if `__p` is not in living managed memory, and `__bar` is then an empty
 * string
 */
size_t umsim_residency(const void *__p, size_t __bytes, char *__bar, size_t __characters);

/**
 * Writes into the trace (UMSIM_TRACE), if there is one, that what follows belongs to a phase of the program;
 * no time passes, and nothing is counted. Phases of different rows may overlap.
 * @param __row what is measured, e.g. "managed: kernel"; 70 characters of each name are kept
 * @param __phase e.g. "kernel"; NULL: the row's phase has ended
 */
void umsim_trace_phase(const char *__row, const char *__phase);

/** Process id of the simulated GPU; 0 before the simulator started. For tests that kill it. */
int umsim_gpu_pid(void);

#ifdef __cplusplus
}
#endif
#endif
