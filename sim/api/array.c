/**
 * @file array.c
 * @brief cudaMallocArray and related calls (CUDA Runtime API, Memory Management).
 *
 * space/array.h says what an array is.
 */
#include "array.h"
#include "attributes.h"
#include "memory.h"
#include "../record/counters.h"
#include "../base/sticky.h"

#define FLAGS_KNOWN                                                                                          \
    (cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather |              \
     cudaArrayColorAttachment | cudaArraySparse | cudaArrayDeferredMapping)
#define FLAGS_MISSING (cudaArrayColorAttachment | cudaArraySparse | cudaArrayDeferredMapping)
#define FACES ((size_t)6)

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, f};
}

/* ---- elements ---- */

/* Returns 0 where CUDA has no such number of channels. */
static unsigned channels_of(const struct cudaChannelFormatDesc *desc)
{
    const int bits = desc->x, y = desc->y, z = desc->z, w = desc->w;
    if ((y && y != bits) || (z && z != bits) || z != w || (z && !y))
        return 0;
    return z ? 4 : y ? 2 : 1;
}

/* True for cudaChannelFormatKindUnsignedNormalized8X1 and the values that follow it: 8 bits with 1, 2 and 4
 * channels, then 16 bits. */
static bool is_normalized(enum cudaChannelFormatKind kind)
{
    return kind >= cudaChannelFormatKindUnsignedNormalized8X1 &&
           kind <= cudaChannelFormatKindSignedNormalized16X4;
}

static bool fits_its_name(const struct umsim_element *element, enum cudaChannelFormatKind kind)
{
    const unsigned number = (unsigned)(kind - cudaChannelFormatKindUnsignedNormalized8X1) % 6;
    return element->channel == 1 + number / 3 && element->channels == 1u << number % 3;
}

cudaError_t umsim_element_of(const struct cudaChannelFormatDesc *desc, struct umsim_element *element)
{
    if (desc->f >= cudaChannelFormatKindNV12 && !is_normalized(desc->f))
        return desc->f <= cudaChannelFormatKindUnsignedNormalized1010102 ? cudaErrorNotSupported
                                                                         : cudaErrorInvalidChannelDescriptor;
    *element = (struct umsim_element){.channels = channels_of(desc), .channel = (unsigned)desc->x / 8};
    element->normalized = is_normalized(desc->f);
    element->kind =
        desc->f == cudaChannelFormatKindFloat ? UMSIM_TEXEL_FLOAT
        : desc->f == cudaChannelFormatKindSigned || desc->f >= cudaChannelFormatKindSignedNormalized8X1
            ? UMSIM_TEXEL_SIGNED
            : UMSIM_TEXEL_UNSIGNED;
    const bool bits = desc->x == 8 || desc->x == 16 || desc->x == 32;
    if (!bits || !element->channels || desc->f == cudaChannelFormatKindNone || (int)desc->f < 0 ||
        (element->kind == UMSIM_TEXEL_FLOAT && desc->x == 8) ||
        (element->normalized && !fits_its_name(element, desc->f)))
        return cudaErrorInvalidChannelDescriptor;
    return cudaSuccess;
}

/* ---- sizes ---- */

/** The largest extents, as device attributes; 0 where the dimension does not exist. */
struct limits {
    enum cudaDeviceAttr width, height, depth;
};

#define WITHOUT ((enum cudaDeviceAttr)0)
enum { ONE, TWO, THREE, ONE_LAYERED, TWO_LAYERED, CUBE, CUBES, SHAPES };

