/**
 * @file array.h
 * @brief What arrays, textures and surfaces share: their elements, and functions that several calls are built
 * on.
 *
 * Callers hold the lock.
 */
#ifndef UMSIM_API_ARRAY_OBJECTS_H
#define UMSIM_API_ARRAY_OBJECTS_H

#include "runtime.h"
#include "../devlib/texture.h"
#include "../space/array.h"

/** An element, as texture units read it. */
struct umsim_element {
    unsigned channels, channel; /* 1, 2 or 4 channels; each of 1, 2 or 4 bytes */
    enum umsim_texel_kind kind;
    bool normalized; /* integers that are always read as floating point */
};

/**
 * Finds the element type that a descriptor describes.
 * @return cudaErrorInvalidChannelDescriptor, or cudaErrorNotSupported for elements that GPUs have and the
 * simulator does not
 */
cudaError_t umsim_element_of(const struct cudaChannelFormatDesc *desc, struct umsim_element *element);

/** The kind of a copy to or from arrays: an array is on the device, whatever the caller says. */
enum cudaMemcpyKind umsim_kind_with_arrays(enum cudaMemcpyKind kind, bool to_array, bool from_array);

/** Forgets the current device's texture and surface objects, because it is reset. */
void umsim_textures_forget(void);

/**
 * Copies the resource that an object was made of into `bytes` bytes at `to`. CUDA 12's structures are shorter
 * than CUDA 13's, so the caller says how long its own is.
 * @return cudaErrorInvalidValue
 */
cudaError_t umsim_texture_resource(void *to, size_t bytes, uint64_t handle, bool is_surface);
cudaError_t umsim_texture_view(void *to, size_t bytes, uint64_t handle);

/** @name For per_thread.c: the copies that imply a stream, with the stream as a parameter @{ */
cudaError_t umsim_memcpy2d_to_array_on(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                                       size_t spitch, size_t width, size_t height, enum cudaMemcpyKind kind,
                                       cudaStream_t stream, const char *call);
cudaError_t umsim_memcpy2d_from_array_on(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset,
                                         size_t hOffset, size_t width, size_t height,
                                         enum cudaMemcpyKind kind, cudaStream_t stream, const char *call);
cudaError_t umsim_memcpy2d_array_to_array_on(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                             cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
                                             size_t width, size_t height, enum cudaMemcpyKind kind,
                                             cudaStream_t stream, const char *call);
cudaError_t umsim_memcpy_to_array_on(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                                     size_t count, enum cudaMemcpyKind kind, cudaStream_t stream,
                                     const char *call);
cudaError_t umsim_memcpy_from_array_on(void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset,
                                       size_t count, enum cudaMemcpyKind kind, cudaStream_t stream,
                                       const char *call);
cudaError_t umsim_memcpy_array_to_array_on(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                           cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
                                           size_t count, enum cudaMemcpyKind kind, cudaStream_t stream,
                                           const char *call);
/** @} */

#endif
