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
CUresult cuMemGetInfo(size_t *__free, size_t *__total);
/** Device memory. CUDA_ERROR_INVALID_VALUE for 0 bytes. */
CUresult cuMemAlloc(CUdeviceptr *__dptr, size_t __bytesize);
/** Rows of device memory, each `WidthInBytes` long, `pPitch` apart. */
CUresult cuMemAllocPitch(CUdeviceptr *__dptr, size_t *__pPitch, size_t __WidthInBytes, size_t __Height,
                         unsigned int __ElementSizeBytes);
/** Frees memory of cuMemAlloc(), cuMemAllocPitch() or cuMemAllocManaged(); waits for the device. */
CUresult cuMemFree(CUdeviceptr __dptr);
/** Where the allocation begins that a pointer is in, and its bytes; either may be NULL. */
CUresult cuMemGetAddressRange(CUdeviceptr *__pbase, size_t *__psize, CUdeviceptr __dptr);
/** Pinned memory of the host's. */
CUresult cuMemAllocHost(void **__pp, size_t __bytesize);
/** Frees it. */
CUresult cuMemFreeHost(void *__p);
/** The same with flags (CU_MEMHOSTALLOC_...). */
CUresult cuMemHostAlloc(void **__pp, size_t __bytesize, unsigned int __Flags);
/** How the device reaches pinned memory. */
CUresult cuMemHostGetDevicePointer(CUdeviceptr *__pdptr, void *__p, unsigned int __Flags);
/** The flags that it was made with. */
CUresult cuMemHostGetFlags(unsigned int *__pFlags, void *__p);
/** Managed memory. `flags` is CU_MEM_ATTACH_GLOBAL or CU_MEM_ATTACH_HOST. */
CUresult cuMemAllocManaged(CUdeviceptr *__dptr, size_t __bytesize, unsigned int __flags);
/** Pins memory of the program's. */
CUresult cuMemHostRegister(void *__p, size_t __bytesize, unsigned int __Flags);
/** Undoes that. */
CUresult cuMemHostUnregister(void *__p);
/** A handle of an event made with CU_EVENT_INTERPROCESS, for other processes. */
CUresult cuIpcGetEventHandle(CUipcEventHandle *__pHandle, CUevent __event);
/** Another process's event. */
CUresult cuIpcOpenEventHandle(CUevent *__phEvent, CUipcEventHandle __handle);
/** A handle of memory of cuMemAlloc(), for other processes. */
CUresult cuIpcGetMemHandle(CUipcMemHandle *__pHandle, CUdeviceptr __dptr);
/** Maps another process's memory. `Flags` is CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS. */
CUresult cuIpcOpenMemHandle(CUdeviceptr *__pdptr, CUipcMemHandle __handle, unsigned int __Flags);
/** Ends that. */
CUresult cuIpcCloseMemHandle(CUdeviceptr __dptr);
/** Copies; the direction comes from the pointers. */
CUresult cuMemcpy(CUdeviceptr __dst, CUdeviceptr __src, size_t __ByteCount);
/** Copies between contexts. */
CUresult cuMemcpyPeer(CUdeviceptr __dstDevice, CUcontext __dstContext, CUdeviceptr __srcDevice,
                      CUcontext __srcContext, size_t __ByteCount);
/** Copies from the host to the device. */
CUresult cuMemcpyHtoD(CUdeviceptr __dstDevice, const void *__srcHost, size_t __ByteCount);
/** Copies from the device to the host. */
CUresult cuMemcpyDtoH(void *__dstHost, CUdeviceptr __srcDevice, size_t __ByteCount);
/** Copies on the device. */
CUresult cuMemcpyDtoD(CUdeviceptr __dstDevice, CUdeviceptr __srcDevice, size_t __ByteCount);
/** Copies from the device to an array of one row. */
CUresult cuMemcpyDtoA(CUarray __dstArray, size_t __dstOffset, CUdeviceptr __srcDevice, size_t __ByteCount);
/** The other way. */
CUresult cuMemcpyAtoD(CUdeviceptr __dstDevice, CUarray __srcArray, size_t __srcOffset, size_t __ByteCount);
/** Copies from the host to an array of one row. */
CUresult cuMemcpyHtoA(CUarray __dstArray, size_t __dstOffset, const void *__srcHost, size_t __ByteCount);
/** The other way. */
CUresult cuMemcpyAtoH(void *__dstHost, CUarray __srcArray, size_t __srcOffset, size_t __ByteCount);
/** Copies between arrays of one row. */
CUresult cuMemcpyAtoA(CUarray __dstArray, size_t __dstOffset, CUarray __srcArray, size_t __srcOffset,
                      size_t __ByteCount);
