/**
 * @file exercise.h
 * @brief Lab 2's exercise: say what kind of memory an address belongs to, and whether the host may read it,
 * without trying.
 *
 * `make lab2` tries: it reads under a signal handler, and launches kernels that fail. A library that is
 * handed a pointer cannot do that. It has to ask.
 */
#ifndef LAB2_EXERCISE_H
#define LAB2_EXERCISE_H

#include <stdbool.h>
#include <stddef.h>

/** What kind of memory an address belongs to. */
enum lab2_kind {
    LAB2_NO_ANSWER, /**< CUDA could not say */
    LAB2_PLAIN,     /**< CUDA does not know it: the host's own memory, or no memory */
    LAB2_PINNED, /**< host memory that the GPU can reach: cudaMallocHost, cudaHostAlloc, cudaHostRegister */
    LAB2_DEVICE, /**< the GPU's: cudaMalloc */
    LAB2_MANAGED /**< cudaMallocManaged */
};

/**
 * What kind of memory the byte at `p` belongs to. Any address is allowed: into the middle of an allocation,
 * past its end, freed, NULL.
 *
 * What is counted: host accesses that fault, pages that move, copies, launches, waits and allocations, all of
 * which have to be 0. A function that asks about memory must not change that memory.
 *
 * Errors: when CUDA does not answer, return LAB2_NO_ANSWER, and do not leave the error of that call for the
 * caller's next cudaGetLastError(). An error that was pending before the call is not this function's: where
 * CUDA answers, it stays.
 */
enum lab2_kind classify(const void *p);

/**
 * Whether the host may read the n bytes from `p` on, all of them, now: whether a loop over them would finish
 * without a signal. n = 0 is yes, wherever `p` points; n bytes that would run past the last address are no.
 *
 * Memory that CUDA does not know is often readable, and sometimes not: ask the host's page table, which
 * um_mapping_of() of common/um_fault.h reads in /proc/self/maps. But that only shows the state at this
 * moment. A managed page that is on the GPU has no permission there, and yet the host may read it: it moves.
 * The host may read all of a managed allocation, none of a cudaMalloc'd one, and otherwise what the page
 * table or CUDA vouches for and no more: bytes past an allocation's end are not its bytes.
 *
 * Forbidden: touching the memory, even under a signal handler, for a touch moves managed pages
 * (um_probe_read() of the same file is such a touch). What is counted: as above. Errors: as above; where CUDA
 * does not answer, say yes only for what the host's page table vouches for.
 *
 * @param p any address
 */
bool host_may_read(const void *p, size_t n);

#endif
