/**
 * @file memory.c
 * @brief Memory (CUDA Driver API: Memory Management, Unified Addressing, Stream Ordered Memory Allocator).
 */
#include "context.h"
#include "../base/lock.h"
#include "../base/machine.h"
#include "../space/registry.h"

CUresult cuMemGetInfo(size_t *free, size_t *total)
{
    UMSIM_DRIVER(cuMemGetInfo, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaMemGetInfo(free, total));
}

/* ---- of the device ---- */

/* The runtime gives NULL for no bytes; the driver refuses. */
CUresult cuMemAlloc(CUdeviceptr *dptr, size_t bytesize)
{
    UMSIM_DRIVER(cuMemAlloc, UMSIM_NEEDS_CONTEXT);
    return bytesize ? umsim_result(cudaMalloc((void **)dptr, bytesize)) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemAllocPitch(CUdeviceptr *dptr, size_t *pPitch, size_t WidthInBytes, size_t Height,
                         unsigned int ElementSizeBytes)
{
    UMSIM_DRIVER(cuMemAllocPitch, UMSIM_NEEDS_CONTEXT);
    if (ElementSizeBytes != 4 && ElementSizeBytes != 8 && ElementSizeBytes != 16)
        return CUDA_ERROR_INVALID_VALUE;
    if (!WidthInBytes || !Height)
        return CUDA_ERROR_INVALID_VALUE;
    return umsim_result(cudaMallocPitch((void **)dptr, pPitch, WidthInBytes, Height));
}

CUresult cuMemFree(CUdeviceptr dptr)
{
    UMSIM_DRIVER(cuMemFree, UMSIM_NEEDS_INIT); /* the address tells where it belongs */
    if (!dptr)
        return CUDA_SUCCESS;
    return umsim_result(cudaFree(umsim_pointer(dptr)));
}

CUresult cuMemGetAddressRange(CUdeviceptr *pbase, size_t *psize, CUdeviceptr dptr)
{
    UMSIM_DRIVER(cuMemGetAddressRange, UMSIM_NEEDS_CONTEXT);
    umsim_lock();
    const struct umsim_alloc *allocation = umsim_registry_find(umsim_pointer(dptr));
    if (allocation && !umsim_may_reach(umsim_device(), allocation))
        allocation = NULL;
    if (allocation && pbase)
        *pbase = umsim_address(allocation->base);
    if (allocation && psize)
        *psize = allocation->bytes;
    umsim_unlock();
    return allocation ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

/* ---- of the host ---- */

CUresult cuMemAllocHost(void **pp, size_t bytesize)
{
    UMSIM_DRIVER(cuMemAllocHost, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaMallocHost(pp, bytesize));
}

CUresult cuMemHostAlloc(void **pp, size_t bytesize, unsigned int Flags)
{
    UMSIM_DRIVER(cuMemHostAlloc, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaHostAlloc(pp, bytesize, Flags));
}

CUresult cuMemFreeHost(void *p)
{
    UMSIM_DRIVER(cuMemFreeHost, UMSIM_NEEDS_INIT);
    return umsim_result(cudaFreeHost(p));
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *pdptr, void *p, unsigned int Flags)
{
    UMSIM_DRIVER(cuMemHostGetDevicePointer, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaHostGetDevicePointer((void **)pdptr, p, Flags));
}

CUresult cuMemHostGetFlags(unsigned int *pFlags, void *p)
{
    UMSIM_DRIVER(cuMemHostGetFlags, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaHostGetFlags(pFlags, p));
}

CUresult cuMemHostRegister(void *p, size_t bytesize, unsigned int Flags)
{
    UMSIM_DRIVER(cuMemHostRegister, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaHostRegister(p, bytesize, Flags));
}

CUresult cuMemHostUnregister(void *p)
{
    UMSIM_DRIVER(cuMemHostUnregister, UMSIM_NEEDS_INIT);
    return umsim_result(cudaHostUnregister(p));
}

/* ---- managed ---- */

CUresult cuMemAllocManaged(CUdeviceptr *dptr, size_t bytesize, unsigned int flags)
{
    UMSIM_DRIVER(cuMemAllocManaged, UMSIM_NEEDS_CONTEXT);
    return bytesize ? umsim_result(cudaMallocManaged((void **)dptr, bytesize, flags))
                    : CUDA_ERROR_INVALID_VALUE;
}

/* A location is the runtime's structure. */
static struct cudaMemLocation location_of(CUmemLocation location)
{
    return (struct cudaMemLocation){(enum cudaMemLocationType)location.type, location.id};
}

/* Before CUDA 12.2 a location was a device, or CU_DEVICE_CPU. */
static CUmemLocation location_of_device(CUdevice device)
{
    return device == CU_DEVICE_CPU ? (CUmemLocation){CU_MEM_LOCATION_TYPE_HOST, 0}
                                   : (CUmemLocation){CU_MEM_LOCATION_TYPE_DEVICE, device};
}

CUresult cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUmemLocation location, unsigned int flags,
                            CUstream hStream)
{
    UMSIM_DRIVER(cuMemPrefetchAsync, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaMemPrefetchAsync(umsim_pointer(devPtr), count, location_of(location), flags,
                                             UMSIM_STREAM(hStream)));
}

CUresult cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUmemLocation location)
{
    UMSIM_DRIVER(cuMemAdvise, UMSIM_NEEDS_CONTEXT);
    if (location.type == CU_MEM_LOCATION_TYPE_INVALID) /* also where the advice has no place */
        return CUDA_ERROR_INVALID_VALUE;
    return umsim_result(
        cudaMemAdvise(umsim_pointer(devPtr), count, (enum cudaMemoryAdvise)advice, location_of(location)));
}

CUresult cuMemRangeGetAttribute(void *data, size_t dataSize, CUmem_range_attribute attribute,
                                CUdeviceptr devPtr, size_t count)
{
    UMSIM_DRIVER(cuMemRangeGetAttribute, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaMemRangeGetAttribute(data, dataSize, (enum cudaMemRangeAttribute)attribute,
                                                 umsim_pointer(devPtr), count));
}

CUresult cuMemRangeGetAttributes(void **data, size_t *dataSizes, CUmem_range_attribute *attributes,
                                 size_t numAttributes, CUdeviceptr devPtr, size_t count)
{
    UMSIM_DRIVER(cuMemRangeGetAttributes, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaMemRangeGetAttributes(data, dataSizes, (enum cudaMemRangeAttribute *)attributes,
                                                  numAttributes, umsim_pointer(devPtr), count));
}

CUresult cuStreamAttachMemAsync(CUstream hStream, CUdeviceptr dptr, size_t length, unsigned int flags)
{
    UMSIM_DRIVER(cuStreamAttachMemAsync, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaStreamAttachMemAsync(UMSIM_STREAM(hStream), umsim_pointer(dptr), length, flags));
}

#undef cuMemPrefetchAsync
#undef cuMemAdvise
CUresult cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUdevice dstDevice, CUstream hStream);
CUresult cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUdevice dstDevice, CUstream hStream)
{
    return cuMemPrefetchAsync_v2(devPtr, count, location_of_device(dstDevice), 0, hStream);
}

CUresult cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUdevice device);
CUresult cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUdevice device)
{
    return cuMemAdvise_v2(devPtr, count, advice, location_of_device(device));
}
