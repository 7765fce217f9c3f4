/**
 * @file pool.c
 * @brief Pools, and memory in the order of a stream (CUDA Driver API: Stream Ordered Memory Allocator; Device
 * Management). Structures and handles are the runtime's.
 */
#include "context.h"

_Static_assert(sizeof(CUmemPoolProps) == sizeof(struct cudaMemPoolProps), "one layout");
_Static_assert(sizeof(CUmemAccessDesc) == sizeof(struct cudaMemAccessDesc), "one layout");

CUresult cuMemAllocAsync(CUdeviceptr *dptr, size_t bytesize, CUstream hStream)
{
    UMSIM_DRIVER(cuMemAllocAsync, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaMallocAsync((void **)dptr, bytesize, UMSIM_STREAM(hStream)));
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *dptr, size_t bytesize, CUmemoryPool pool, CUstream hStream)
{
    UMSIM_DRIVER(cuMemAllocFromPoolAsync, UMSIM_NEEDS_CONTEXT);
    return umsim_result(
        cudaMallocFromPoolAsync((void **)dptr, bytesize, (cudaMemPool_t)pool, UMSIM_STREAM(hStream)));
}

CUresult cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream)
{
    UMSIM_DRIVER(cuMemFreeAsync, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaFreeAsync(umsim_pointer(dptr), UMSIM_STREAM(hStream)));
}

CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *poolProps)
{
    UMSIM_DRIVER(cuMemPoolCreate, UMSIM_NEEDS_INIT);
    return umsim_result(cudaMemPoolCreate((cudaMemPool_t *)pool, (const struct cudaMemPoolProps *)poolProps));
}

CUresult cuMemPoolDestroy(CUmemoryPool pool)
{
    UMSIM_DRIVER(cuMemPoolDestroy, UMSIM_NEEDS_INIT);
    return umsim_result(cudaMemPoolDestroy((cudaMemPool_t)pool));
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t minBytesToKeep)
{
    UMSIM_DRIVER(cuMemPoolTrimTo, UMSIM_NEEDS_INIT);
    return umsim_result(cudaMemPoolTrimTo((cudaMemPool_t)pool, minBytesToKeep));
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value)
{
    UMSIM_DRIVER(cuMemPoolSetAttribute, UMSIM_NEEDS_INIT);
    return umsim_result(cudaMemPoolSetAttribute((cudaMemPool_t)pool, (enum cudaMemPoolAttr)attr, value));
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value)
{
    UMSIM_DRIVER(cuMemPoolGetAttribute, UMSIM_NEEDS_INIT);
    return umsim_result(cudaMemPoolGetAttribute((cudaMemPool_t)pool, (enum cudaMemPoolAttr)attr, value));
}

CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *map, size_t count)
{
    UMSIM_DRIVER(cuMemPoolSetAccess, UMSIM_NEEDS_INIT);
    if (!count)
        return CUDA_ERROR_INVALID_VALUE;
    return umsim_result(
        cudaMemPoolSetAccess((cudaMemPool_t)pool, (const struct cudaMemAccessDesc *)map, count));
}

CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool memPool, CUmemLocation *location)
{
    UMSIM_DRIVER(cuMemPoolGetAccess, UMSIM_NEEDS_INIT);
    if (!flags || !location || location->type != CU_MEM_LOCATION_TYPE_DEVICE)
        return CUDA_ERROR_INVALID_VALUE;
    struct cudaMemLocation place = {cudaMemLocationTypeDevice, location->id};
    return umsim_result(
        cudaMemPoolGetAccess((enum cudaMemAccessFlags *)flags, (cudaMemPool_t)memPool, &place));
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool_out, CUdevice dev)
{
    UMSIM_DRIVER(cuDeviceGetDefaultMemPool, UMSIM_NEEDS_INIT);
    return umsim_result(cudaDeviceGetDefaultMemPool((cudaMemPool_t *)pool_out, dev));
}

CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice dev)
{
    UMSIM_DRIVER(cuDeviceGetMemPool, UMSIM_NEEDS_INIT);
    return umsim_result(cudaDeviceGetMemPool((cudaMemPool_t *)pool, dev));
}

CUresult cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool)
{
    UMSIM_DRIVER(cuDeviceSetMemPool, UMSIM_NEEDS_INIT);
    return umsim_result(cudaDeviceSetMemPool(dev, (cudaMemPool_t)pool));
}
