/**
 * @file cost.h
 * @brief The cost model: how long a call, a copy, a kernel or a fault takes, in nanoseconds of virtual time.
 *
 * To use it: pass a profile's costs and plain counts; get nanoseconds back. All functions are pure: no state,
 * no system call, the same answer every time (IEEE double arithmetic, one rounding to whole nanoseconds at
 * the end).
 *
 * The shape of the model; all constants come from the profile:
 *
 * **Sizes** are priced by tables of (bytes, microseconds). Between two points the price is on the straight
 * line; below the first point it is that point's; above the last it continues the slope of the last line
 * (never falling).
 *
 * **A call** takes the calling host thread's time only. Device work takes an engine's time (timeline.h). A
 * blocking call takes both, see struct umsim_copy_cost.
 *
 * **A kernel** takes `start + max(minimum, device, link, chain) + paging`.
 *
 * `device` has two parts. `blocks` is waves of thread blocks x block_ns, and at least block_start_ns for each
 * block of the grid. `bytes` is one latency, plus all
 * bytes read and written in device memory and in resident managed memory, each divided by its bandwidth: it
 * is one memory, so they add up. While some blocks come and go others move bytes, but the overlap is not
 * perfect: sqrt(blocks^2 + bytes^2) is what an H200 shows, both for kernels of one element a thread and for
 * grid-stride kernels, whose blocks are few.
 *
 * Where accesses were counted (struct umsim_access_work), `bytes` is at least each of these: what passes
 * between the levels of cache, by its bandwidth; the waits of one block for what it reads and for results,
 * times the waves of blocks; atomic operations on one sector, one after another. Beside these go the busiest
 * multiprocessor's passes, a clock each, and its instructions by class (throughput.h). The three overlap
 * nearly altogether: the fourth root of the sum of their fourth powers is what an H200 shows. Such a kernel
 * takes the minimum in addition, since the minimum is a kernel that does nothing. And `link` is at least the
 * pieces that cross it, times what one of them takes.
 *
 * `link` is one latency plus the slowest of three: what is read from host memory (mapped or remote), what is
 * written there, and both together, each by its bandwidth. A kernel that does both writes the last of its
 * waves only after it has read it.
 *
 * `chain` is dependent accesses x latency, added over the kinds of memory: one thread waits for each access.
 *
 * Paging is added, since a kernel whose pages are on their way waits. Caches are not modelled, except that
 * the neighbours of a chain's element come along (umsim_cost_chain_misses()): the bytes are those that miss.
 *
 * **Paging** is a sum of counts x unit costs, and of bytes divided by the migration bandwidth, because the
 * driver services faults one after another. struct umsim_paging_work holds the counts; the policy (sim/uvm)
 * makes them. Two things are not sums. First, host memory is allocated and cleared 2 MiB at a time, in the
 * processor's caches while it is little. Second, a kernel that touches much of each page causes more fault
 * entries than one that touches a word in 64 KiB, though the same pages move: the price of a page grows with
 * the logarithm of how densely the kernel's declared traffic touches it. The first kernel that uses managed
 * memory after a prefetch or advice has mapped pages pays once more: no translation of theirs is known yet.
 *
 * What is left out, and so shows up as error: interference between engines on the link and in host
 * memory, processor frequency, NUMA. tests/unit/model_cost.c prints the error against every measured figure.
 */
#ifndef UMSIM_COST_H
#define UMSIM_COST_H

#include <stddef.h>
#include <stdint.h>
#include "profile.h"
#include "timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Reads a curve: microseconds at `bytes`. See the rules above. */
double umsim_curve_us(const struct umsim_curve *curve, double bytes);

