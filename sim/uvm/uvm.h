/**
 * @file uvm.h
 * @brief The paging policy of managed memory: who holds each page, who may touch it, what a fault moves.
 *
 * This is NVIDIA's UVM driver (kernel-open/nvidia-uvm/, release 595) as pure functions over plain state,
 * checked against counts read off an H200 (driver 580, CUDA 13.0). It makes no system call, takes no lock,
 * allocates nothing and knows no process. The caller gives it memory, holds a lock around every call, and
 * turns what it grants into real page protections.
 *
 * The life of a space (one range of managed memory: the managed arena, or a module's `__managed__`
 * variables):
 *
 *     uvm_system_init(system, gpus, linked, chunks);    once: the processors that all spaces share
 *     space = uvm_space_init(memory, system, base, n);  zero-filled memory of uvm_space_bytes(n) bytes
 *     uvm_range_create(space, p, bytes);                cudaMallocManaged
 *     uvm_cpu_fault(space, p, is_write, &delta);        the host touched a page that it is not granted
 *     uvm_gpu_touch(space, gpu, p, is_write, &opening); a running kernel did: only marks (signal handler)
 *     uvm_gpu_replay(space, gpu, &launch, &delta);      that kernel has retired: now its touches are charged
 *     uvm_range_destroy(space, p, bytes);               cudaFree
 *
 * Invariant: uvm_granted() says what a processor may do to a page, and the real protection must never exceed
 * that. The one exception: a running launch may also do what uvm_gpu_touch() opened for it. After a call,
 * uvm_revoked_next() finds what it took away: close those blocks, or narrow them to uvm_grants(). A real
 * fault on a page that is granted already is soft: open uvm_granted_run() and count nothing.
 *
 * Counts are added to a struct uvm_delta: zero it for a phase, or keep it running.
 *
 * The processors are the CPU and some GPUs. What one can reach of another's memory is a table (struct
 * uvm_system): the CPU maps no GPU's memory (x86), each GPU maps the host's, and GPUs with a link between
 * them map each other's. Only one launch is in flight at a time, on whichever GPU.
 *
 * Time serves one purpose: detecting pages that both sides fight over (thrash.c). The caller puts the time
 * into struct uvm_delta; without a time, nothing thrashes.
 *
 * Not modelled:
 *  - throttling of pinned pages because of atomics (revocations)
 *  - access counters
 *  - GPUs that reach each other over PCIe: with the driver, only after the program has enabled peer access
 *  - mappings for the CPU by AccessedBy: it gets its pages by a fault
 *  - who may touch what when, where concurrentManagedAccess is 0 (the caller's task)
 *  - host memory running out
 *  - chunks smaller than 2 MiB (a block with one page on the device holds a whole chunk)
 *  - the GPU's atomics on host memory (they count as writes)
 *
 * The policy knows neither which thread touched a page nor when a fault arrives; warps.h says what is
 * assumed. So bytes and CPU faults are the hardware's. GPU fault groups come near the hardware's
 * (tests/unit/uvm_groups.c), and are too few where device memory is short.
 */
#ifndef UMSIM_UVM_H
#define UMSIM_UVM_H

#include "processors.h"

#include "../include/umsim/page.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Constants ---- */

#define UVM_PAGE_BYTES ((size_t)UMSIM_PAGE_BYTES) /**< PAGE_SIZE: 4096 on x86 */
#define UVM_BIG_PAGE_BYTES                                                                                   \
    ((size_t)64 << 10) /**< UVM_PAGE_SIZE_64K, the GPU's big page (uvm_va_block_types.h) */
#define UVM_VA_BLOCK_BYTES                                                                                   \
    ((size_t)2 << 20) /**< UVM_VA_BLOCK_SIZE, also the eviction unit (uvm_va_block_types.h) */
