/**
 * @file exercise.h
 * @brief Lab 9's exercises: choose the memory for a workload, and copy ordinary memory faster than cudaMemcpy
 * does.
 */
#ifndef LAB9_EXERCISE_H
#define LAB9_EXERCISE_H

#include <stddef.h>
#include <cuda_runtime_api.h>

#include "workload.h"

/** A time that grows with the bytes: a fixed part, and microseconds for each MiB (1,048,576 bytes). */
struct lab9_line {
    double us, us_per_mib;
};

/**
 * A machine, by what was measured on it. `make lab9` prints these figures of yours, as its rows have them.
 * What all kinds have in common (launches, waits for kernels) is not among them: it decides nothing.
 */
struct lab9_machine {
    /** @name Getting memory and giving it back, by the array's bytes @{ */
    struct lab9_line pinned_memory;  /**< the host's, by cudaMallocHost or cudaHostAlloc */
    struct lab9_line device_memory;  /**< cudaMalloc's; a kind that copies needs it beside the host's */
    struct lab9_line managed_memory; /**< cudaMallocManaged's; malloc's takes no time */
    /** @} */
    /** @name Moving the whole array once, one way; both ways take alike @{ */
    struct lab9_line pageable_copy, pinned_copy; /**< cudaMemcpy, from or to memory of either kind */
    struct lab9_line prefetch;                   /**< cudaMemPrefetchAsync, and a wait for it */
    /** @} */
    /** the advice that a job begins with, by the array's bytes (LAB9_STAY's, which maps no page, is free) */
    struct lab9_line advice;
    /** @name Kernels: for each MiB that one reads, from the device's memory or over the bus @{ */
    /**
     * A float fetches up to 64 bytes around it, of which neighbours have their share. A kernel that writes as
     * well takes as long: what it writes goes the other way meanwhile.
     */
    double near_us_per_mib, far_us_per_mib;
    /** @} */
};

/**
 * Which kind of memory takes the least time for a workload on a machine.
 *
 * The time is that of allocating and freeing the memory, and of workload->jobs jobs, as play.c does them.
 * Each job includes copies, prefetches and advice, kernels, and the host's faults. Filling the array is not
 * counted. `make lab9` shows all of it, `alloc` and `work`, at any size (`--size`); it also scores your rule
 * on the workloads of its own table.
 *
 * What is counted: the time that your choices take against that of the best choices, for machines and
 * workloads that you do not know. Each question is about another machine: a figure may be four times that of
 * the course's machine, or a quarter. Workloads have 4 KiB to 32 MiB, strides of 1 to 4096 floats, 1 to 64
 * passes, 1 to 16 rounds, 1 to 1000 jobs. Some arrays are larger than the device's free memory: there only
 * LAB9_MAPPED works, and LAB9_ADVISED (lab9_advice() leaves such arrays where they are). LAB9_MANAGED is the
 * best nowhere: it moves what a prefetch moves, and faults come on top. One of two kinds that take about the
 * same time is as good as the other.
 *
 * Forbidden: calls of CUDA. It is a decision, made before any time is spent.
 */
enum lab9_kind choose(const struct lab9_workload *workload, const struct lab9_machine *machine);

/** How pipelined_copy() has to copy. */
struct lab9_pipe {
    int buffers;  /**< pinned ones, 1 to LAB9_BUFFERS_MAX */
    size_t chunk; /**< bytes of each; 1 or more */
    size_t small; /**< copies below this are cudaMemcpy's own */
    /**
     * memcpy() for the host's part of the work. The simulator's clock does not see the host's own loops, so
     * there it also reports how long the copy took.
     */
    void (*host_copy)(void *to, const void *from, size_t bytes);
};

#define LAB9_BUFFERS_MAX 8

/**
 * Copies ordinary (malloc's) memory to the device or from it, as cudaMemcpy does, through a few small pinned
 * buffers, with one host thread.
 *
 * The data is cut into chunks, and the buffers are used in turn: while the copy engine has one, the host
 * fills or empties another. pipe->host_copy moves data between the user's memory and the buffers,
 * cudaMemcpyAsync between the buffers and the device. (um_pipe.h does so with several threads; a graded
 * program may not start any.)
 *
 * As with cudaMemcpy, the copy begins after all that was queued in the legacy stream, and when the function
 * returns, all is done.
 *
 * What is counted, for c = ceil(bytes / chunk) chunks:
 * - bytes: each once by host_copy, each once by the engine of its direction, in c copies; none the other way.
 * - pinned memory, registered memory included: at most buffers * chunk bytes. No device or managed memory.
 * - waits for the whole device (cudaDeviceSynchronize, and calls that imply it, such as cudaFreeHost),
 *   allocations, streams and events: as many for many chunks as for few.
 * - overlap: with two buffers or more, the engine's part hides behind the host's, but for the first or the
 *   last chunk.
 * - a copy of less than pipe->small bytes: one cudaMemcpy, and nothing else is made or copied.
 * - after an error too, everything that was made is given back.
 *
 * @param to,from,bytes as for cudaMemcpy; any address, any number; 0 bytes succeed, and ask nothing of the
 * device
 * @param kind cudaMemcpyHostToDevice or cudaMemcpyDeviceToHost; others are cudaErrorInvalidMemcpyDirection
 * @param pipe buffers or chunk out of range are cudaErrorInvalidValue
 * @return cudaSuccess when all bytes are there; else the first error, and `to` may hold anything
 */
cudaError_t pipelined_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                           const struct lab9_pipe *pipe);

#endif