static const struct limits of_textures[SHAPES] = {
    [ONE] = {cudaDevAttrMaxTexture1DWidth, WITHOUT, WITHOUT},
    [TWO] = {cudaDevAttrMaxTexture2DWidth, cudaDevAttrMaxTexture2DHeight, WITHOUT},
    [THREE] = {cudaDevAttrMaxTexture3DWidth, cudaDevAttrMaxTexture3DHeight, cudaDevAttrMaxTexture3DDepth},
    [ONE_LAYERED] = {cudaDevAttrMaxTexture1DLayeredWidth, WITHOUT, cudaDevAttrMaxTexture1DLayeredLayers},
    [TWO_LAYERED] = {cudaDevAttrMaxTexture2DLayeredWidth, cudaDevAttrMaxTexture2DLayeredHeight,
                     cudaDevAttrMaxTexture2DLayeredLayers},
    [CUBE] = {cudaDevAttrMaxTextureCubemapWidth, cudaDevAttrMaxTextureCubemapWidth,
              cudaDevAttrMaxTextureCubemapLayeredLayers},
    [CUBES] = {cudaDevAttrMaxTextureCubemapLayeredWidth, cudaDevAttrMaxTextureCubemapLayeredWidth,
               cudaDevAttrMaxTextureCubemapLayeredLayers},
};
static const struct limits of_surfaces[SHAPES] = {
    [ONE] = {cudaDevAttrMaxSurface1DWidth, WITHOUT, WITHOUT},
    [TWO] = {cudaDevAttrMaxSurface2DWidth, cudaDevAttrMaxSurface2DHeight, WITHOUT},
    [THREE] = {cudaDevAttrMaxSurface3DWidth, cudaDevAttrMaxSurface3DHeight, cudaDevAttrMaxSurface3DDepth},
    [ONE_LAYERED] = {cudaDevAttrMaxSurface1DLayeredWidth, WITHOUT, cudaDevAttrMaxSurface1DLayeredLayers},
    [TWO_LAYERED] = {cudaDevAttrMaxSurface2DLayeredWidth, cudaDevAttrMaxSurface2DLayeredHeight,
                     cudaDevAttrMaxSurface2DLayeredLayers},
    [CUBE] = {cudaDevAttrMaxSurfaceCubemapWidth, cudaDevAttrMaxSurfaceCubemapWidth,
              cudaDevAttrMaxSurfaceCubemapLayeredLayers},
    [CUBES] = {cudaDevAttrMaxSurfaceCubemapLayeredWidth, cudaDevAttrMaxSurfaceCubemapLayeredWidth,
               cudaDevAttrMaxSurfaceCubemapLayeredLayers},
};
static const struct limits of_three_otherwise = {
    cudaDevAttrMaxTexture3DWidthAlt, cudaDevAttrMaxTexture3DHeightAlt, cudaDevAttrMaxTexture3DDepthAlt};
static const struct limits of_gathers = {cudaDevAttrMaxTexture2DGatherWidth,
                                         cudaDevAttrMaxTexture2DGatherHeight, WITHOUT};

static bool fits(size_t size, enum cudaDeviceAttr limit)
{
    return limit ? size >= 1 && size <= (size_t)umsim_attribute_value(limit) : size == 0;
}

static bool within(struct cudaExtent extent, const struct limits *limits)
{
    return fits(extent.width, limits->width) && fits(extent.height, limits->height) &&
           fits(extent.depth, limits->depth);
}

static int shape_of(struct cudaExtent extent, unsigned flags)
{
    const bool layered = flags & cudaArrayLayered;
    if (flags & cudaArrayCubemap)
        return layered ? CUBES : CUBE;
    if (layered)
        return extent.height ? TWO_LAYERED : ONE_LAYERED;
    return extent.depth ? THREE : extent.height ? TWO : ONE;
}

static bool extent_fits(struct cudaExtent extent, unsigned flags)
{
    const bool surface = flags & cudaArraySurfaceLoadStore;
    const int shape = shape_of(extent, flags);
    if ((flags & cudaArrayCubemap) &&
        (extent.width != extent.height || extent.depth % FACES || (shape == CUBE && extent.depth != FACES)))
        return false;
    if ((flags & cudaArrayTextureGather) && (shape != TWO || !within(extent, &of_gathers)))
        return false;
    if (surface && !within(extent, &of_surfaces[shape]))
        return false;
    return within(extent, &of_textures[shape]) || (shape == THREE && within(extent, &of_three_otherwise));
}