#define UVM_PAGES_PER_BLOCK ((2 << 20) / UMSIM_PAGE_BYTES) /**< 512 of 4 KiB: PAGES_PER_UVM_VA_BLOCK */
#define UVM_PAGES_PER_BIG_PAGE ((64 << 10) / UMSIM_PAGE_BYTES)
#define UVM_PREFETCH_THRESHOLD                                                                               \
    51 /**< percent, exceeded strictly: UVM_PREFETCH_THRESHOLD_DEFAULT (uvm_perf_prefetch.c) */
#define UVM_FAULT_BATCH_COUNT                                                                                \
    256 /**< faults fetched at once: UVM_PERF_FAULT_BATCH_COUNT_DEFAULT (uvm_gpu_replayable_faults.c) */
#define UVM_FAULT_UPDATE_PUT_RATIO                                                                           \
    50 /**< percent of duplicates in a batch, beyond which what has arrived since is dropped:                \
          UVM_PERF_FAULT_REPLAY_UPDATE_PUT_RATIO_DEFAULT (uvm_gpu_replayable_faults.c) */
/** Faults in the batch that is fetched just after such a drop: they arrive 20 ns apart, and the driver is
 * back within 2 us. This figure is not in the driver; it was measured on an H200 (median 97 to 119 over all
 * shapes of launches). */
#define UVM_FAULTS_FETCHED_EARLY 100
/** Pages of a batch that get write permission, of those that could only be read before, while dozens of warps
 * want it; the others are asked for again. Not in the driver: measured as above (6 to 12 over the shapes). */
#define UVM_UPGRADES_PER_BATCH 9
/** Pages in a batch of a launch of which nothing is known. */
#define UVM_DISTINCT_PAGES_PER_BATCH 104

/** @name Thrashing: defaults of uvm_perf_thrashing.c (an H200's driver has the same in /sys/module) @{ */
#define UVM_THRASHING_THRESHOLD 3      /**< events that make a page a thrashing one: .._THRESHOLD_DEFAULT */
#define UVM_THRASHING_PIN_THRESHOLD 10 /**< throttles before it is pinned: .._PIN_THRESHOLD_DEFAULT */
#define UVM_THRASHING_LAPSE_NS                                                                               \
    UINT64_C(500000) /**< two moves this close are an event: .._LAPSE_USEC_DEFAULT */
#define UVM_THRASHING_NAP_NS                                                                                 \
    (1 * UVM_THRASHING_LAPSE_NS) /**< how long the other side is kept waiting: .._NAP_DEFAULT */
#define UVM_THRASHING_EPOCH_NS                                                                               \
    (2000 * UVM_THRASHING_LAPSE_NS) /**< a block that is quiet for so long is forgiven: .._EPOCH_DEFAULT */
#define UVM_THRASHING_PIN_NS (300 * UVM_THRASHING_LAPSE_NS) /**< how long a pin lasts: .._PIN_DEFAULT */
#define UVM_THRASHING_MAX_RESETS 4             /**< how often a block is forgiven: .._MAX_RESETS_DEFAULT */
#define UVM_THRASHING_TIMER_NS UINT64_C(20000) /**< pins end this much early: TIMER_GRANULARITY_NS */
/** @} */
/**
 * How often a GPU whose fault is refused because its page is throttled faults again (it comes in bursts of 5,
 * which is UVM_PERF_FAULT_MAX_THROTTLE_PER_SERVICE_DEFAULT of uvm_gpu_replayable_faults.c). Not in the
 * driver: the median over the throttles of tests/managed/measured/h200-thrash.jsonl.
 */
#define UVM_THROTTLED_REFAULT_NS UINT64_C(54000)

/* ---- Words ---- */

/** The result of a call. */
enum uvm_status {
    UVM_OK,
    UVM_ALREADY_GRANTED,  /**< a soft fault: nothing changed and nothing was counted */
    UVM_INVALID_ADDRESS,  /**< some page belongs to no live range (or to one already); nothing changed */
    UVM_NO_DEVICE_MEMORY, /**< the device has not one chunk for managed memory; what was done before stays
                             done */
};

