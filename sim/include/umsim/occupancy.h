/**
 * @file umsim/occupancy.h
 * @brief cudaOccupancyMaxPotentialBlockSize() and its variants: the block size that keeps the most threads
 * resident on a multiprocessor.
 *
 * Included by cuda_runtime.h for umcc, in C++ only. These functions are in the header, not in the library.
 * They ask the library for the occupancy of one block size after another, from the largest down in steps of
 * a warp, and keep the first that gives the most resident threads.
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

/* What the search has to know about the device and the kernel. */
struct umsim_occupancy_limits {
    int warp;     /* threads */
    int resident; /* threads of a full multiprocessor */
    int block;    /* threads of the largest block that this kernel allows */
    int multiprocessors;
};

static inline cudaError_t umsim_occupancy_limits_read(umsim_occupancy_limits *__limits, const void *__func)
{
    const struct {
        enum cudaDeviceAttr attribute;
        int *value;
    } __wanted[] = {{cudaDevAttrWarpSize, &__limits->warp},
                    {cudaDevAttrMaxThreadsPerMultiProcessor, &__limits->resident},
                    {cudaDevAttrMaxThreadsPerBlock, &__limits->block},
                    {cudaDevAttrMultiProcessorCount, &__limits->multiprocessors}};
    int __device = 0;
    cudaError_t __error = cudaGetDevice(&__device);
    for (const auto &__one : __wanted)
        if (__error == cudaSuccess)
            __error = cudaDeviceGetAttribute(__one.value, __one.attribute, __device);
    cudaFuncAttributes __attributes;
    if (__error == cudaSuccess)
        __error = ::cudaFuncGetAttributes(&__attributes, __func);
    if (__error == cudaSuccess && __attributes.maxThreadsPerBlock < __limits->block)
        __limits->block = __attributes.maxThreadsPerBlock;
    return __error;
}
/** @endcond */

/**
 * Finds the block size that keeps most threads resident, for a kernel whose dynamic shared memory depends on
 * it.
 * @param __minGridSize  receives the number of blocks that fill the device
 * @param __blockSize    receives the block size, threads
 * @param __func         the kernel
 * @param __blockSizeToDynamicSMemSize  called with a block size, returns bytes
 * @param __blockSizeLimit  largest block size to consider, 0 for the kernel's own limit
 * @param __flags        cudaOccupancyDefault or cudaOccupancyDisableCachingOverride
 * @return cudaErrorInvalidValue (NULL), or what cudaFuncGetAttributes() and the occupancy query return
 */
template <class _SizeToBytes, class _Kernel>
static inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *__minGridSize, int *__blockSize, _Kernel __func,
                                                        _SizeToBytes __blockSizeToDynamicSMemSize,
                                                        int __blockSizeLimit = 0, unsigned int __flags = 0)
{
    if (!__minGridSize || !__blockSize || !__func)
        return cudaErrorInvalidValue;
    umsim_occupancy_limits __limits;
    cudaError_t __error = umsim_occupancy_limits_read(&__limits, (const void *)__func);
    if (__error != cudaSuccess)
        return __error;
    int __largest =
        __blockSizeLimit > 0 && __blockSizeLimit < __limits.block ? __blockSizeLimit : __limits.block;
    int __best_size = 0, __best_blocks = 0;
    /* The first size may not be a whole number of warps. The next one is the next lower whole number. */
    for (int __size = __largest; __size > 0; __size = (__size - 1) / __limits.warp * __limits.warp) {
        int __blocks = 0;
        __error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
            &__blocks, (const void *)__func, __size, __blockSizeToDynamicSMemSize(__size), __flags);
        if (__error != cudaSuccess)
            return __error;
        if (__blocks * __size > __best_blocks * __best_size) {
            __best_size = __size;
            __best_blocks = __blocks;
        }
        if (__best_blocks * __best_size == __limits.resident)
            break;
    }
    *__minGridSize = __best_blocks * __limits.multiprocessors;
    *__blockSize = __best_size;
    return cudaSuccess;
}

/** The same without flags. */
template <class _SizeToBytes, class _Kernel>
static inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *__minGridSize, int *__blockSize, _Kernel __func,
                                               _SizeToBytes __blockSizeToDynamicSMemSize,
                                               int __blockSizeLimit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
        __minGridSize, __blockSize, __func, __blockSizeToDynamicSMemSize, __blockSizeLimit);
}

/** The same for a kernel whose dynamic shared memory is `__dynamicSMemSize` bytes for any block size. */
template <class _Kernel>
static inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeWithFlags(int *__minGridSize, int *__blockSize, _Kernel __func,
                                            size_t __dynamicSMemSize = 0, int __blockSizeLimit = 0,
                                            unsigned int __flags = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(__minGridSize, __blockSize, __func,
                                                                   umsim_constant_smem{__dynamicSMemSize},
                                                                   __blockSizeLimit, __flags);
}

/** The same without flags: the form that most programs use. */
template <class _Kernel>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *__minGridSize, int *__blockSize,
                                                             _Kernel __func, size_t __dynamicSMemSize = 0,
                                                             int __blockSizeLimit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeWithFlags(__minGridSize, __blockSize, __func, __dynamicSMemSize,
                                                       __blockSizeLimit);
}

#endif