/* ---- the calls ---- */

static cudaError_t allocate(cudaArray_t *out, const struct umsim_array *array, size_t bytes, const char *call,
                            const void *caller)
{
    struct umsim_alloc *allocation;
    umsim_spend_chunked(UMSIM_MALLOC, bytes, &umsim_device_chunks);
    if (!bytes)
        return cudaErrorMemoryAllocation;
    const cudaError_t error = umsim_device_allocate(bytes, call, caller, &allocation);
    if (error)
        return error;
    if (!umsim_array_adopt(allocation, array)) {
        umsim_device_release(allocation);
        return cudaErrorMemoryAllocation;
    }
    *out = umsim_array_handle(allocation->detail);
    return cudaSuccess;
}

static cudaError_t malloc_array(cudaArray_t *out, const struct cudaChannelFormatDesc *desc,
                                struct cudaExtent extent, unsigned flags, const char *call,
                                const void *caller)
{
    struct umsim_element element;
    if (!out || !desc || (flags & ~(unsigned)FLAGS_KNOWN))
        return cudaErrorInvalidValue;
    if (flags & FLAGS_MISSING)
        return cudaErrorNotSupported;
    const cudaError_t error = umsim_element_of(desc, &element);
    if (error)
        return error;
    if (!extent_fits(extent, flags))
        return cudaErrorInvalidValue;
    struct umsim_array array = {.channels = *desc,
                                .extent = extent,
                                .flags = flags,
                                .element = (size_t)element.channels * element.channel};
    return allocate(out, &array, umsim_array_lay_out(&array), call, caller);
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, size_t width,
                            size_t height, unsigned int flags)
{
    UMSIM_ENTER(cudaMallocArray, array, desc, width, height, flags);
    if (flags & cudaArrayLayered)
        return umsim_leave(cudaErrorInvalidValue);
    return umsim_leave(malloc_array(array, desc, (struct cudaExtent){width, height, 0}, flags,
                                    "cudaMallocArray", __builtin_return_address(0)));
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned int flags)
{
    UMSIM_ENTER(cudaMalloc3DArray, array, desc, extent, flags);
    return umsim_leave(
        malloc_array(array, desc, extent, flags, "cudaMalloc3DArray", __builtin_return_address(0)));
}

/* Waits for the device, as cudaFree() does. */
cudaError_t cudaFreeArray(cudaArray_t handle)
{
    UMSIM_ENTER(cudaFreeArray, handle);
    const struct umsim_array *array = umsim_array_of(handle);
    if (!array)
        return umsim_leave(handle ? cudaErrorInvalidValue : cudaSuccess);
    umsim_wait_for_devices();
    umsim_count(synchronizations, 1);
    const size_t bytes = array->allocation->bytes;
    umsim_device_release(array->allocation);
    umsim_spend_chunked(UMSIM_FREE, bytes, &umsim_device_chunks);
    return umsim_leave(umsim_sticky_error());
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                             unsigned int *flags, cudaArray_t handle)
{
    UMSIM_ENTER(cudaArrayGetInfo, handle);
    const struct umsim_array *array = umsim_array_of(handle);
    umsim_spend(UMSIM_CALL_LOOKUP);
    if (!array)
        return umsim_leave(cudaErrorInvalidValue);
    if (desc)
        *desc = array->channels;
    if (extent)
        *extent = array->extent;
    if (flags)
        *flags = array->flags;
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t handle)
{
    UMSIM_ENTER(cudaGetChannelDesc, desc, handle);
    const struct umsim_array *array = umsim_array_of(handle);
    umsim_spend(UMSIM_CALL_LOOKUP);
    if (!desc || !array)
        return umsim_leave(cudaErrorInvalidValue);
    *desc = array->channels;
    return umsim_leave(cudaSuccess);
}