/** Why bytes moved (UvmEventMigrationCause, uvm_types.h). */
enum uvm_cause {
    UVM_CAUSE_USER,      /**< cudaMemPrefetchAsync */
    UVM_CAUSE_COHERENCE, /**< a fault on that very page */
    UVM_CAUSE_PREFETCH,  /**< a neighbour's fault: the tree prefetcher brought it along */
    UVM_CAUSE_EVICTION,  /**< device memory was needed */
    UVM_CAUSES
};

/** cudaMemAdvise's advice. */
enum uvm_advice {
    UVM_SET_READ_MOSTLY,
    UVM_UNSET_READ_MOSTLY,
    UVM_SET_PREFERRED_LOCATION,
    UVM_UNSET_PREFERRED_LOCATION,
    UVM_SET_ACCESSED_BY,
    UVM_UNSET_ACCESSED_BY,
};

/** What an observer is told of (named after uvm_types.h's events). */
enum uvm_event_type {
    UVM_EVENT_CPU_FAULT,
    UVM_EVENT_GPU_FAULT,                 /**< one batch: its first page; bytes: of all its pages */
    UVM_EVENT_MIGRATION,                 /**< one contiguous transfer */
    UVM_EVENT_READ_DUPLICATE,            /**< one contiguous run of pages duplicated */
    UVM_EVENT_READ_DUPLICATE_INVALIDATE, /**< one contiguous run of copies dropped, on `processor` */
    UVM_EVENT_MAP_REMOTE,                /**< one contiguous run mapped by `processor`, resident on `from` */
    UVM_EVENT_POPULATE,   /**< one contiguous run populated on `processor`, resident nowhere before */
    UVM_EVENT_EVICTION,   /**< one chunk of one block */
    UVM_EVENT_THRASHING,  /**< ThrashingDetected: a contiguous run of pages; `processor` got them last */
    UVM_EVENT_THROTTLING, /**< `processor` waits for one page, `wait_ns` long */
};

struct uvm_event {
    enum uvm_event_type type;
    enum uvm_processor processor; /**< who faulted; where the pages went, were made, dropped or mapped */
    enum uvm_processor from; /**< of migrations, remote maps, evictions: where the pages are, or were; else
                                  UVM_NO_PROCESSOR */
    enum uvm_cause cause;    /**< of UVM_EVENT_MIGRATION; UVM_CAUSES elsewhere */
    bool is_write;           /**< of faults: at least one was a write */
    uintptr_t address;
    size_t bytes;
    uint64_t wait_ns; /**< of UVM_EVENT_THROTTLING; else 0 */
    uint32_t groups;  /**< of UVM_EVENT_GPU_FAULT: what it adds to gpu_fault_groups */
};

/** How much virtual time passes within one call, so that its later services are later: about what the caller
 * will charge. */
struct uvm_pace {
    uint64_t service_ns; /**< one service of faults */
    uint64_t page_ns;    /**< ... and each page that it moves */
};

