/**
 * @file function.c
 * @brief Functions and kernels (CUDA Driver API: Execution Control; Library Management; Occupancy).
 */
#include "context.h"
#include "module.h"
#include "../api/attributes.h"
#include "../base/lock.h"

struct CUfunc_st *umsim_driver_function(const void *handle)
{
    umsim_lock();
    struct CUfunc_st *it = handle ? umsim_function_at(handle) : NULL;
    umsim_unlock();
    return it;
}

bool umsim_parameter_at(const struct CUfunc_st *function, unsigned index, size_t *offset, size_t *bytes)
{
    size_t at = 0;
    if (index >= function->parameter_count)
        return false;
    for (unsigned i = 0; i <= index; i++) {
        const struct umsim_parameter *it = &function->parameters[i];
        at = (at + it->alignment - 1) / it->alignment * it->alignment;
        *offset = at;
        *bytes = it->bytes;
        at += it->bytes;
    }
    return true;
}

/* ---- attributes ---- */

static CUresult get_attribute(int *out, CUfunction_attribute attribute, const void *handle)
{
    const struct CUfunc_st *it = umsim_driver_function(handle);
    struct cudaFuncAttributes all;
    if (!out || !it)
        return out ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    UMSIM_AS_DEVICE(umsim_function_device(it));
    const CUresult error = umsim_result(cudaFuncGetAttributes(&all, it->stub));
    const int values[] = {
        [CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK] = all.maxThreadsPerBlock,
        [CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES] = (int)all.sharedSizeBytes,
        [CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES] = (int)all.constSizeBytes,
        [CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES] = (int)all.localSizeBytes,
        [CU_FUNC_ATTRIBUTE_NUM_REGS] = all.numRegs,
        [CU_FUNC_ATTRIBUTE_PTX_VERSION] = all.ptxVersion,
        [CU_FUNC_ATTRIBUTE_BINARY_VERSION] = all.binaryVersion,
        [CU_FUNC_ATTRIBUTE_CACHE_MODE_CA] = all.cacheModeCA,
        [CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES] = all.maxDynamicSharedSizeBytes,
        [CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT] = all.preferredShmemCarveout,
        [CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE] = 0,
    };
    if (error || (unsigned)attribute >= CU_FUNC_ATTRIBUTE_MAX)
        return error ? error : CUDA_ERROR_INVALID_VALUE;
    *out = values[attribute];
    return CUDA_SUCCESS;
}

/* Those of a program's choice have the runtime's numbers. */
static CUresult set_attribute(const void *handle, CUfunction_attribute attribute, int value)
{
    const struct CUfunc_st *it = umsim_driver_function(handle);
    if (!it)
        return CUDA_ERROR_INVALID_HANDLE;
    UMSIM_AS_DEVICE(umsim_function_device(it));
    return umsim_result(cudaFuncSetAttribute(it->stub, (enum cudaFuncAttribute)attribute, value));
}

CUresult cuFuncGetAttribute(int *pi, CUfunction_attribute attrib, CUfunction hfunc)
{
    UMSIM_DRIVER(cuFuncGetAttribute, UMSIM_NEEDS_CONTEXT);
    return get_attribute(pi, attrib, hfunc);
}

CUresult cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value)
{
    UMSIM_DRIVER(cuFuncSetAttribute, UMSIM_NEEDS_CONTEXT);
    return set_attribute(hfunc, attrib, value);
}

CUresult cuKernelGetAttribute(int *pi, CUfunction_attribute attrib, CUkernel kernel, CUdevice dev)
{
    UMSIM_DRIVER(cuKernelGetAttribute, UMSIM_NEEDS_INIT);
    if (!umsim_is_device(dev))
        return CUDA_ERROR_INVALID_DEVICE;
    UMSIM_AS_DEVICE((unsigned)dev);
    return get_attribute(pi, attrib, kernel);
}

CUresult cuKernelSetAttribute(CUfunction_attribute attrib, int val, CUkernel kernel, CUdevice dev)
{
    UMSIM_DRIVER(cuKernelSetAttribute, UMSIM_NEEDS_INIT);
    if (!umsim_is_device(dev))
        return CUDA_ERROR_INVALID_DEVICE;
    UMSIM_AS_DEVICE((unsigned)dev);
    return set_attribute(kernel, attrib, val);
}

