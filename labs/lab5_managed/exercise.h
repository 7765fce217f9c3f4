/**
 * @file exercise.h
 * @brief Lab 5's exercises: port a program to managed memory, find the one place to wait, and predict page
 * faults.
 */
#ifndef LAB5_EXERCISE_H
#define LAB5_EXERCISE_H

#include <stddef.h>
#include <stdint.h>
#include <cuda_runtime_api.h>

#include "kernels.h"
#include "um_page.h"

/** Where a program's numbers come from, what is done with them, and where they go. */
struct lab5_program {
    size_t n;       /**< ints; may be 0 */
    unsigned steps; /**< kernels: each is um_add_one() over all of them; at least 1 */
    /** Writes n ints to x, on the host, as reading a file would. */
    void (*fill)(int *x, size_t n, void *context);
    /** Reads n ints from x, on the host, as writing a file would. */
    void (*use)(const int *x, size_t n, void *context);
    void *context; /**< handed to both */
};

/**
 * fill, `steps` kernels, use: in managed memory.
 *
 * exercise.c has the program as lab 1 would write it: an array on each side, and a copy in each direction.
 * Port it. One array serves both sides, nothing is copied, and the pages move by themselves. Whatever else
 * the copies did, the program now has to do by other means.
 *
 * What is counted, with n and steps not 0:
 * - one managed allocation of n ints; no device, pinned or registered memory, and no copies: neither
 *   cudaMemcpy, nor a related call, nor cudaMemset.
 * - calls that wait (cudaDeviceSynchronize, cudaStreamSynchronize, cudaEventSynchronize): exactly one. Frees
 *   do not count, and asking again and again (cudaStreamQuery) is no way around it.
 * - pages: each goes to the GPU at most once and comes back at most once. The host takes at most the faults
 *   of one walk in order to write, and one to read. Fewer, by prefetching where the device can do that, is
 *   fine.
 * - after an error too, everything that was made is given back, and `use` has not seen wrong numbers.
 *
 * fill and use are called once each, with the whole array. n = 0 succeeds, with or without them. It has to
 * work where concurrentManagedAccess is 0, too (`make lab5 PROFILE=limited`).
 *
 * @return cudaSuccess when `use` has had the right numbers; else the first error
 */
cudaError_t port_to_managed(const struct lab5_program *program);

/**
 * *sum = the sum of all x[i], y[i] and notes[i], after um_add_one() has gone over x and y once each: x in
 * stream `one`, y in stream `other`, so that neither has to wait for the other.
 *
 * x and y are managed; the caller has filled them. `notes` is memory from malloc, which no kernel touches.
 * exercise.c has everything but a wait. Put it in, and move lines where that helps: one wait is enough for
 * both streams, and before it the host can do what needs no wait.
 *
 * What is counted:
 * - calls that wait, for the device, a stream or an event: exactly one, when n is not 0. No queries.
 * - host accesses to x and y while a kernel may run: none.
 * - no copies, no allocations, no prefetches; x and y end as the kernels left them.
 *
 * Errors: the first one is returned. The caller is going to free x and y, so no kernel may still be running
 * when the function returns, if that can be helped.
 *
 * @param sum written when cudaSuccess is returned
 * @param x,y,notes n ints each; n = 0: the sum is 0
 * @param one,other two streams that do not wait for each other, nor for the legacy stream
 */
cudaError_t place_one_sync(int64_t *sum, int *x, int *y, const int *notes, size_t n, cudaStream_t one,
                           cudaStream_t other);

/**
 * How many page faults the host takes when it reads the bytes first, first + stride, first + 2 * stride, ...
 * of one managed allocation, in this order, all that are below `bytes`.
 *
 * No page is in the host's memory at the beginning: either no side has touched them yet, or they are all on
 * the GPU (the faults are the same). The driver gets no hints, and nothing else touches the pages. Its rule
 * (README.md has it in words):
 * - It keeps its state in blocks of 2 MiB. The allocation begins with a block; the last block may be cut, at
 *   the end of the page that holds the last byte: um_page_bytes() says how large pages are here, 4 KiB on
 *   most machines. An allocation below 2 MiB shares a block with other small ones, so its block is a whole
 *   one; this allocation stands at its beginning, and has no neighbours.
 * - A fault brings the aligned 64 KiB around it (the part of them that is in the block).
 * - It then brings the largest aligned piece of 128 KiB, 256 KiB, ... up to 2 MiB around the fault of which,
 *   after that, more than 51% is there. Of a piece that a block's end cuts, only what lies in the block
 *   counts.
 * - What has been brought stays.
 *
 * Forbidden: calls of CUDA. It is arithmetic, and is done before anything is allocated.
 *
 * @param bytes 0: nothing is read
 * @param first may be at or behind the end
 * @param stride at least 1
 */
uint64_t predict_faults(size_t bytes, size_t first, size_t stride);

#endif