/** What one operation did, or many: every function adds to it. All are plain counts; pages are of 4 KiB. */
struct uvm_delta {
    uint64_t cpu_faults; /**< CpuPageFaultCount */
    /** GpuPageFaultCount as CUPTI reports it: of each batch, the faults on its first page */
    uint64_t gpu_fault_groups;
    uint64_t gpu_fault_batches;  /**< fetches of the fault buffer */
    uint64_t gpu_fault_services; /**< VA blocks serviced, summed over batches */
    uint64_t bytes[UVM_DIRECTIONS][UVM_CAUSES];
    uint64_t transfers[UVM_DIRECTIONS][UVM_CAUSES]; /**< contiguous copies, one CUPTI record each */
    uint64_t pages_populated[UVM_PROCESSORS];       /**< first touch: no bytes moved */
    /** pages of blocks that got host memory, where not all pages arrive from the GPU */
    uint64_t host_pages_cleared;
    uint64_t pages_mapped_remotely[UVM_PROCESSORS]; /**< pages newly mapped by this processor, resident on
                                                       another one */
    uint64_t pages_mapped_at_peers[UVM_PROCESSORS]; /**< those of them that are in another GPU's memory */
    uint64_t
        pages_mapped[UVM_PROCESSORS]; /**< pages resident already, newly mapped or given write permission */
    uint64_t pages_mapped_at_home[UVM_PROCESSORS]; /**< those of them that it has itself */
    uint64_t pages_duplicated;                     /**< ReadDuplicate: copied, the source kept */
    uint64_t pages_invalidated;            /**< ReadDuplicateInvalidate: one copy dropped, no bytes moved */
    uint64_t pages_taken_from_peers;       /**< moved from one GPU to another, which lost them */
    uint64_t copies_dropped_at_peers;      /**< those of pages_invalidated that one GPU lost to another */
    uint64_t evictions;                    /**< 2 MiB chunks */
    uint64_t pages_contended;              /**< CPU faults on pages that the launch in flight has touched */
    uint64_t pages_thrashing;              /**< times a page was found to thrash */
    uint64_t throttles[UVM_PROCESSORS];    /**< times a processor was kept from a page */
    uint64_t throttled_ns[UVM_PROCESSORS]; /**< ... and how long it waited */
    uint64_t pages_pinned;                 /**< times a page was pinned */
    uint64_t throttled_groups; /**< those of gpu_fault_groups (and batches) that were refused while waiting */

    uint64_t now_ns;      /**< virtual time; goes on within the call. 0: unknown, and nothing thrashes */
    struct uvm_pace pace; /**< ... at this pace */

    /** Called for each event, in order; may be NULL. No function clears it. */
    void (*observer)(void *context, const struct uvm_event *event);
    void *observer_context;
};

/** Bytes moved one way, whatever the cause. */
static inline uint64_t uvm_delta_bytes(const struct uvm_delta *delta, enum uvm_direction direction)
{
    uint64_t sum = 0;
    for (int cause = 0; cause < UVM_CAUSES; cause++)
        sum += delta->bytes[direction][cause];
    return sum;
}

/** Transfers one way, whatever the cause. */
static inline uint64_t uvm_delta_transfers(const struct uvm_delta *delta, enum uvm_direction direction)
{
    uint64_t sum = 0;
    for (int cause = 0; cause < UVM_CAUSES; cause++)
        sum += delta->transfers[direction][cause];
    return sum;
}

/* ---- State ---- */

/** One bit for each page of a block; bit p of word p / 64. */
struct uvm_mask {
    uint64_t word[UVM_PAGES_PER_BLOCK / 64];
};

struct uvm_space;

/** What is recorded of a page's moves to and fro (page_thrashing_info_t, uvm_perf_thrashing.c). */
struct uvm_thrash_page {
    uint64_t moved_ns;         /**< when it last moved; 0: not since recording began */
    uint64_t throttle_end_ns;  /**< until when one side is kept waiting; 0: neither is */
    uint64_t unpin_ns;         /**< when its pin ends */
    uvm_processors processors; /**< which processors fight over it */
    uvm_processors throttled;  /**< which of them are being kept waiting */
    uint8_t events, throttles;
    uint8_t favoured;  /**< enum uvm_processor: which one is not, in this period; or UVM_NO_PROCESSOR */
    uint8_t pinned_to; /**< enum uvm_processor; UVM_NO_PROCESSOR: not pinned */
};

/** What is recorded of a block's moves (block_thrashing_info_t). */
struct uvm_thrash_block {
    struct uvm_mask thrashing, pinned; /**< a pinned page is a thrashing one */
    uint64_t moved_ns;                 /**< when a page of it last moved */
    uint64_t thrashed_ns;              /**< when a thrashing page of it last moved */
    uint8_t moved_to;                  /**< where it moved */
    uint8_t resets;                    /**< times it was forgiven */
    bool watched;                      /**< its pages have records: it went to and fro within a lapse */
    bool ever_pinned;                  /**< then it is not forgiven */
};