/** Calls that take host time only, whatever their arguments. */
enum umsim_call {
    UMSIM_CALL_START,  /**< a program's first call: it makes the context */
    UMSIM_CALL_LOOKUP, /**< cudaGetLastError, cudaGetDevice, cudaPointerGetAttributes, ... */
    UMSIM_CALL_STREAM_CREATE,
    UMSIM_CALL_STREAM_DESTROY,
    UMSIM_CALL_EVENT_CREATE,
    UMSIM_CALL_EVENT_DESTROY,
    UMSIM_CALL_EVENT_RECORD,
    UMSIM_CALL_QUERY, /**< cudaStreamQuery, cudaEventQuery */
    UMSIM_CALL_STREAM_WAIT_EVENT,
    UMSIM_CALL_HOST_FUNCTION, /**< issuing cudaLaunchHostFunc */
    UMSIM_CALL_SYNCHRONIZE,   /**< from the device's end to the return; call it after advancing to that end */
    UMSIM_CALL_SYNCHRONIZE_IDLE, /**< the same when there was nothing to wait for */
    UMSIM_CALL_MEM_ADVISE,       /**< without its pages: umsim_cost_advice() */
    UMSIM_CALL_LAUNCH,           /**< the host's part of a kernel launch */
    UMSIM_CALLS
};

/** Host time of a call. 0 for a value outside the enumeration. */
uint64_t umsim_cost_call(const struct umsim_costs *costs, enum umsim_call call);

/** Allocation calls, priced by bytes. */
enum umsim_allocation_call {
    UMSIM_MALLOC, /**< cudaMalloc */
    UMSIM_FREE,
    UMSIM_MALLOC_HOST, /**< cudaMallocHost, cudaHostAlloc */
    UMSIM_FREE_HOST,
    UMSIM_MALLOC_MANAGED,
    UMSIM_FREE_MANAGED,
    UMSIM_HOST_REGISTER,
    UMSIM_HOST_UNREGISTER,
    UMSIM_MALLOC_ASYNC,
    UMSIM_FREE_ASYNC,
    UMSIM_ALLOCATIONS
};

/** Host time of an allocation call for `bytes` bytes (for a free: the size of what is freed). */
uint64_t umsim_cost_allocation(const struct umsim_costs *costs, enum umsim_allocation_call call,
                               uint64_t bytes);

/** What the host side of a copy is. Managed memory counts as where it is resident. */
enum umsim_host_memory {
    UMSIM_HOST_PAGEABLE,
    UMSIM_HOST_PINNED,
    UMSIM_HOST_WRITE_COMBINED,
    UMSIM_HOST_PINNED_TO_MANAGED /**< either of the two, and the device's side is managed: slower than the
                                    copy engine, as fast as kernels are on an H200 */
};

/** The small allocations of one kind of memory that are alive: all that has to be known of them. Zero it at
 * the start. */
struct umsim_chunks {
    uint64_t bytes; /**< each rounded up, as in its chunk */
};

/**
 * Host time of an allocation call of device or pinned memory: as umsim_cost_allocation(), but it depends on
 * what else is alive. The driver takes small allocations (up to 1 MiB) out of chunks of 2 MiB. Only an
 * allocation for which a chunk has to be fetched, or the free that leaves one empty, takes the curve's time;
 * the others only search a list. The model assumes that chunks have no holes.
 * @param chunks of this kind of memory; kept up to date
 */
uint64_t umsim_cost_small_allocation(const struct umsim_costs *costs, enum umsim_allocation_call call,
                                     uint64_t bytes, struct umsim_chunks *chunks);

/** Which way a copy goes. */
enum umsim_copy_path {
    UMSIM_COPY_HTOD,
    UMSIM_COPY_DTOH,
    UMSIM_COPY_DTOD,
    UMSIM_COPY_HTOH,
    UMSIM_COPY_MEMSET
};

/**
 * What a copy costs. The time goes like this:
 *
 *     host time t:  [t, t + issue_ns]                 the call; the engine's work is ready at its end
 *     engine:       [start, start + engine_ns]        start >= t + issue_ns, when `engine` is free
 *     host again:   max(t + issue_ns, engine end + return_ns) if host_waits, else t + issue_ns
 *
 * On an idle device a waiting copy thus takes issue + engine + return: the figure that the profile's table
 * holds. `host_waits` is CUDA's documented rule, not a choice: a synchronous copy that involves the host
 * waits, except a pageable host-to-device copy of up to pageable_staged_bytes, which returns once staged; a
 * device-to-device copy does not; asynchronous copies of pinned memory do not; asynchronous copies of
 * pageable memory do, with the same exception.
 */