/* ---- hints ---- */

static CUresult set_cache(const void *handle, CUfunc_cache config)
{
    const struct CUfunc_st *it = umsim_driver_function(handle);
    return it ? umsim_result(cudaFuncSetCacheConfig(it->stub, (enum cudaFuncCache)config))
              : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuFuncSetCacheConfig(CUfunction hfunc, CUfunc_cache config)
{
    UMSIM_DRIVER(cuFuncSetCacheConfig, UMSIM_NEEDS_CONTEXT);
    return set_cache(hfunc, config);
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice dev)
{
    UMSIM_DRIVER(cuKernelSetCacheConfig, UMSIM_NEEDS_INIT);
    return umsim_is_device(dev) ? set_cache(kernel, config) : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuFuncSetSharedMemConfig(CUfunction hfunc, CUsharedconfig config)
{
    UMSIM_DRIVER(cuFuncSetSharedMemConfig, UMSIM_NEEDS_CONTEXT);
    const struct CUfunc_st *it = umsim_driver_function(hfunc);
    return it ? umsim_result(cudaFuncSetSharedMemConfig(it->stub, (enum cudaSharedMemConfig)config))
              : CUDA_ERROR_INVALID_HANDLE;
}

/* ---- what a function is ---- */

/* No handle is a wrong value here; one that is none, a wrong handle. */
static CUresult no_function(const void *handle)
{
    return handle ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
}

static CUresult name_of(const char **name, const void *handle)
{
    const struct CUfunc_st *it = umsim_driver_function(handle);
    if (!name || !it)
        return name ? no_function(handle) : CUDA_ERROR_INVALID_VALUE;
    *name = it->name;
    return CUDA_SUCCESS;
}

CUresult cuFuncGetName(const char **name, CUfunction hfunc)
{
    UMSIM_DRIVER(cuFuncGetName, UMSIM_NEEDS_INIT);
    return name_of(name, hfunc);
}

CUresult cuKernelGetName(const char **name, CUkernel hfunc)
{
    UMSIM_DRIVER(cuKernelGetName, UMSIM_NEEDS_INIT);
    return name_of(name, hfunc);
}

static CUresult parameter_of(const void *handle, size_t index, size_t *offset, size_t *bytes)
{
    const struct CUfunc_st *it = umsim_driver_function(handle);
    size_t size;
    if (!it || !offset)
        return it ? CUDA_ERROR_INVALID_VALUE : no_function(handle);
    if (index >= it->parameter_count || !umsim_parameter_at(it, (unsigned)index, offset, &size))
        return CUDA_ERROR_INVALID_VALUE;
    if (bytes)
        *bytes = size;
    return CUDA_SUCCESS;
}

CUresult cuFuncGetParamInfo(CUfunction func, size_t paramIndex, size_t *paramOffset, size_t *paramSize)
{
    UMSIM_DRIVER(cuFuncGetParamInfo, UMSIM_NEEDS_INIT);
    return parameter_of(func, paramIndex, paramOffset, paramSize);
}

CUresult cuKernelGetParamInfo(CUkernel kernel, size_t paramIndex, size_t *paramOffset, size_t *paramSize)
{
    UMSIM_DRIVER(cuKernelGetParamInfo, UMSIM_NEEDS_CONTEXT);
    return parameter_of(kernel, paramIndex, paramOffset, paramSize);
}

CUresult cuFuncGetModule(CUmodule *hmod, CUfunction hfunc)
{
    UMSIM_DRIVER(cuFuncGetModule, UMSIM_NEEDS_INIT);
    const struct CUfunc_st *it = umsim_driver_function(hfunc);
    if (!hmod || !it)
        return hmod ? no_function(hfunc) : CUDA_ERROR_INVALID_VALUE;
    *hmod = it->module ? umsim_module_on(it->module, umsim_function_device(it)) : NULL;
    return CUDA_SUCCESS;
}

CUresult cuKernelGetFunction(CUfunction *pFunc, CUkernel kernel)
{
    UMSIM_DRIVER(cuKernelGetFunction, UMSIM_NEEDS_CONTEXT);
    struct CUfunc_st *it = umsim_driver_function(kernel);
    if (!pFunc || !it)
        return pFunc ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    umsim_lock();
    *pFunc = umsim_function_on(it, umsim_device());
    umsim_unlock();
    return *pFunc ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function)
{
    UMSIM_DRIVER(cuFuncIsLoaded, UMSIM_NEEDS_INIT);
    if (!state || !umsim_driver_function(function))
        return state ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    *state = CU_FUNCTION_LOADING_STATE_LOADED;
    return CUDA_SUCCESS;
}

CUresult cuFuncLoad(CUfunction function)
{
    UMSIM_DRIVER(cuFuncLoad, UMSIM_NEEDS_INIT);
    return umsim_driver_function(function) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/* ---- occupancy ---- */

static CUresult occupancy(int *blocks, CUfunction func, int threads, size_t shared, unsigned flags)
{
    const struct CUfunc_st *it = umsim_driver_function(func);
    if (!it)
        return CUDA_ERROR_INVALID_HANDLE;
    return umsim_result(
        cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, it->stub, threads, shared, flags));
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, CUfunction func, int blockSize,
                                                     size_t dynamicSMemSize)
{
    UMSIM_DRIVER(cuOccupancyMaxActiveBlocksPerMultiprocessor, UMSIM_NEEDS_CONTEXT);
    return occupancy(numBlocks, func, blockSize, dynamicSMemSize, 0);
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, CUfunction func, int blockSize,
                                                              size_t dynamicSMemSize, unsigned int flags)
{
    UMSIM_DRIVER(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, UMSIM_NEEDS_CONTEXT);
    return occupancy(numBlocks, func, blockSize, dynamicSMemSize, flags);
}

/* From the largest block down in steps of a warp, the first that keeps the most threads resident: as
 * cudaOccupancyMaxPotentialBlockSize() of the header does. */
static CUresult best_block(int *grid, int *block, CUfunction func, CUoccupancyB2DSize shared_of,
                           size_t shared, int limit, unsigned flags)
{
    const int warp = umsim_attribute_value(cudaDevAttrWarpSize);
    const int largest = umsim_attribute_value(cudaDevAttrMaxThreadsPerBlock);
    const int from = limit > 0 && limit < largest ? limit : largest;
    int most = 0, blocks;
    if (!grid || !block)
        return CUDA_ERROR_INVALID_VALUE;
    for (int size = (from + warp - 1) / warp * warp; size > 0; size -= warp) {
        const int threads = size < from ? size : from;
        const size_t bytes = shared_of ? shared_of(threads) : shared;
        const CUresult error = occupancy(&blocks, func, threads, bytes, flags);
        if (error)
            return error;
        if (blocks * threads <= most)
            continue;
        most = blocks * threads;
        *block = threads;
        *grid = blocks * umsim_attribute_value(cudaDevAttrMultiProcessorCount);
    }
    return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, CUfunction func,
                                          CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                          size_t dynamicSMemSize, int blockSizeLimit)
{
    UMSIM_DRIVER(cuOccupancyMaxPotentialBlockSize, UMSIM_NEEDS_CONTEXT);
    return best_block(minGridSize, blockSize, func, blockSizeToDynamicSMemSize, dynamicSMemSize,
                      blockSizeLimit, 0);
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize, CUfunction func,
                                                   CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                                   size_t dynamicSMemSize, int blockSizeLimit,
                                                   unsigned int flags)
{
    UMSIM_DRIVER(cuOccupancyMaxPotentialBlockSizeWithFlags, UMSIM_NEEDS_CONTEXT);
    return best_block(minGridSize, blockSize, func, blockSizeToDynamicSMemSize, dynamicSMemSize,
                      blockSizeLimit, flags);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, CUfunction func, int numBlocks,
                                                 int blockSize)
{
    UMSIM_DRIVER(cuOccupancyAvailableDynamicSMemPerBlock, UMSIM_NEEDS_CONTEXT);
    const struct CUfunc_st *it = umsim_driver_function(func);
    if (!it)
        return CUDA_ERROR_INVALID_HANDLE;
    return umsim_result(
        cudaOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize, it->stub, numBlocks, blockSize));
}