/** A block's 2 MiB of one GPU's memory, in that GPU's used list. */
struct uvm_chunk {
    struct uvm_block *newer, *older; /**< its neighbours, by time of allocation */
    bool is_held;
};

/** One VA block: 2 MiB of virtual addresses. All zeros: nothing lives there. */
struct uvm_block {
    struct uvm_mask valid;                     /**< belongs to a live range */
    struct uvm_mask range_first;               /**< a range starts here, or enters the block (page 0) */
    struct uvm_mask split;                     /**< advice to a part of a range split it before this page */
    struct uvm_mask resident[UVM_PROCESSORS];  /**< several: read-duplicated; none: not populated */
    struct uvm_mask readable[UVM_PROCESSORS];  /**< granted: mapped, locally or remotely */
    struct uvm_mask writable[UVM_PROCESSORS];  /**< granted; always also readable */
    struct uvm_mask read_mostly;               /**< advice, page by page */
    struct uvm_mask preferred[UVM_PROCESSORS]; /**< at most one of them */
    struct uvm_mask accessed_by[UVM_PROCESSORS];
    struct uvm_mask prefetched_to[UVM_PROCESSORS]; /**< last explicit prefetch; at most one of them */
    struct uvm_mask touched_read, touched_write;   /**< by the launch in flight; set with atomics */
    struct uvm_space *space;                       /**< the space of this block; set while it has a chunk */
    struct uvm_chunk chunk[UVM_GPUS_MAX];
    bool has_host_memory; /**< host memory was made for it; it stays while anything in it is live */
    bool continues;       /**< the range at page 0 begins in an earlier block */
    struct uvm_thrash_block thrash;
};

/** A space: a range of managed memory. The arrays follow in the same memory. */
struct uvm_space {
    uintptr_t base; /**< 2 MiB-aligned */
    size_t blocks;
    size_t blocks_end;  /**< no block at or beyond this ever had a valid page */
    size_t blocks_live; /**< blocks with valid pages */
    struct uvm_system *system;
    struct uvm_block *block;             /**< blocks of them, by (address - base) / 2 MiB */
    struct uvm_thrash_page *thrash_page; /**< UVM_PAGES_PER_BLOCK of them for each block */
    uint64_t *pinned;                    /**< one bit a block: some page of it is pinned */
    uint64_t unpin_ns;                   /**< when the first pin ends; 0: there is none */
    uint64_t *touched;                   /**< one bit a block: touched_read or touched_write are not empty */
    uint64_t *fault_free; /**< one bit a block: nothing in it faults; while a launch is replayed */
    uint64_t *revoked[UVM_PROCESSORS]; /**< one bit a block: see uvm_revoked_next() */
    size_t revoked_low[UVM_PROCESSORS], revoked_end[UVM_PROCESSORS]; /**< where set bits can be */
};

/**
 * Says how many chunks of a GPU managed memory may have from now on (cudaMalloc takes some, cudaFree gives
 * them back). When more are in use, the oldest are evicted: call uvm_revoked_next() for every space
 * afterwards.
 */
void uvm_set_device_memory(struct uvm_system *system, enum uvm_processor gpu, uint64_t chunks,
                           struct uvm_delta *delta);

/** Memory that a space of `blocks` blocks needs. Most of it stays untouched until a block is used. */
size_t uvm_space_bytes(size_t blocks);

/**
 * Prepares a space in `memory`: uvm_space_bytes(blocks) bytes, zero-filled, 64-byte-aligned, and, when two
 * processes share it, at the same address in both.
 * @param base 2 MiB-aligned address of its first byte
 * @return the space, which lies at `memory`
 */
struct uvm_space *uvm_space_init(void *memory, struct uvm_system *system, uintptr_t base, size_t blocks);

/* ---- Ranges ---- */

/**
 * Makes a managed allocation live: [address, address + bytes), rounded out to whole pages, resident nowhere,
 * with no advice. Ranges may share a block, never a page.
 * @return UVM_OK, or UVM_INVALID_ADDRESS if it leaves the space or overlaps a live range
 */
