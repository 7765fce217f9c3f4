/**
 * @file umsim/api_array.h
 * @brief CUDA arrays, texture objects and surface objects. Included by cuda_runtime_api.h.
 *
 * An array holds elements of one, two or four channels in one to three dimensions, or in layers of one or
 * two. A texture object says how kernels read an array (or plain device memory): what they read beyond its
 * edges, and between its elements. Through a surface object, kernels read and write an array. The functions
 * that kernels call are in umsim/texture.h.
 */
#ifndef UMSIM_API_ARRAY_H
#define UMSIM_API_ARRAY_H

#include "driver_types.h"
#include "surface_types.h"
#include "texture_types.h"

/** @cond internal */
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define cudaMemcpyToArray cudaMemcpyToArray_ptds
#define cudaMemcpy2DToArray cudaMemcpy2DToArray_ptds
#define cudaMemcpyFromArray cudaMemcpyFromArray_ptds
#define cudaMemcpy2DFromArray cudaMemcpy2DFromArray_ptds
#define cudaMemcpyArrayToArray cudaMemcpyArrayToArray_ptds
#define cudaMemcpy2DArrayToArray cudaMemcpy2DArrayToArray_ptds
#define cudaMemcpyToArrayAsync cudaMemcpyToArrayAsync_ptsz
#define cudaMemcpy2DToArrayAsync cudaMemcpy2DToArrayAsync_ptsz
#define cudaMemcpyFromArrayAsync cudaMemcpyFromArrayAsync_ptsz
#define cudaMemcpy2DFromArrayAsync cudaMemcpy2DFromArrayAsync_ptsz
#endif
#ifdef __cplusplus
extern "C" {
#endif
/** @endcond */

/**
 * @name Arrays
 * Widths count elements here.
 * @{
 */
/** An element with channels of these sizes, in bits. C++ has cudaCreateChannelDesc<float4>() for it. */
struct cudaChannelFormatDesc cudaCreateChannelDesc(int __x, int __y, int __z, int __w,
                                                   enum cudaChannelFormatKind __f);
/** Allocates an array of one dimension (`__height` 0) or two. @return cudaErrorInvalidChannelDescriptor
 * (channels that are not one, two or four of 8, 16 or 32 bits), cudaErrorInvalidValue (no size, too large,
 * flags), cudaErrorMemoryAllocation, cudaErrorNotSupported (sparse arrays, compressed formats). */
cudaError_t cudaMallocArray(cudaArray_t *__array, const struct cudaChannelFormatDesc *__desc, size_t __width,
                            size_t __height UMSIM_DEFAULT(0), unsigned int __flags UMSIM_DEFAULT(0));
/** Allocates an array of up to three dimensions; with cudaArrayLayered of `__extent.depth` layers; with
 * cudaArrayCubemap of square faces, whose depth is 6, or with cudaArrayLayered, too, a multiple of 6. @return
 * as above. */
cudaError_t cudaMalloc3DArray(cudaArray_t *__array, const struct cudaChannelFormatDesc *__desc,
                              struct cudaExtent __extent, unsigned int __flags UMSIM_DEFAULT(0));
/** Waits for the device and frees; NULL is fine. @return cudaErrorInvalidValue when it is no array. */
cudaError_t cudaFreeArray(cudaArray_t __array);
/** What an array was made with; any pointer may be NULL. @return cudaErrorInvalidValue when it is no array.
 */
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *__desc, struct cudaExtent *__extent,
                             unsigned int *__flags, cudaArray_t __array);
/** An array's elements. @return cudaErrorInvalidValue. */
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *__desc, cudaArray_const_t __array);
/** @} */

/** @name Copies to and from arrays
 * Widths and `wOffset` are bytes, heights and `hOffset` rows. They wait as cudaMemcpy2D() does, and return
 * what it returns; cudaErrorInvalidValue also where they leave the array. The forms without 2D are
 * deprecated: they copy `count` bytes row after row. @{ */
/** Copies rows into an array. */
cudaError_t cudaMemcpy2DToArray(cudaArray_t __dst, size_t __wOffset, size_t __hOffset, const void *__src,
                                size_t __spitch, size_t __width, size_t __height, enum cudaMemcpyKind __kind);
/** Queues the same in a stream. */
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t __dst, size_t __wOffset, size_t __hOffset, const void *__src,
                                     size_t __spitch, size_t __width, size_t __height,
                                     enum cudaMemcpyKind __kind, cudaStream_t __stream UMSIM_DEFAULT(0));
/** Copies rows out of an array. */
cudaError_t cudaMemcpy2DFromArray(void *__dst, size_t __dpitch, cudaArray_const_t __src, size_t __wOffset,
                                  size_t __hOffset, size_t __width, size_t __height,
                                  enum cudaMemcpyKind __kind);
