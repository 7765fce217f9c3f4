/**
 * @file texture.c
 * @brief Texture and surface objects (CUDA Driver API: Texture Object Management, Surface Object Management).
 *
 * Objects are the runtime's. An element's format is a number here and bits there, and how a texture is read
 * stands in flags. That a texture of small integers is read as numbers from 0 to 1 is the rule here, and a
 * wish there.
 */
#include "format.h"

#include <string.h>

_Static_assert(sizeof(CUDA_RESOURCE_VIEW_DESC) == sizeof(struct cudaResourceViewDesc), "one layout");

/* ---- what an object is made of ---- */

static CUresult resource_of(struct cudaResourceDesc *out, const CUDA_RESOURCE_DESC *in)
{
    bool known = true;
    *out = (struct cudaResourceDesc){.resType = (enum cudaResourceType)in->resType};
    switch (in->resType) {
    case CU_RESOURCE_TYPE_ARRAY:
        out->res.array.array = (cudaArray_t)in->res.array.hArray;
        break;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
        return CUDA_ERROR_NOT_SUPPORTED;
    case CU_RESOURCE_TYPE_LINEAR:
        out->res.linear.devPtr = umsim_pointer(in->res.linear.devPtr);
        out->res.linear.sizeInBytes = in->res.linear.sizeInBytes;
        known = umsim_format_of(&out->res.linear.desc, in->res.linear.format, in->res.linear.numChannels);
        break;
    case CU_RESOURCE_TYPE_PITCH2D:
        out->res.pitch2D.devPtr = umsim_pointer(in->res.pitch2D.devPtr);
        out->res.pitch2D.width = in->res.pitch2D.width;
        out->res.pitch2D.height = in->res.pitch2D.height;
        out->res.pitch2D.pitchInBytes = in->res.pitch2D.pitchInBytes;
        known = umsim_format_of(&out->res.pitch2D.desc, in->res.pitch2D.format, in->res.pitch2D.numChannels);
        break;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
    return known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static void tell_resource(CUDA_RESOURCE_DESC *out, const struct cudaResourceDesc *in)
{
    memset(out, 0, sizeof *out);
    out->resType = (CUresourcetype)in->resType;
    if (in->resType == cudaResourceTypeArray) {
        out->res.array.hArray = (CUarray)in->res.array.array;
    } else if (in->resType == cudaResourceTypeLinear) {
        out->res.linear.devPtr = umsim_address(in->res.linear.devPtr);
        out->res.linear.format = umsim_format_told(&in->res.linear.desc, &out->res.linear.numChannels);
        out->res.linear.sizeInBytes = in->res.linear.sizeInBytes;
    } else {
        out->res.pitch2D.devPtr = umsim_address(in->res.pitch2D.devPtr);
        out->res.pitch2D.format = umsim_format_told(&in->res.pitch2D.desc, &out->res.pitch2D.numChannels);
        out->res.pitch2D.width = in->res.pitch2D.width;
        out->res.pitch2D.height = in->res.pitch2D.height;
        out->res.pitch2D.pitchInBytes = in->res.pitch2D.pitchInBytes;
    }
}

/* How its elements lie; of a view, the format in which they are read is looked at by the runtime. */
static CUresult channels_of(struct cudaChannelFormatDesc *out, const struct cudaResourceDesc *resource)
{
    if (resource->resType == cudaResourceTypeArray)
        return umsim_result(cudaGetChannelDesc(out, resource->res.array.array));
    *out =
        resource->resType == cudaResourceTypeLinear ? resource->res.linear.desc : resource->res.pitch2D.desc;
    return CUDA_SUCCESS;
}

/* ---- how a texture is read ---- */

static bool has(unsigned flags, unsigned flag)
{
    return flags & flag;
}

/* Integers of 32 bits stay integers in any case. */
static bool becomes_fraction(const CUDA_TEXTURE_DESC *in, const struct cudaChannelFormatDesc *channels)
{
    return !has(in->flags, CU_TRSF_READ_AS_INTEGER) && channels->f != cudaChannelFormatKindFloat &&
           channels->x < 32;
}

static void reading_of(struct cudaTextureDesc *out, const CUDA_TEXTURE_DESC *in,
                       const struct cudaChannelFormatDesc *channels)
{
    *out = (struct cudaTextureDesc){
        .filterMode = (enum cudaTextureFilterMode)in->filterMode,
        .readMode = becomes_fraction(in, channels) ? cudaReadModeNormalizedFloat : cudaReadModeElementType,
        .sRGB = has(in->flags, CU_TRSF_SRGB),
        .normalizedCoords = has(in->flags, CU_TRSF_NORMALIZED_COORDINATES),
        .maxAnisotropy = in->maxAnisotropy,
        .mipmapFilterMode = (enum cudaTextureFilterMode)in->mipmapFilterMode,
        .mipmapLevelBias = in->mipmapLevelBias,
        .minMipmapLevelClamp = in->minMipmapLevelClamp,
        .maxMipmapLevelClamp = in->maxMipmapLevelClamp,
        .disableTrilinearOptimization = has(in->flags, CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION),
        .seamlessCubemap = has(in->flags, CU_TRSF_SEAMLESS_CUBEMAP)};
    for (int i = 0; i < 3; i++)
        out->addressMode[i] = (enum cudaTextureAddressMode)in->addressMode[i];
    memcpy(out->borderColor, in->borderColor, sizeof out->borderColor);
}

/* Of floats nobody knows whether they were wished to be integers: they are told not to be. */
static void tell_reading(CUDA_TEXTURE_DESC *out, const struct cudaTextureDesc *in,
                         const struct cudaChannelFormatDesc *channels)
{
    const bool as_integer =
        in->readMode == cudaReadModeElementType && channels->f != cudaChannelFormatKindFloat;
    *out = (CUDA_TEXTURE_DESC){
        .filterMode = (CUfilter_mode)in->filterMode,
        .flags = (as_integer ? CU_TRSF_READ_AS_INTEGER : 0u) | (in->sRGB ? CU_TRSF_SRGB : 0u) |
                 (in->normalizedCoords ? CU_TRSF_NORMALIZED_COORDINATES : 0u) |
                 (in->disableTrilinearOptimization ? CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION : 0u) |
                 (in->seamlessCubemap ? CU_TRSF_SEAMLESS_CUBEMAP : 0u),
        .maxAnisotropy = in->maxAnisotropy,
        .mipmapFilterMode = (CUfilter_mode)in->mipmapFilterMode,
        .mipmapLevelBias = in->mipmapLevelBias,
        .minMipmapLevelClamp = in->minMipmapLevelClamp,
        .maxMipmapLevelClamp = in->maxMipmapLevelClamp};
    for (int i = 0; i < 3; i++)
        out->addressMode[i] = (CUaddress_mode)in->addressMode[i];
    memcpy(out->borderColor, in->borderColor, sizeof out->borderColor);
}

/* ---- the calls ---- */

CUresult cuTexObjectCreate(CUtexObject *pTexObject, const CUDA_RESOURCE_DESC *pResDesc,
                           const CUDA_TEXTURE_DESC *pTexDesc, const CUDA_RESOURCE_VIEW_DESC *pResViewDesc)
{
    UMSIM_DRIVER(cuTexObjectCreate, UMSIM_NEEDS_CONTEXT);
    struct cudaResourceDesc resource;
    struct cudaTextureDesc reading;
    struct cudaChannelFormatDesc channels;
    if (!pTexObject || !pResDesc || !pTexDesc)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult error = resource_of(&resource, pResDesc);
    if (!error)
        error = channels_of(&channels, &resource);
    if (error)
        return error;
    reading_of(&reading, pTexDesc, &channels);
    return umsim_result(cudaCreateTextureObject((cudaTextureObject_t *)pTexObject, &resource, &reading,
                                                (const struct cudaResourceViewDesc *)pResViewDesc));
}

CUresult cuTexObjectDestroy(CUtexObject texObject)
{
    UMSIM_DRIVER(cuTexObjectDestroy, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaDestroyTextureObject(texObject));
}

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *pResDesc, CUtexObject texObject)
{
    UMSIM_DRIVER(cuTexObjectGetResourceDesc, UMSIM_NEEDS_CONTEXT);
    struct cudaResourceDesc resource;
    if (!pResDesc)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult error = umsim_result(cudaGetTextureObjectResourceDesc(&resource, texObject));
    if (!error)
        tell_resource(pResDesc, &resource);
    return error;
}

CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *pTexDesc, CUtexObject texObject)
{
    UMSIM_DRIVER(cuTexObjectGetTextureDesc, UMSIM_NEEDS_CONTEXT);
    struct cudaTextureDesc reading;
    struct cudaResourceDesc resource;
    struct cudaChannelFormatDesc channels;
    if (!pTexDesc)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult error = umsim_result(cudaGetTextureObjectTextureDesc(&reading, texObject));
    if (!error)
        error = umsim_result(cudaGetTextureObjectResourceDesc(&resource, texObject));
    if (!error)
        error = channels_of(&channels, &resource);
    if (!error)
        tell_reading(pTexDesc, &reading, &channels);
    return error;
}

CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *pResViewDesc, CUtexObject texObject)
{
    UMSIM_DRIVER(cuTexObjectGetResourceViewDesc, UMSIM_NEEDS_CONTEXT);
    return umsim_result(
        cudaGetTextureObjectResourceViewDesc((struct cudaResourceViewDesc *)pResViewDesc, texObject));
}

CUresult cuSurfObjectCreate(CUsurfObject *pSurfObject, const CUDA_RESOURCE_DESC *pResDesc)
{
    UMSIM_DRIVER(cuSurfObjectCreate, UMSIM_NEEDS_CONTEXT);
    struct cudaResourceDesc resource;
    if (!pSurfObject || !pResDesc)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult error = resource_of(&resource, pResDesc);
    return error ? error
                 : umsim_result(cudaCreateSurfaceObject((cudaSurfaceObject_t *)pSurfObject, &resource));
}

CUresult cuSurfObjectDestroy(CUsurfObject surfObject)
{
    UMSIM_DRIVER(cuSurfObjectDestroy, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaDestroySurfaceObject(surfObject));
}

CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *pResDesc, CUsurfObject surfObject)
{
    UMSIM_DRIVER(cuSurfObjectGetResourceDesc, UMSIM_NEEDS_CONTEXT);
    struct cudaResourceDesc resource;
    if (!pResDesc)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult error = umsim_result(cudaGetSurfaceObjectResourceDesc(&resource, surfObject));
    if (!error)
        tell_resource(pResDesc, &resource);
    return error;
}