enum uvm_status uvm_range_create(struct uvm_space *space, uintptr_t address, size_t bytes);

/** Ends an allocation: all grants of its pages are revoked, its chunks are given back, nothing is copied. */
enum uvm_status uvm_range_destroy(struct uvm_space *space, uintptr_t address, size_t bytes);

/* ---- Grants ---- */

/** Whether the page of `address` belongs to a live range. Async-signal-safe. */
bool uvm_is_valid(const struct uvm_space *space, uintptr_t address);

/** What a processor may do to a page; the real protection must not exceed it. False outside live ranges.
 * Async-signal-safe. */
bool uvm_granted(const struct uvm_space *space, enum uvm_processor processor, uintptr_t address,
                 bool is_write);

/**
 * The longest run of pages around `address`, within its block, that are all granted; so that a soft fault
 * opens much at once. Async-signal-safe.
 * @param[out] start, bytes whole pages; untouched when false is returned
 * @return whether the page itself is granted
 */
bool uvm_granted_run(const struct uvm_space *space, enum uvm_processor processor, uintptr_t address,
                     bool is_write, uintptr_t *start, size_t *bytes);

/** The grants of one block as bits, page by page. */
static inline const struct uvm_mask *uvm_grants(const struct uvm_space *space, enum uvm_processor processor,
                                                size_t block, bool is_write)
{
    return is_write ? &space->block[block].writable[processor] : &space->block[block].readable[processor];
}

/**
 * The lowest block in which `processor` has lost a grant since it was last returned here, or in which a
 * retired launch had opened more than it is granted now. Returning a block clears it.
 * @return false when there is none (left)
 */
bool uvm_revoked_next(struct uvm_space *space, enum uvm_processor processor, size_t *block);

/* ---- Touches by the CPU ---- */

/**
 * The host touched a page. Exactly one CPU fault is counted, unless the page is granted already.
 * @return UVM_OK, UVM_ALREADY_GRANTED, UVM_INVALID_ADDRESS
 */
enum uvm_status uvm_cpu_fault(struct uvm_space *space, uintptr_t address, bool is_write,
                              struct uvm_delta *delta);

/** The host touches a range in order, as a system call does for it. Counts as many faults as that would take.
 */
enum uvm_status uvm_cpu_access(struct uvm_space *space, uintptr_t address, size_t bytes, bool is_write,
                               struct uvm_delta *delta);

/* ---- Touches by a GPU ---- */

/** What a running launch may open. */
struct uvm_opening {
    uintptr_t start; /**< whole pages, within one block */
    size_t bytes;
    bool writable;
    enum uvm_processor at; /**< in whose memory they will be */
};

/**
 * A running kernel touched a page that is not open to it.
 *
 * If the page is granted, nothing is marked, and the opening is the granted run. (Where device memory is
 * short, it is the part of the run in the page's 64 KiB, which is marked.) Otherwise the unit of the page is
 * marked as touched: its 64 KiB (clipped to its range), or the page alone where the fault will move nothing
 * (remote mapping, write permission to a duplicate). It is a unit and not a page, so that the set does not
 * depend on which thread came first.
 *
 * Changes no other state. Async-signal-safe. Any number of threads of any process may call it at once; no
 * other state may change meanwhile.
 *
 * @return UVM_OK (marked), UVM_ALREADY_GRANTED, or UVM_INVALID_ADDRESS (the kernel followed a bad pointer)
 */
enum uvm_status uvm_gpu_touch(struct uvm_space *space, enum uvm_processor gpu, uintptr_t address,
                              bool is_write, struct uvm_opening *opening);

/** Marks whole pages as touched without a fault (a kernel's declared traffic, tests). Granted pages stay
 * unmarked. */
enum uvm_status uvm_gpu_touch_pages(struct uvm_space *space, enum uvm_processor gpu, uintptr_t address,
                                    size_t bytes, bool is_write);