struct umsim_copy_cost {
    enum umsim_engine engine; /**< UMSIM_ENGINE_NONE for host to host: then issue_ns is all of it */
    uint64_t issue_ns;
    uint64_t engine_ns;
    uint64_t return_ns;
    int host_waits;
    uint64_t held_ns; /**< the call holds the host so long behind issue_ns, while the engine works already */
};

/**
 * Costs of copying (or setting) `bytes` bytes.
 * @param host  the memory on the host's side; ignored for device to device, host to host and memset
 * @param async the call is one of the Async kind
 */
struct umsim_copy_cost umsim_cost_copy(const struct umsim_costs *costs, enum umsim_copy_path path,
                                       enum umsim_host_memory host, uint64_t bytes, int async);

/** How a copy between devices is asked for. */
struct umsim_peer_copy {
    uint64_t bytes;
    int by_host; /**< without peer access: through the host's memory */
    int pulled;  /**< in a stream of the device that gets the data */
    int async;
};

/** Costs of copying from a device to another one. As within a device, no call waits. */
struct umsim_copy_cost umsim_cost_copy_to_peer(const struct umsim_costs *costs,
                                               const struct umsim_peers *peers,
                                               const struct umsim_peer_copy *copy);

/** What an allocation of `bytes` bytes that a peer reaches costs in addition, once for each such peer. */
uint64_t umsim_cost_peer_mapping(const struct umsim_peers *peers, enum umsim_allocation_call call,
                                 uint64_t bytes);

/** Memory that a kernel reaches, by where its bytes are. */
enum umsim_memory_kind {
    UMSIM_MEMORY_DEVICE,           /**< cudaMalloc, __device__ */
    UMSIM_MEMORY_MAPPED,           /**< pinned host memory, read in place */
    UMSIM_MEMORY_MANAGED_RESIDENT, /**< managed pages on the device (after the migration that `paging` prices)
                                    */
    UMSIM_MEMORY_MANAGED_REMOTE,   /**< managed pages in host memory, mapped by the device */
    UMSIM_MEMORY_PEER,             /**< another device's memory, over the link between devices */
    UMSIM_MEMORY_CACHE,            /**< a multiprocessor's cache: dependent accesses only, no bytes */
    UMSIM_MEMORY_KINDS
};

/** What a kernel does to one kind of memory. Several entries may name the same kind: they add up. */
struct umsim_traffic {
    enum umsim_memory_kind kind;
    uint64_t bytes_read;
    uint64_t bytes_written;
    uint64_t dependent_accesses; /**< longest chain of accesses of which each needs the last one's value */
};

/**
 * How many of a chain's dependent accesses reach memory, when all of the chain is in `extent` bytes. What is
 * fetched for one access (64 bytes of device memory, 32 over the link) is there for its neighbours, whose
 * accesses then count as UMSIM_MEMORY_CACHE. If the extent is too small to hold a link for each access, it is
 * taken to be incomplete, and all accesses reach memory.
 */
uint64_t umsim_cost_chain_misses(enum umsim_memory_kind kind, uint64_t accesses, uint64_t extent);

