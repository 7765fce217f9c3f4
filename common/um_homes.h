/**
 * @file um_homes.h
 * @brief Managed memory with two homes: the fastest way for managed data to reach the GPU and come back.
 *
 * One managed allocation migrates. To the GPU that is fast: one cudaMemPrefetchAsync() of all of it. The way
 * back is not: for each 4 KiB the host's page table gets an entry, one after another, and 256 MiB take 11 to
 * 18 ms where the link needs 5. That was measured on H200s, whatever was tried: pieces, streams, threads,
 * touching (tests/copies/measured/).
 *
 * Two managed allocations that stay where they are need no new page table entries. One has its home on the
 * host, and the device may reach it (PreferredLocation = host, AccessedBy = device). The other has its home
 * on the device. A *kernel* copies between them:
 *
 *     struct um_homes x;
 *     UM_TRY(um_homes_create(&x, bytes));
 *     fill(x.host, bytes);                                        // the host's side: an ordinary pointer
 *     UM_TRY(um_copy_by_kernel(x.device, x.host, bytes, stream));           // kernels.h
 *     work<<<...>>>(x.device);
 *     UM_TRY(um_copy_by_kernel(x.host, x.device, bytes, stream));
 *     UM_TRY(cudaStreamSynchronize(stream));                      // now x.host holds it; no page has moved
 *     um_homes_destroy(&x);
 *
 * It has to be a kernel: cudaMemcpy() takes managed memory that is on the host for pageable memory, and
 * copies it through a buffer of its own at a sixth of the speed. The price is memory: each byte is there
 * twice.
 */
#ifndef UM_HOMES_H
#define UM_HOMES_H

#include <stddef.h>
#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Two managed allocations of `bytes` bytes. Both pointers are valid on both sides; each is fast on its own
 * side.
 */
struct um_homes {
    void *host, *device;
    size_t bytes;
};

/**
 * Makes a pair for the current device. Several threads make the host's pages at once: a page that a kernel
 * touches first would be made by its fault.
 * @param bytes 0 gives two NULLs
 * @return cudaErrorInvalidDevice where host and device cannot use managed memory at the same time
 * (cudaDevAttrConcurrentManagedAccess is 0); else CUDA's own. After an error there is nothing to destroy.
 */
cudaError_t um_homes_create(struct um_homes *homes, size_t bytes);

/** Frees both, and sets them to NULL. It does not wait: synchronise first. */
void um_homes_destroy(struct um_homes *homes);

/** The most threads that um_touch_pages() may start. */
#define UM_TOUCH_THREADS_MAX 32

/**
 * Writes one byte, a 0, to each page of fresh memory, with `threads` host threads at once. Making the pages
 * is what takes the time: 256 MiB of managed memory took 77 ms with one thread and 17 ms with 16 (measured on
 * an H200's host with 16 cores).
 * @param threads 1 to UM_TOUCH_THREADS_MAX; 0: as many as there are cores, 16 at most
 */
void um_touch_pages(void *memory, size_t bytes, int threads);

#ifdef __cplusplus
}
#endif
#endif