/** Whether the launch in flight has touched the page. Async-signal-safe. */
bool uvm_gpu_touched(const struct uvm_space *space, uintptr_t address);

/** The properties of a launch that decide which faults are under way at once. */
struct uvm_launch {
    uint64_t blocks; /**< of threads */
    uint32_t threads_per_block;
    uint32_t multiprocessors;
    uint32_t blocks_at_once; /**< thread blocks that one multiprocessor holds */
    uint64_t touches;        /**< of managed memory, by all threads, as far as it declared them; 0: unknown */
};

/**
 * Charges a GPU for what its launch that has just retired touched in this space, and clears the marks. The
 * order depends on the marks and the launch alone, not on which thread set a mark when.
 * @param launch NULL: nothing is known of it; pages are then asked for in order of their addresses, each once
 */
enum uvm_status uvm_gpu_replay(struct uvm_space *space, enum uvm_processor gpu,
                               const struct uvm_launch *launch, struct uvm_delta *delta);

/** A copy engine or cudaMemset touches a range. It is charged like a launch that touches all of it and
 * retires. */
enum uvm_status uvm_gpu_access(struct uvm_space *space, enum uvm_processor gpu, uintptr_t address,
                               size_t bytes, bool is_write, const struct uvm_launch *launch,
                               struct uvm_delta *delta);

/* ---- Thrashing ---- */

/** Whether some page's pin has ended by `now_ns`. Cheap: meant to be asked before each launch. */
static inline bool uvm_pins_end(const struct uvm_space *space, uint64_t now_ns)
{
    return space->unpin_ns && space->unpin_ns <= now_ns + UVM_THRASHING_TIMER_NS;
}

/**
 * Ends the pins whose time has come (thrashing_unpin_pages). Remote mappings that exist because of them are
 * revoked, so that the next touch faults and moves the page. Not while a launch is in flight.
 */
void uvm_unpin(struct uvm_space *space, uint64_t now_ns);

/* ---- Prefetch and advice ---- */

/**
 * cudaMemPrefetchAsync: moves (ReadMostly: duplicates) all pages to `destination`, populates what is nowhere,
 * maps them there. All pages must be live.
 */
enum uvm_status uvm_prefetch(struct uvm_space *space, uintptr_t address, size_t bytes,
                             enum uvm_processor destination, struct uvm_delta *delta);

/** Moves a whole range to a device that cannot fault, before a kernel, whatever was advised. All pages must
 * be live. */
enum uvm_status uvm_migrate_range(struct uvm_space *space, enum uvm_processor gpu, uintptr_t address,
                                  size_t bytes, struct uvm_delta *delta);

/**
 * cudaMemAdvise, page by page. Setting AccessedBy maps at once what can be mapped; unsetting ReadMostly drops
 * the duplicates; nothing is copied.
 * @param processor of preferred location and AccessedBy; ignored otherwise
 */
enum uvm_status uvm_advise(struct uvm_space *space, uintptr_t address, size_t bytes, enum uvm_advice advice,
                           enum uvm_processor processor, struct uvm_delta *delta);

/** What cudaMemRangeGetAttribute returns: what holds for *all* pages of a range. */
struct uvm_attributes {
    bool read_mostly;
    enum uvm_processor preferred_location; /**< UVM_NO_PROCESSOR: none, or pages differ */
    uvm_processors accessed_by;
    enum uvm_processor last_prefetch_location; /**< as preferred_location */
};

/** @return UVM_OK or UVM_INVALID_ADDRESS (some page is not live) */
enum uvm_status uvm_get_attributes(const struct uvm_space *space, uintptr_t address, size_t bytes,
                                   struct uvm_attributes *attributes);

/** Pages of the range that are resident on each processor (duplicates count on both). For pictures and
 * tests. */
void uvm_count_resident(const struct uvm_space *space, uintptr_t address, size_t bytes,
                        uint64_t pages[UVM_PROCESSORS]);

#ifdef __cplusplus
}
#endif
#endif