/** What paging took place, as counts; for one host touch, one kernel, one prefetch or one copy. */
struct umsim_paging_work {
    uint64_t cpu_faults;
    uint64_t gpu_fault_groups; /**< as CUPTI reports them; they vary, and cost nothing by themselves */
    uint64_t gpu_fault_batches;
    uint64_t gpu_fault_services; /**< VA blocks serviced, summed over batches */
    uint64_t bytes_htod;         /**< managed bytes moved to the device */
    uint64_t bytes_dtoh;         /**< ... to the host, evictions included */
    uint64_t transfers_htod;     /**< contiguous runs that the bytes went in */
    uint64_t transfers_dtoh;
    uint64_t bytes_dtod; /**< ... from one device to another, over the link between them */
    uint64_t transfers_dtod;
    uint64_t host_pages_populated;   /**< 4 KiB pages of host memory populated, resident nowhere before */
    uint64_t host_pages_cleared;     /**< 4 KiB pages of host memory allocated in whole blocks, and cleared */
    uint64_t host_bytes;             /**< managed bytes that have host memory, now */
    uint64_t device_pages_populated; /**< 4 KiB pages of device memory newly taken: first touch, or migration
                                        there */
    uint64_t remote_pages_mapped;    /**< 4 KiB pages of host memory mapped by the device on a fault */
    uint64_t peer_pages_mapped;      /**< ... of another device's memory */
    uint64_t home_pages_mapped; /**< ... that it had already, mapped or given write permission by a fault */
    uint64_t pages_taken_from_peers;  /**< 4 KiB pages that moved from one device to another */
    uint64_t peer_copies_invalidated; /**< those of pages_invalidated that another device had */
    const struct umsim_peers *peers;  /**< NULL: there is one device, and none of these */
    uint64_t pages_invalidated;       /**< 4 KiB duplicates that a GPU's write ended */
    uint64_t evictions;               /**< 2 MiB chunks */
    uint64_t throttled_ns;            /**< time waited for pages that both sides fight over */
    int prefetch;                     /**< by cudaMemPrefetchAsync, not by faults */
    int fresh; /**< of a kernel: pages were mapped for the device since the last one, by a prefetch or advice
                */
    int first; /**< the program's first CPU fault, or GPU faults that find the driver's handler asleep */
};

/**
 * The driver's handler of GPU faults: a thread of the host's kernel. When it has had nothing to do for a
 * while, its core is halted, and the next fault waits until the core is awake. Zero it at the start: asleep.
 */
struct umsim_handler {
    uint64_t awake_until_ns;
};

/** Whether GPU faults at `now_ns` find it asleep: struct umsim_paging_work's `first`. */
int umsim_handler_sleeps(const struct umsim_handler *handler, uint64_t now_ns);

/** Notes that the handler has served faults until `end_ns`. */
void umsim_handler_served(struct umsim_handler *handler, const struct umsim_costs *costs, uint64_t end_ns);

/** What advice costs in addition to the call, for the pages that it write-protects and those that it maps. */
uint64_t umsim_cost_advice(const struct umsim_costs *costs, uint64_t pages_protected, uint64_t pages_mapped);

/** What freeing a managed allocation costs in addition to the call, for the 4 KiB pages of host memory that
 * it had. */
uint64_t umsim_cost_release(const struct umsim_costs *costs, uint64_t host_pages);

/** How long the host thread waits in faults of its own (CPU faults: service, population, bytes and
 * transfers).
 */
uint64_t umsim_cost_cpu_faults(const struct umsim_costs *costs, const struct umsim_paging_work *work);

/** How long a copy engine that faults waits for its pages. For kernels umsim_cost_kernel() includes this,
 * since it knows how densely they touch. */
uint64_t umsim_cost_gpu_faults(const struct umsim_costs *costs, const struct umsim_paging_work *work);

/**
 * A prefetch: as a copy (see struct umsim_copy_cost) that the host does not wait for. The byte counts tell
 * the direction; when both are 0, only population and the call itself cost.
 * @param bytes   what the call asks for, whether there already or not
 * @param to_host where the prefetch goes; picks the engine
 */
struct umsim_copy_cost umsim_cost_prefetch(const struct umsim_costs *costs, uint64_t bytes,
                                           const struct umsim_paging_work *work, int to_host);

/** How many touches of single words would move as many bytes: a read fetches two sectors of 32 bytes, a write
 * one. */
uint64_t umsim_cost_touches(uint64_t bytes_read, uint64_t bytes_written);

/** How many blocks of so many threads, with so much shared memory, one multiprocessor holds at once: at
 * least 1. Registers are not counted. */
uint32_t umsim_cost_blocks_at_once(const struct umsim_attributes *attributes, uint64_t threads_per_block,
                                   uint64_t shared_bytes_per_block);

/** A write that crosses the link, where a line has few: beside reads' pieces it takes this part of one. */
#define UMSIM_FEW_WRITES 0.75

