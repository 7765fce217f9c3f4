/**
 * @file exercise.h
 * @brief Lab 6's exercise: tell the driver what you know about an array's future, and nothing that is not
 * true.
 */
#ifndef LAB6_EXERCISE_H
#define LAB6_EXERCISE_H

#include <stddef.h>
#include <cuda_runtime_api.h>

#include "um_cuda_compat.h"

/** What is going to happen to the array. A round ends with a wait. */
enum lab6_pattern {
    /**
     * The host has written all of it. In several rounds the GPU reads and writes all of it; then the host
     * reads all of it.
     */
    LAB6_GPU_WORKS,
    /** Neither side has touched it. The GPU writes all of it, then goes on as in LAB6_GPU_WORKS. */
    LAB6_GPU_FILLS,
    /**
     * The host has written all of it. In each round the GPU reads all of it, and so does the host; neither
     * writes.
     */
    LAB6_BOTH_READ,
    /** In each round the host writes all of it, and the GPU reads one byte in each 40 KiB. */
    LAB6_GPU_LOOKS,
    /** In each round the host writes all of it, and the GPU reads all of it, once. */
    LAB6_NEW_INPUT,
    /** The host has written all of it. In each round the host reads and writes all of it. The GPU leaves it
       alone. */
    LAB6_HOST_ONLY,
    LAB6_PATTERNS
};

/**
 * Prepares managed memory for what is going to happen to it. Called once, before the rounds; there are no
 * hints later.
 *
 * Allowed hints: cudaMemAdvise and cudaMemPrefetchAsync, as many as needed, in the legacy stream, which the
 * caller uses, too. um_advise() and um_prefetch() of common/um_cuda_compat.h are the same for CUDA 12 and 13.
 * Allowed questions: every call that changes nothing (cudaDeviceGetAttribute, cudaMemGetInfo, ...). Nothing
 * else is allowed: no copies, kernels or allocations, no touch, and no wait, since the caller's kernels
 * follow a prefetch in its stream.
 *
 * What is counted, from prepare() to the end of the last round, for an array of `bytes` bytes. Pages moved
 * count in each direction, and a fault is one of either side:
 *
 * | pattern | to the GPU | to the host | host's faults | GPU's faults | other |
 * |---|---|---|---|---|---|
 * | LAB6_GPU_WORKS, fits | all, once | all, once | of one walk | none | the GPU maps nothing of the host's |
 * | LAB6_GPU_WORKS, larger | at most all, once | at most all, once | up to one walk | none | no eviction |
 * | LAB6_GPU_FILLS | none | all, once | of one walk | none | the same |
 * | LAB6_BOTH_READ | all, once | none | none | none | the same; each page is duplicated at most once |
 * | LAB6_GPU_LOOKS | none | none | none | none | nothing is duplicated |
 * | LAB6_NEW_INPUT | none | none | none | none | nothing is duplicated |
 * | LAB6_HOST_ONLY | none | none | none | none | the GPU maps nothing of the host's |
 *
 * Where the device has less memory free than the array needs, "fits" is not true; cudaMemGetInfo tells. Only
 * LAB6_GPU_WORKS is tested with such arrays. Where concurrentManagedAccess is 0, the driver takes no hints:
 * give none, and succeed.
 *
 * @param p,bytes one whole allocation of cudaMallocManaged; bytes = 0 (p may be NULL): there is nothing to do
 * @return cudaSuccess; else the first error. The only error that may be left for the caller's next
 * cudaGetLastError() is the one that is returned
 */
cudaError_t prepare(void *p, size_t bytes, enum lab6_pattern pattern);

#endif