/** Copies a rectangle. */
CUresult cuMemcpy2D(const CUDA_MEMCPY2D *__pCopy);
/** The same with any pitch. */
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *__pCopy);
/** Copies a box. */
CUresult cuMemcpy3D(const CUDA_MEMCPY3D *__pCopy);
/** Copies a box between contexts. */
CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *__pCopy);
/** Copies in a stream. */
CUresult cuMemcpyAsync(CUdeviceptr __dst, CUdeviceptr __src, size_t __ByteCount, CUstream __hStream);
/** Copies between contexts, in a stream. */
CUresult cuMemcpyPeerAsync(CUdeviceptr __dstDevice, CUcontext __dstContext, CUdeviceptr __srcDevice,
                           CUcontext __srcContext, size_t __ByteCount, CUstream __hStream);
/** Copies from the host to the device, in a stream. */
CUresult cuMemcpyHtoDAsync(CUdeviceptr __dstDevice, const void *__srcHost, size_t __ByteCount,
                           CUstream __hStream);
/** Copies from the device to the host, in a stream. */
CUresult cuMemcpyDtoHAsync(void *__dstHost, CUdeviceptr __srcDevice, size_t __ByteCount, CUstream __hStream);
/** Copies on the device, in a stream. */
CUresult cuMemcpyDtoDAsync(CUdeviceptr __dstDevice, CUdeviceptr __srcDevice, size_t __ByteCount,
                           CUstream __hStream);
/** Copies from the host to an array of one row, in a stream. */
CUresult cuMemcpyHtoAAsync(CUarray __dstArray, size_t __dstOffset, const void *__srcHost, size_t __ByteCount,
                           CUstream __hStream);
/** The other way. */
CUresult cuMemcpyAtoHAsync(void *__dstHost, CUarray __srcArray, size_t __srcOffset, size_t __ByteCount,
                           CUstream __hStream);
/** Copies a rectangle, in a stream. */
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *__pCopy, CUstream __hStream);
/** Copies a box, in a stream. */
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *__pCopy, CUstream __hStream);
/** Copies a box between contexts, in a stream. */
CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *__pCopy, CUstream __hStream);
/** Fills `N` bytes. */
CUresult cuMemsetD8(CUdeviceptr __dstDevice, unsigned char __uc, size_t __N);
/** Fills `N` words of 2 bytes. */
CUresult cuMemsetD16(CUdeviceptr __dstDevice, unsigned short __us, size_t __N);
/** Fills `N` words of 4 bytes. */
CUresult cuMemsetD32(CUdeviceptr __dstDevice, unsigned int __ui, size_t __N);
/** Fills rows of `Width` bytes. */
CUresult cuMemsetD2D8(CUdeviceptr __dstDevice, size_t __dstPitch, unsigned char __uc, size_t __Width,
                      size_t __Height);
/** Fills rows of `Width` words of 2 bytes. */
CUresult cuMemsetD2D16(CUdeviceptr __dstDevice, size_t __dstPitch, unsigned short __us, size_t __Width,
                       size_t __Height);
/** Fills rows of `Width` words of 4 bytes. */
CUresult cuMemsetD2D32(CUdeviceptr __dstDevice, size_t __dstPitch, unsigned int __ui, size_t __Width,
                       size_t __Height);
/** The same in a stream. */
CUresult cuMemsetD8Async(CUdeviceptr __dstDevice, unsigned char __uc, size_t __N, CUstream __hStream);
/** The same in a stream. */
CUresult cuMemsetD16Async(CUdeviceptr __dstDevice, unsigned short __us, size_t __N, CUstream __hStream);
/** The same in a stream. */
CUresult cuMemsetD32Async(CUdeviceptr __dstDevice, unsigned int __ui, size_t __N, CUstream __hStream);
/** The same in a stream. */
CUresult cuMemsetD2D8Async(CUdeviceptr __dstDevice, size_t __dstPitch, unsigned char __uc, size_t __Width,
                           size_t __Height, CUstream __hStream);