/** What was counted of a kernel's accesses, beside the bytes that memory moves. Zero: not known. */
struct umsim_access_work {
    uint64_t cache_bytes;             /**< between the levels of cache */
    uint64_t passes;                  /**< of all multiprocessors over lines and shared memory */
    double far_reads, far_writes;     /**< pieces that cross the link one by one */
    uint64_t rounds, missed;          /**< of each block: waits for what is read, 1024 for each; those of them
                                         for which the first level of cache does not have it */
    uint64_t near;                    /**< those of these for which the second level has it */
    uint64_t far;                     /**< ... for which it comes over the host's link */
    uint64_t peer;                    /**< ... for which it comes from another device */
    uint64_t same_address, same_line; /**< atomic operations on one address; requests of them on one line */
    double peer_reads, peer_writes;   /**< packets that are read and written in other devices' memory */
    uint64_t peer_queue;              /**< requests of atomic operations there that wait for each other */
    uint64_t slots;                   /**< of schedulers: an instruction of a warp takes one or several */
    uint64_t special;                 /**< ... of their units for special functions */
    uint64_t chain;                   /**< of each block: clocks in which each result needs the one before */
    uint64_t touches;                 /**< of managed memory, as umsim_cost_touches() has them */
};

/** What decides a kernel's time. */
struct umsim_kernel_work {
    uint64_t blocks;
    uint64_t threads_per_block;
    uint64_t shared_bytes_per_block;
    const struct umsim_traffic *traffic; /**< `traffic_count` entries; NULL if 0 */
    size_t traffic_count;
    const struct umsim_paging_work *paging; /**< NULL: none */
    const struct umsim_peers *peers;        /**< NULL: no traffic is UMSIM_MEMORY_PEER */
    struct umsim_access_work accesses;
};

/**
 * How long a kernel occupies the compute engine: from its turn on the engine (launch_start_us included) to
 * its end. The host's part is umsim_cost_call(UMSIM_CALL_LAUNCH).
 * @param attributes of the profile: how many blocks fit at once
 */
uint64_t umsim_cost_kernel(const struct umsim_costs *costs, const struct umsim_attributes *attributes,
                           const struct umsim_kernel_work *work);

/** What a kernel's time is made of (this file's beginning). */
enum umsim_term {
    UMSIM_TERM_START,      /**< of any launch */
    UMSIM_TERM_LEAST,      /**< what the smallest kernel takes */
    UMSIM_TERM_BLOCKS,     /**< starting blocks */
    UMSIM_TERM_MEMORY,     /**< bytes of device memory */
    UMSIM_TERM_CACHES,     /**< bytes between the levels of cache */
    UMSIM_TERM_PASSES,     /**< lines that requests ask for, shared memory's banks */
    UMSIM_TERM_ARITHMETIC, /**< instructions, by their class */
    UMSIM_TERM_WAITS,      /**< warps that wait for what they read, and for results */
    UMSIM_TERM_ATOMICS,
    UMSIM_TERM_CHAIN,  /**< declared accesses that depend on each other */
    UMSIM_TERM_LINK,   /**< bytes over the link */
    UMSIM_TERM_PIECES, /**< ... piece by piece */
    UMSIM_TERM_PAGING,
    UMSIM_TERMS
};

struct umsim_terms {
    double ns[UMSIM_TERMS]; /**< each by itself */
    double peer_in_ns,
        peer_out_ns; /**< of UMSIM_TERM_LINK: data that come from other devices, that go to them */
};

/** The same, and what each term comes to. */
uint64_t umsim_cost_kernel_terms(const struct umsim_costs *costs, const struct umsim_attributes *attributes,
                                 const struct umsim_kernel_work *work, struct umsim_terms *terms);

/** How long an event record takes in its stream; it reads the time at the end of that. It occupies no engine.
 */
uint64_t umsim_cost_event_device(const struct umsim_costs *costs);

/** From when a host function is next in its stream to its first instruction. */
uint64_t umsim_cost_host_function_start(const struct umsim_costs *costs);

/** One host thread copies (writes) `bytes` bytes of populated memory with memcpy (memset). */
uint64_t umsim_cost_host_memcpy(const struct umsim_costs *costs, uint64_t bytes);
uint64_t umsim_cost_host_memset(const struct umsim_costs *costs, uint64_t bytes);

#ifdef __cplusplus
}
#endif
#endif
