/**
 * @file umsim/cu_memory.h
 * @brief Memory, copies, fills, pointers of the driver API. Included by cuda.h.
 */
#ifndef UMSIM_CU_MEMORY_H
#define UMSIM_CU_MEMORY_H

#include "umsim/cu_names.h"
#include "umsim/cu_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes that are free, and all. */
CUresult cuMemGetInfo(size_t *free, size_t *total);
/** Device memory. CUDA_ERROR_INVALID_VALUE for 0 bytes. */
CUresult cuMemAlloc(CUdeviceptr *dptr, size_t bytesize);
/** Rows of device memory, each `WidthInBytes` long, `pPitch` apart. */
CUresult cuMemAllocPitch(CUdeviceptr *dptr, size_t *pPitch, size_t WidthInBytes, size_t Height,
                         unsigned int ElementSizeBytes);
/** Frees memory of cuMemAlloc(), cuMemAllocPitch() or cuMemAllocManaged(); waits for the device. */
CUresult cuMemFree(CUdeviceptr dptr);
/** Where the allocation begins that a pointer is in, and its bytes; either may be NULL. */
CUresult cuMemGetAddressRange(CUdeviceptr *pbase, size_t *psize, CUdeviceptr dptr);
/** Pinned memory of the host's. */
CUresult cuMemAllocHost(void **pp, size_t bytesize);
/** Frees it. */
CUresult cuMemFreeHost(void *p);
/** The same with flags (CU_MEMHOSTALLOC_...). */
CUresult cuMemHostAlloc(void **pp, size_t bytesize, unsigned int Flags);
/** How the device reaches pinned memory. */
CUresult cuMemHostGetDevicePointer(CUdeviceptr *pdptr, void *p, unsigned int Flags);
/** The flags that it was made with. */
CUresult cuMemHostGetFlags(unsigned int *pFlags, void *p);
/** Managed memory. `flags` is CU_MEM_ATTACH_GLOBAL or CU_MEM_ATTACH_HOST. */
CUresult cuMemAllocManaged(CUdeviceptr *dptr, size_t bytesize, unsigned int flags);
/** Pins memory of the program's. */
CUresult cuMemHostRegister(void *p, size_t bytesize, unsigned int Flags);
/** Undoes that. */
CUresult cuMemHostUnregister(void *p);
/** Other processes: CUDA_ERROR_NOT_SUPPORTED. */
CUresult cuIpcGetEventHandle(CUipcEventHandle *pHandle, CUevent event);
/** Other processes: CUDA_ERROR_NOT_SUPPORTED. */
CUresult cuIpcOpenEventHandle(CUevent *phEvent, CUipcEventHandle handle);
/** Other processes: CUDA_ERROR_NOT_SUPPORTED. */
CUresult cuIpcGetMemHandle(CUipcMemHandle *pHandle, CUdeviceptr dptr);
/** Other processes: CUDA_ERROR_NOT_SUPPORTED. */
CUresult cuIpcOpenMemHandle(CUdeviceptr *pdptr, CUipcMemHandle handle, unsigned int Flags);
/** Other processes: CUDA_ERROR_NOT_SUPPORTED. */
CUresult cuIpcCloseMemHandle(CUdeviceptr dptr);
/** Copies; the direction comes from the pointers. */
CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount);
/** Copies between contexts. */
CUresult cuMemcpyPeer(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice,
                      CUcontext srcContext, size_t ByteCount);
/** Copies from the host to the device. */
CUresult cuMemcpyHtoD(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount);
/** Copies from the device to the host. */
CUresult cuMemcpyDtoH(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount);
/** Copies on the device. */
CUresult cuMemcpyDtoD(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount);
/** Copies from the device to an array of one row. */
CUresult cuMemcpyDtoA(CUarray dstArray, size_t dstOffset, CUdeviceptr srcDevice, size_t ByteCount);
/** The other way. */
CUresult cuMemcpyAtoD(CUdeviceptr dstDevice, CUarray srcArray, size_t srcOffset, size_t ByteCount);
/** Copies from the host to an array of one row. */
CUresult cuMemcpyHtoA(CUarray dstArray, size_t dstOffset, const void *srcHost, size_t ByteCount);
/** The other way. */
CUresult cuMemcpyAtoH(void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount);
/** Copies between arrays of one row. */
CUresult cuMemcpyAtoA(CUarray dstArray, size_t dstOffset, CUarray srcArray, size_t srcOffset,
                      size_t ByteCount);
/** Copies a rectangle. */
CUresult cuMemcpy2D(const CUDA_MEMCPY2D *pCopy);
/** The same with any pitch. */
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *pCopy);
/** Copies a box. */
CUresult cuMemcpy3D(const CUDA_MEMCPY3D *pCopy);
/** Copies a box between contexts. */
CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *pCopy);
/** Copies in a stream. */
CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream);
/** Copies between contexts, in a stream. */
CUresult cuMemcpyPeerAsync(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice,
                           CUcontext srcContext, size_t ByteCount, CUstream hStream);