/** The same in a stream. */
CUresult cuMemsetD2D16Async(CUdeviceptr __dstDevice, size_t __dstPitch, unsigned short __us, size_t __Width,
                            size_t __Height, CUstream __hStream);
/** The same in a stream. */
CUresult cuMemsetD2D32Async(CUdeviceptr __dstDevice, size_t __dstPitch, unsigned int __ui, size_t __Width,
                            size_t __Height, CUstream __hStream);
/** An array of one or two dimensions. */
CUresult cuArrayCreate(CUarray *__pHandle, const CUDA_ARRAY_DESCRIPTOR *__pAllocateArray);
/** What it was made with. */
CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *__pArrayDescriptor, CUarray __hArray);
/** Frees an array. */
CUresult cuArrayDestroy(CUarray __hArray);
/** An array of up to three dimensions, also of layers. */
CUresult cuArray3DCreate(CUarray *__pHandle, const CUDA_ARRAY3D_DESCRIPTOR *__pAllocateArray);
/** What it was made with. */
CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *__pArrayDescriptor, CUarray __hArray);
/** Frees memory in the order of a stream. */
CUresult cuMemFreeAsync(CUdeviceptr __dptr, CUstream __hStream);
/** Memory of the device's current pool, in the order of a stream. */
CUresult cuMemAllocAsync(CUdeviceptr *__dptr, size_t __bytesize, CUstream __hStream);
/** Gives back what a pool keeps above so many bytes. */
CUresult cuMemPoolTrimTo(CUmemoryPool __pool, size_t __minBytesToKeep);
/** A pool's attribute (CUmemPool_attribute). */
CUresult cuMemPoolSetAttribute(CUmemoryPool __pool, CUmemPool_attribute __attr, void *__value);
/** What it is. */
CUresult cuMemPoolGetAttribute(CUmemoryPool __pool, CUmemPool_attribute __attr, void *__value);
/** Who may access a pool's memory. */
CUresult cuMemPoolSetAccess(CUmemoryPool __pool, const CUmemAccessDesc *__map, size_t __count);
/** Whether a place may. */
CUresult cuMemPoolGetAccess(CUmemAccess_flags *__flags, CUmemoryPool __memPool, CUmemLocation *__location);
/** A pool of one's own. */
CUresult cuMemPoolCreate(CUmemoryPool *__pool, const CUmemPoolProps *__poolProps);
/** Destroys it; what was taken from it lives on. */
CUresult cuMemPoolDestroy(CUmemoryPool __pool);
/** Memory of a pool, in the order of a stream. */
CUresult cuMemAllocFromPoolAsync(CUdeviceptr *__dptr, size_t __bytesize, CUmemoryPool __pool,
                                 CUstream __hStream);
/** What is known about an address (CUpointer_attribute). */
CUresult cuPointerGetAttribute(void *__data, CUpointer_attribute __attrib, CUdeviceptr __ptr);
/** Several at once; what is not known is 0. */
CUresult cuPointerGetAttributes(unsigned int __numAttributes, CUpointer_attribute *__attributes,
                                void **__data, CUdeviceptr __ptr);
/** CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: copies and fills of this memory wait. */
CUresult cuPointerSetAttribute(const void *__value, CUpointer_attribute __attrib, CUdeviceptr __ptr);
/** Moves managed memory, in a stream. */
CUresult cuMemPrefetchAsync(CUdeviceptr __devPtr, size_t __count, CUmemLocation __location,
                            unsigned int __flags, CUstream __hStream);
/** Advice about managed memory. */
CUresult cuMemAdvise(CUdeviceptr __devPtr, size_t __count, CUmem_advise __advice, CUmemLocation __location);
/** What was advised. */
CUresult cuMemRangeGetAttribute(void *__data, size_t __dataSize, CUmem_range_attribute __attrib,
                                CUdeviceptr __devPtr, size_t __count);
/** Several at once. */
CUresult cuMemRangeGetAttributes(void **__data, size_t *__dataSizes, CUmem_range_attribute *__attributes,
                                 size_t __numAttributes, CUdeviceptr __devPtr, size_t __count);

#ifdef __cplusplus
}
#endif
#endif
