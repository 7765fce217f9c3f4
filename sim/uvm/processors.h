/**
 * @file processors.h
 * @brief The processors that hold managed pages: the CPU and some GPUs, and what each reaches of the others'
 * memory.
 */
#ifndef UMSIM_UVM_PROCESSORS_H
#define UMSIM_UVM_PROCESSORS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define UVM_GPUS_MAX 8

/** A processor, also as a location of pages. UVM_GPU is the first GPU; uvm_gpu() has the others. */
enum uvm_processor { UVM_CPU, UVM_GPU, UVM_NO_PROCESSOR = 1 + UVM_GPUS_MAX };
#define UVM_PROCESSORS (1 + UVM_GPUS_MAX)

/** The processor that a device is. */
static inline enum uvm_processor uvm_gpu(unsigned device)
{
    return (enum uvm_processor)(UVM_GPU + device);
}

static inline bool uvm_is_gpu(enum uvm_processor processor)
{
    return processor >= UVM_GPU && processor < UVM_NO_PROCESSOR;
}

/** The device that a GPU is. */
static inline unsigned uvm_device_of(enum uvm_processor gpu)
{
    return (unsigned)gpu - UVM_GPU;
}

/** A set of processors, a bit each. */
typedef uint16_t uvm_processors;

static inline uvm_processors uvm_bit(enum uvm_processor processor)
{
    return (uvm_processors)(1u << processor);
}

/** Which way bytes moved (BytesXferHtD, BytesXferDtH; between devices, over their link). */
enum uvm_direction { UVM_HTOD, UVM_DTOH, UVM_DTOD, UVM_DIRECTIONS };

static inline enum uvm_direction uvm_direction_of(enum uvm_processor from, enum uvm_processor to)
{
    return to == UVM_CPU ? UVM_DTOH : from == UVM_CPU ? UVM_HTOD : UVM_DTOD;
}

struct uvm_block;

/** The memory of one GPU that managed pages may take. */
struct uvm_device {
    uint64_t chunks;      /**< how many 2 MiB chunks managed memory may have now */
    uint64_t chunks_used; /**< never more than that after a call returns */
    struct uvm_block *oldest, *newest;
    /** set by the caller: a launch may evict pages that it is going to touch, so that its touches of granted
     * pages matter, too. All its pages have to be closed before. */
    bool is_short;
};

/** The processors and their memory, shared by all spaces. */
struct uvm_system {
    unsigned processors; /**< the CPU and the GPUs: the arrays' first so many are used */
    /** for each processor: whose memory it can map. That is also whose memory a GPU copies from by itself;
     * between other GPUs pages go by the host's memory */
    uvm_processors reach[UVM_PROCESSORS];
    /** for each: who reaches its memory as fast as its own, atomic operations included (has_fast_link and
     * has_native_atomics, uvm_va_space.h) */
    uvm_processors fast[UVM_PROCESSORS];
    uint8_t closest[UVM_PROCESSORS][UVM_PROCESSORS]; /**< all processors, the closest first: itself */
    struct uvm_device device[UVM_GPUS_MAX];
    uint64_t host_pages;               /**< live pages of blocks that have host memory */
    uint32_t distinct_pages_per_batch; /**< UVM_DISTINCT_PAGES_PER_BATCH; 1 to UVM_FAULT_BATCH_COUNT */
};

/** What lies between the GPUs of a system. */
enum uvm_link {
    UVM_NO_LINK,      /**< none reaches another's memory */
    UVM_LINK,         /**< each maps each other's memory */
    UVM_LINK_ATOMICS, /**< ... and has atomic operations there */
};

/**
 * Prepares the processors: the CPU and some GPUs.
 * @param gpus   1 to UVM_GPUS_MAX
 * @param chunks 2 MiB chunks of each GPU that are free for managed memory
 */
void uvm_system_init(struct uvm_system *system, unsigned gpus, enum uvm_link link, uint64_t chunks);

#ifdef __cplusplus
}
#endif
#endif
