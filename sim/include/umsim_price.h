/**
 * @file umsim_price.h
 * @brief What work on an array costs on the simulated machine, computed without doing the work.
 *
 * A price is built up step by step: the same steps as a program's, in the same order, on one array that
 * exists only in the calculation. The clock's model and the paging policy answer as they would for the
 * program itself.
 *
 *     const struct umsim_profile *machine;
 *     struct umsim_price *price;
 *
 *     if (umsim_price_machine(&machine) != cudaSuccess)
 *         return; // this program is graded
 *     price = umsim_price_begin(machine, UMSIM_PRICE_MANAGED, bytes, free_bytes);
 *     umsim_price_prefetch(price, 0);
 *     for (size_t at = 0; at < bytes; at += 65536)
 *         umsim_price_touch(price, at, true);
 *     struct umsim_price_kernel kernel = {blocks, threads, .reads = bytes, .writes = bytes};
 *     umsim_price_launch(price, &kernel);
 *     umsim_price_synchronize(price);
 *     printf("%g us\n", umsim_price_ns(price) / 1e3);
 *     umsim_price_end(price);
 *
 * All times are nanoseconds of the virtual clock. What the program did before does not count: a price
 * begins with the driver's fault handler asleep, with no other allocation alive, and with the array written
 * by the host. Prices are pure computation: they change neither memory nor clock nor counters. Any thread
 * may ask for them, but only one thread at a time may use one struct umsim_price. Available only with the
 * simulator (`#ifdef UMLAB_SIM`).
 */
#ifndef UMSIM_PRICE_H
#define UMSIM_PRICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <driver_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct umsim_profile;
struct umsim_price;

/**
 * The machine that this program runs on. Starts the simulator, as a call of CUDA does.
 * @param machine lives as long as the program; NULL after an error
 * @return cudaErrorNotPermitted in grading mode, because a program that is graded on its judgement must not
 * ask for the answer; otherwise what a CUDA call returns that cannot start the simulator
 */
cudaError_t umsim_price_machine(const struct umsim_profile **machine);

/** Which memory the array is in. */
enum umsim_price_memory {
    UMSIM_PRICE_PAGEABLE, /**< malloc's; kernels use a copy in device memory (umsim_price_copy()) */
    UMSIM_PRICE_PINNED,   /**< cudaMallocHost's; the same */
    UMSIM_PRICE_MAPPED,   /**< cudaHostAllocMapped: kernels use it in place, over the bus */
    UMSIM_PRICE_MANAGED,  /**< cudaMallocManaged: its pages move */
};

/** @name Prices of single calls @{ */
/**
 * The time to allocate the memory for such an array, and to free it. It covers the host's array and, if there
 * is one, its copy in device memory; but malloc() and free() are taken to cost nothing.
 */
uint64_t umsim_price_memory_ns(const struct umsim_profile *machine, enum umsim_price_memory memory,
                               size_t bytes);
/** cudaHostRegister() and cudaHostUnregister(). */
uint64_t umsim_price_register_ns(const struct umsim_profile *machine, size_t bytes);
/** A cudaMemcpy() of `bytes` bytes to the device, from pinned memory or from pageable. */
uint64_t umsim_price_upload_ns(const struct umsim_profile *machine, bool pinned, size_t bytes);
/** A memcpy() of the host's, within ordinary memory. */
uint64_t umsim_price_host_copy_ns(const struct umsim_profile *machine, size_t bytes);
/** @} */

/**
 * Begins a price: an array of `bytes` bytes (1 or more), written by the host; all managed pages are
 * populated.
 * @param device_bytes of device memory that are free: managed pages are evicted if they do not fit
 * @return to be ended by umsim_price_end(); NULL if the host's memory does not suffice
 */
struct umsim_price *umsim_price_begin(const struct umsim_profile *machine, enum umsim_price_memory memory,
                                      size_t bytes, size_t device_bytes);
void umsim_price_end(struct umsim_price *price);

/** The host's time since the beginning. It does not include what the device still has to do then. */
uint64_t umsim_price_ns(const struct umsim_price *price);

/**
 * @name Steps
 * Each is the host's next call, on the whole array. Advice, prefetches and touches apply to managed memory,
 * and do nothing for other kinds; `device` is 0 or cudaCpuDeviceId.
 * @{
 */
/** cudaMemcpy() between the array and its copy in device memory. */
void umsim_price_copy(struct umsim_price *price, enum cudaMemcpyKind kind);
/** cudaMemAdvise(). Advice that is withdrawn is not modelled. */
void umsim_price_advise(struct umsim_price *price, enum cudaMemoryAdvise advice, int device);
/** cudaMemPrefetchAsync() and a wait for it. */
void umsim_price_prefetch(struct umsim_price *price, int device);
/** The next kernel reads or writes the 64 KiB around byte `offset`. */
void umsim_price_touch(struct umsim_price *price, size_t offset, bool write);

/** What a kernel does. */
struct umsim_price_kernel {
    uint64_t blocks;
    uint32_t threads;       /**< of a block */
    uint64_t reads, writes; /**< bytes of the array that it moves, as umsim_kernel_reads() has them */
    uint64_t device_reads, device_writes; /**< ... and of other memory, which is the device's */
    uint64_t apart;    /**< touches of the array with nothing beside them: each crosses a link by itself */
    double waits;      /**< how often a warp waits for what it reads: of other memory, if it reads such */
    uint32_t barriers; /**< of a block */
    uint32_t slots;    /**< of the schedulers, that a block's instructions take: it has been counted */
};
/** A launch, without a wait for it. It faults on the pages touched since the last launch. */
void umsim_price_launch(struct umsim_price *price, const struct umsim_price_kernel *kernel);
/** cudaDeviceSynchronize(). */
void umsim_price_synchronize(struct umsim_price *price);
/** The host reads or writes all of the array, in order. Its own work takes no time: faults do. */
void umsim_price_host_touches(struct umsim_price *price, bool write);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