/** Copies from the host to the device, in a stream. */
CUresult cuMemcpyHtoDAsync(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount, CUstream hStream);
/** Copies from the device to the host, in a stream. */
CUresult cuMemcpyDtoHAsync(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream);
/** Copies on the device, in a stream. */
CUresult cuMemcpyDtoDAsync(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream);
/** Copies from the host to an array of one row, in a stream. */
CUresult cuMemcpyHtoAAsync(CUarray dstArray, size_t dstOffset, const void *srcHost, size_t ByteCount,
                           CUstream hStream);
/** The other way. */
CUresult cuMemcpyAtoHAsync(void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount,
                           CUstream hStream);
/** Copies a rectangle, in a stream. */
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *pCopy, CUstream hStream);
/** Copies a box, in a stream. */
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *pCopy, CUstream hStream);
/** Copies a box between contexts, in a stream. */
CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *pCopy, CUstream hStream);
/** Fills `N` bytes. */
CUresult cuMemsetD8(CUdeviceptr dstDevice, unsigned char uc, size_t N);
/** Fills `N` words of 2 bytes. */
CUresult cuMemsetD16(CUdeviceptr dstDevice, unsigned short us, size_t N);
/** Fills `N` words of 4 bytes. */
CUresult cuMemsetD32(CUdeviceptr dstDevice, unsigned int ui, size_t N);
/** Fills rows of `Width` bytes. */
CUresult cuMemsetD2D8(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height);
/** Fills rows of `Width` words of 2 bytes. */
CUresult cuMemsetD2D16(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width,
                       size_t Height);
/** Fills rows of `Width` words of 4 bytes. */
CUresult cuMemsetD2D32(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width, size_t Height);
/** The same in a stream. */
CUresult cuMemsetD8Async(CUdeviceptr dstDevice, unsigned char uc, size_t N, CUstream hStream);
/** The same in a stream. */
CUresult cuMemsetD16Async(CUdeviceptr dstDevice, unsigned short us, size_t N, CUstream hStream);
/** The same in a stream. */
CUresult cuMemsetD32Async(CUdeviceptr dstDevice, unsigned int ui, size_t N, CUstream hStream);
/** The same in a stream. */
CUresult cuMemsetD2D8Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width,
                           size_t Height, CUstream hStream);
/** The same in a stream. */
CUresult cuMemsetD2D16Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width,
                            size_t Height, CUstream hStream);
/** The same in a stream. */
CUresult cuMemsetD2D32Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width,
                            size_t Height, CUstream hStream);
/** An array of one or two dimensions. */
CUresult cuArrayCreate(CUarray *pHandle, const CUDA_ARRAY_DESCRIPTOR *pAllocateArray);
/** What it was made with. */
CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *pArrayDescriptor, CUarray hArray);
/** Frees an array. */
CUresult cuArrayDestroy(CUarray hArray);
/** An array of up to three dimensions, also of layers. */
CUresult cuArray3DCreate(CUarray *pHandle, const CUDA_ARRAY3D_DESCRIPTOR *pAllocateArray);
/** What it was made with. */
CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *pArrayDescriptor, CUarray hArray);
/** Frees memory in the order of a stream. */
CUresult cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream);
/** Memory of the device's current pool, in the order of a stream. */
CUresult cuMemAllocAsync(CUdeviceptr *dptr, size_t bytesize, CUstream hStream);
/** Gives back what a pool keeps above so many bytes. */
CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t minBytesToKeep);
/** A pool's attribute (CUmemPool_attribute). */
CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value);
/** What it is. */
CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value);
/** Who may access a pool's memory. */
CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *map, size_t count);
/** Whether a place may. */
CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool memPool, CUmemLocation *location);
/** A pool of one's own. */
CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *poolProps);
/** Destroys it; what was taken from it lives on. */
CUresult cuMemPoolDestroy(CUmemoryPool pool);
/** Memory of a pool, in the order of a stream. */
CUresult cuMemAllocFromPoolAsync(CUdeviceptr *dptr, size_t bytesize, CUmemoryPool pool, CUstream hStream);
/** What is known about an address (CUpointer_attribute). */
CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr ptr);
/** Several at once; what is not known is 0. */
CUresult cuPointerGetAttributes(unsigned int numAttributes, CUpointer_attribute *attributes, void **data,
                                CUdeviceptr ptr);
/** CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: copies and fills of this memory wait. */
CUresult cuPointerSetAttribute(const void *value, CUpointer_attribute attribute, CUdeviceptr ptr);
/** Moves managed memory, in a stream. */
CUresult cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUmemLocation location, unsigned int flags,
                            CUstream hStream);
/** Advice about managed memory. */
CUresult cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUmemLocation location);
/** What was advised. */
CUresult cuMemRangeGetAttribute(void *data, size_t dataSize, CUmem_range_attribute attribute,
                                CUdeviceptr devPtr, size_t count);
/** Several at once. */
CUresult cuMemRangeGetAttributes(void **data, size_t *dataSizes, CUmem_range_attribute *attributes,
                                 size_t numAttributes, CUdeviceptr devPtr, size_t count);

#ifdef __cplusplus
}
#endif
#endif
