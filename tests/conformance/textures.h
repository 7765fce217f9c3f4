/**
 * @file textures.h
 * @brief Kernels that read textures and write surfaces, for C: each launcher waits, and returns what the
 * kernel came to. And what array.c and texture.c share.
 */
#ifndef CONFORMANCE_TEXTURES_H
#define CONFORMANCE_TEXTURES_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/** out[i] = tex1Dfetch<float>(texture, first + i), i = 0 .. 3. `out` is device memory here and below. */
cudaError_t conf_fetch(cudaTextureObject_t texture, int first, float *out);
/** out[i] = tex1D<float>(texture, first + i * step), i < n <= 64. */
cudaError_t conf_sample(cudaTextureObject_t texture, float first, float step, int n, float *out);
/** *out = tex2D<float4>(texture, x, y) and tex2D<uint4>(texture, x, y): 4 floats, or 4 integers. */
cudaError_t conf_read_float4(cudaTextureObject_t texture, float x, float y, float *out);
cudaError_t conf_read_uint4(cudaTextureObject_t texture, float x, float y, unsigned *out);
/** out[i] = surf2Dread<float4>(surface, first + 16 i, y).x, i < n <= 64; likewise of floats, 4 bytes apart.
 */
cudaError_t conf_surface_read4(cudaSurfaceObject_t surface, int first, int y, int n,
                               enum cudaSurfaceBoundaryMode mode, float *out);
cudaError_t conf_surface_read(cudaSurfaceObject_t surface, int first, int y, int n,
                              enum cudaSurfaceBoundaryMode mode, float *out);
/** Writes an int to a surface, x in bytes. */
cudaError_t conf_surface_write(cudaSurfaceObject_t surface, int x, int y, int value,
                               enum cudaSurfaceBoundaryMode mode);

#ifdef __cplusplus
}
#endif

#ifndef __cplusplus
#include <string.h>

#include "behaviour.h"
#include "child.h"

/** @name What the tests of arrays and of textures share
 * @{ */
#define CONF_WIDTH 16
#define CONF_HEIGHT 8
static const struct cudaChannelFormatDesc conf_floats = {32, 0, 0, 0, cudaChannelFormatKindFloat};
static const struct cudaChannelFormatDesc conf_bytes = {8, 0, 0, 0, cudaChannelFormatKindUnsigned};
static const struct cudaChannelFormatDesc conf_ints = {32, 0, 0, 0, cudaChannelFormatKindSigned};

static inline struct cudaChannelFormatDesc channels_of(int x, int y, int z, int w,
                                                       enum cudaChannelFormatKind kind)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, kind};
}

static inline cudaArray_t array_of(const struct cudaChannelFormatDesc *channels, size_t width, size_t height,
                                   unsigned flags)
{
    cudaArray_t array = NULL;

    CHILD_NEED(cudaMallocArray(&array, channels, width, height, flags));
    return array;
}
/** @} */
#endif

#endif