/** Queues the same in a stream. */
cudaError_t cudaMemcpy2DFromArrayAsync(void *__dst, size_t __dpitch, cudaArray_const_t __src,
                                       size_t __wOffset, size_t __hOffset, size_t __width, size_t __height,
                                       enum cudaMemcpyKind __kind, cudaStream_t __stream UMSIM_DEFAULT(0));
/** Copies rows from an array to another. */
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t __dst, size_t __wOffsetDst, size_t __hOffsetDst,
                                     cudaArray_const_t __src, size_t __wOffsetSrc, size_t __hOffsetSrc,
                                     size_t __width, size_t __height,
                                     enum cudaMemcpyKind __kind UMSIM_DEFAULT(cudaMemcpyDeviceToDevice));
/** Copies bytes into an array. */
cudaError_t cudaMemcpyToArray(cudaArray_t __dst, size_t __wOffset, size_t __hOffset, const void *__src,
                              size_t __count, enum cudaMemcpyKind __kind);
/** Queues the same in a stream. */
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t __dst, size_t __wOffset, size_t __hOffset, const void *__src,
                                   size_t __count, enum cudaMemcpyKind __kind,
                                   cudaStream_t __stream UMSIM_DEFAULT(0));
/** Copies bytes out of an array. */
cudaError_t cudaMemcpyFromArray(void *__dst, cudaArray_const_t __src, size_t __wOffset, size_t __hOffset,
                                size_t __count, enum cudaMemcpyKind __kind);
/** Queues the same in a stream. */
cudaError_t cudaMemcpyFromArrayAsync(void *__dst, cudaArray_const_t __src, size_t __wOffset, size_t __hOffset,
                                     size_t __count, enum cudaMemcpyKind __kind,
                                     cudaStream_t __stream UMSIM_DEFAULT(0));
/** Copies bytes from an array to another; both places begin a row. */
cudaError_t cudaMemcpyArrayToArray(cudaArray_t __dst, size_t __wOffsetDst, size_t __hOffsetDst,
                                   cudaArray_const_t __src, size_t __wOffsetSrc, size_t __hOffsetSrc,
                                   size_t __count,
                                   enum cudaMemcpyKind __kind UMSIM_DEFAULT(cudaMemcpyDeviceToDevice));
/** @} */

/** @name Texture objects and surface objects
 * @{ */
/**
 * Makes a texture object; `__pResViewDesc` may be NULL. The call does not check whether the memory is as
 * large as described.
 * @return cudaErrorInvalidValue (NULL, no such resource, misaligned memory, too large),
 * cudaErrorInvalidResourceHandle
 * (`__pTexDesc` NULL), cudaErrorInvalidChannelDescriptor, cudaErrorInvalidFilterSetting (linear filtering of
 * integers), cudaErrorInvalidNormSetting (floats or 32 bits, normalised), cudaErrorNotSupported (mipmaps,
 * compressed views).
 */
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *__pTexObject,
                                    const struct cudaResourceDesc *__pResDesc,
                                    const struct cudaTextureDesc *__pTexDesc,
                                    const struct cudaResourceViewDesc *__pResViewDesc);
/** Ends a texture object; its array stays. Kernels that were launched before may still read it. @return
 *  cudaErrorInvalidValue when it is none; 0 is fine. */
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t __texObject);
/** What a texture object was made of. @return cudaErrorInvalidValue. */
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *__pResDesc,
                                             cudaTextureObject_t __texObject)
    UMSIM_CUDA12_SYMBOL("cudaGetTextureObjectResourceDesc");
/** How the texture object reads. @return cudaErrorInvalidValue. */
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *__pTexDesc,
                                            cudaTextureObject_t __texObject);
/** The texture object's view; all zero if it was made without one. @return cudaErrorInvalidValue. */
cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *__pResViewDesc,
                                                 cudaTextureObject_t __texObject)
    UMSIM_CUDA12_SYMBOL("cudaGetTextureObjectResourceViewDesc");
/** Makes a surface object of an array, which should have cudaArraySurfaceLoadStore. @return
 * cudaErrorInvalidValue. */
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *__pSurfObject,
                                    const struct cudaResourceDesc *__pResDesc);
/** Ends a surface object; its array stays. @return cudaErrorInvalidValue when it is none; 0 is fine. */
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t __surfObject);
/** What a surface object was made of. @return cudaErrorInvalidValue. */
cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *__pResDesc,
                                             cudaSurfaceObject_t __surfObject)
    UMSIM_CUDA12_SYMBOL("cudaGetSurfaceObjectResourceDesc");
/** @} */

#ifdef __cplusplus
}
#endif
#endif
