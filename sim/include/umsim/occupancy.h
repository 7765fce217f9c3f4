/**
 * @file umsim/occupancy.h
 * @brief cudaOccupancyMaxPotentialBlockSize() and its variants: which block size keeps a multiprocessor
 * fullest.
 *
 * Included by cuda_runtime.h for umcc, in C++ only. These are functions of the header, not of the library:
 * they ask the library for the occupancy of one block size after another, from the largest down in steps of a
 * warp, and keep the first that gives the most resident threads.
 */
#ifndef UMSIM_OCCUPANCY_H
#define UMSIM_OCCUPANCY_H

#include "cuda_runtime_api.h"

/** @cond internal */
/* A dynamic shared memory size that does not depend on the block size. */
struct umsim_constant_smem {
    size_t bytes;
    size_t operator()(int) const
    {
        return bytes;
    }
};

/* What the search has to know of device and kernel. */
struct umsim_occupancy_limits {
    int warp;     /* threads */
    int resident; /* threads of a full multiprocessor */
    int block;    /* threads of the largest block that this kernel can have */
    int multiprocessors;
};

static inline cudaError_t umsim_occupancy_limits_read(umsim_occupancy_limits *limits, const void *func)
{
    const struct {
        enum cudaDeviceAttr attribute;
        int *value;
    } wanted[] = {{cudaDevAttrWarpSize, &limits->warp},
                  {cudaDevAttrMaxThreadsPerMultiProcessor, &limits->resident},
                  {cudaDevAttrMaxThreadsPerBlock, &limits->block},
                  {cudaDevAttrMultiProcessorCount, &limits->multiprocessors}};
    int device = 0;
    cudaError_t error = cudaGetDevice(&device);
    for (const auto &one : wanted)
        if (error == cudaSuccess)
            error = cudaDeviceGetAttribute(one.value, one.attribute, device);
    cudaFuncAttributes attributes;
    if (error == cudaSuccess)
        error = ::cudaFuncGetAttributes(&attributes, func);
    if (error == cudaSuccess && attributes.maxThreadsPerBlock < limits->block)
        limits->block = attributes.maxThreadsPerBlock;
    return error;
}
/** @endcond */

/**
 * Finds the block size that keeps most threads resident, for a kernel whose dynamic shared memory depends on
 * it.
 * @param minGridSize  receives the number of blocks that fill the device
 * @param blockSize    receives the block size, threads
 * @param func         the kernel
 * @param blockSizeToDynamicSMemSize  called with a block size, returns bytes
 * @param blockSizeLimit  largest block size to consider, 0 for the kernel's own limit
 * @param flags        cudaOccupancyDefault or cudaOccupancyDisableCachingOverride
 * @return cudaErrorInvalidValue (NULL), or what cudaFuncGetAttributes() and the occupancy query return
 */
template <class SizeToBytes, class Kernel>
static inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *minGridSize, int *blockSize, Kernel func,
                                                        SizeToBytes blockSizeToDynamicSMemSize,
                                                        int blockSizeLimit = 0, unsigned int flags = 0)
{
    if (!minGridSize || !blockSize || !func)
        return cudaErrorInvalidValue;
    umsim_occupancy_limits limits;
    cudaError_t error = umsim_occupancy_limits_read(&limits, (const void *)func);
    if (error != cudaSuccess)
        return error;
    int largest = blockSizeLimit > 0 && blockSizeLimit < limits.block ? blockSizeLimit : limits.block;
    int best_size = 0, best_blocks = 0;
    /* The first step may be no whole number of warps: it goes down to the next whole number from there. */
    for (int size = largest; size > 0; size = (size - 1) / limits.warp * limits.warp) {
        int blocks = 0;
        error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
            &blocks, (const void *)func, size, blockSizeToDynamicSMemSize(size), flags);
        if (error != cudaSuccess)
            return error;
        if (blocks * size > best_blocks * best_size) {
            best_size = size;
            best_blocks = blocks;
        }
        if (best_blocks * best_size == limits.resident)
            break;
    }
    *minGridSize = best_blocks * limits.multiprocessors;
    *blockSize = best_size;
    return cudaSuccess;
}

/** The same without flags. */
template <class SizeToBytes, class Kernel>
static inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *minGridSize, int *blockSize, Kernel func,
                                               SizeToBytes blockSizeToDynamicSMemSize, int blockSizeLimit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
        minGridSize, blockSize, func, blockSizeToDynamicSMemSize, blockSizeLimit);
}

/** The same for a kernel with `dynamicSMemSize` bytes of dynamic shared memory at any block size. */
template <class Kernel>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize,
                                                                      Kernel func, size_t dynamicSMemSize = 0,
                                                                      int blockSizeLimit = 0,
                                                                      unsigned int flags = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
        minGridSize, blockSize, func, umsim_constant_smem{dynamicSMemSize}, blockSizeLimit, flags);
}

/** The same without flags: the form that most programs use. */
template <class Kernel>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, Kernel func,
                                                             size_t dynamicSMemSize = 0,
                                                             int blockSizeLimit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, func, dynamicSMemSize,
                                                       blockSizeLimit);
}

#endif
