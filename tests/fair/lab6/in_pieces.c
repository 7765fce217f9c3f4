/* fair: prefetches 256 KiB at a time; rules are a table of functions; it looks up where the pages prefer to
 * be */
#include <stdbool.h>
#include <stdint.h>

#include "exercise.h"

#define PIECE ((size_t)256 << 10)

struct array {
    char *p;
    size_t bytes;
    int device;
};

static cudaError_t bring(const struct array *array)
{
    cudaError_t error = cudaSuccess;

    for (size_t at = 0; at < array->bytes && error == cudaSuccess; at += PIECE) {
        const size_t left = array->bytes - at;

        error = um_prefetch(array->p + at, left < PIECE ? left : PIECE, array->device, cudaStreamLegacy);
    }
    return error;
}

static cudaError_t leave(const struct array *array)
{
    cudaError_t error = um_advise(array->p, array->bytes, cudaMemAdviseSetAccessedBy, array->device);

    return error == cudaSuccess
               ? um_advise(array->p, array->bytes, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId)
               : error;
}

static cudaError_t bring_or_leave(const struct array *array)
{
    size_t free_bytes = 0, all_bytes = 0;
    const cudaError_t error = cudaMemGetInfo(&free_bytes, &all_bytes);

    if (error != cudaSuccess)
        return error;
    return array->bytes > free_bytes ? leave(array) : bring(array);
}

static cudaError_t duplicate(const struct array *array)
{
    const cudaError_t error = um_advise(array->p, array->bytes, cudaMemAdviseSetReadMostly, array->device);

    return error == cudaSuccess ? bring(array) : error;
}

static cudaError_t nothing(const struct array *array)
{
    struct cudaPointerAttributes of;
    const cudaError_t error = cudaPointerGetAttributes(&of, array->p);

    return error != cudaSuccess || of.type == cudaMemoryTypeManaged ? error : cudaErrorInvalidValue;
}

cudaError_t prepare(void *p, size_t bytes, enum lab6_pattern pattern)
{
    static cudaError_t (*const rule[LAB6_PATTERNS])(const struct array *) = {
        [LAB6_GPU_WORKS] = bring_or_leave, [LAB6_GPU_FILLS] = bring_or_leave, [LAB6_BOTH_READ] = duplicate,
        [LAB6_GPU_LOOKS] = leave,          [LAB6_NEW_INPUT] = leave,          [LAB6_HOST_ONLY] = nothing};
    struct array array = {p, bytes, 0};
    struct cudaDeviceProp device;
    cudaError_t error;

    if (bytes == 0)
        return cudaSuccess;
    if ((error = cudaGetDevice(&array.device)) != cudaSuccess ||
        (error = cudaGetDeviceProperties(&device, array.device)) != cudaSuccess)
        return error;
    return device.concurrentManagedAccess ? rule[pattern](&array) : cudaSuccess;
}
