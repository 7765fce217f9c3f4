/**
 * @file texture_types.h
 * @brief The type of a texture object and the ways in which it is read. Included by cuda_runtime_api.h.
 * Names, values and layouts are CUDA's.
 */
#ifndef UMSIM_TEXTURE_TYPES_H
#define UMSIM_TEXTURE_TYPES_H
#define __TEXTURE_TYPES_H__ /* NVIDIA's name for it: programs test whether it is defined */

#include "driver_types.h"

/** @name Kinds of textures
 * @{ */
#define cudaTextureType1D 0x01             /**< one dimension */
#define cudaTextureType2D 0x02             /**< two */
#define cudaTextureType3D 0x03             /**< three */
#define cudaTextureTypeCubemap 0x0C        /**< a cubemap */
#define cudaTextureType1DLayered 0xF1      /**< layers of one dimension */
#define cudaTextureType2DLayered 0xF2      /**< layers of two */
#define cudaTextureTypeCubemapLayered 0xFC /**< several cubemaps */
/** @} */

/** What a read beyond an edge gives. Wrap and Mirror need normalised coordinates; without them they act as
 * Clamp. */
enum cudaTextureAddressMode {
    cudaAddressModeWrap = 0,   /**< the texture repeated */
    cudaAddressModeClamp = 1,  /**< its last element */
    cudaAddressModeMirror = 2, /**< the texture mirrored */
    cudaAddressModeBorder = 3  /**< cudaTextureDesc.borderColor */
};

/** What a read between elements gives. */
enum cudaTextureFilterMode {
    cudaFilterModePoint = 0, /**< the element that the coordinates are in */
    cudaFilterModeLinear =
        1 /**< the nearest elements interpolated, with weights in steps of 1/256; floating point only */
};

/** What integers are read as. */
enum cudaTextureReadMode {
    cudaReadModeElementType = 0,    /**< what they are */
    cudaReadModeNormalizedFloat = 1 /**< those of 8 and 16 bits as 0 to 1, or -1 to 1 */
};

/** How a texture object reads. Set all of it to zero first. */
struct cudaTextureDesc {
    enum cudaTextureAddressMode addressMode[3]; /**< for x, y, z */
    enum cudaTextureFilterMode filterMode;      /**< between elements */
    enum cudaTextureReadMode readMode;          /**< of integers */
    int sRGB;                                   /**< 8-bit colours are sRGB, and become linear */
    float borderColor[4]; /**< for cudaAddressModeBorder; the bits of an integer if the texture gives integers
                           */
    int normalizedCoords; /**< 0 to 1 is the whole width; otherwise coordinates count elements */
    unsigned int maxAnisotropy;                  /**< of no effect here */
    enum cudaTextureFilterMode mipmapFilterMode; /**< of no effect here */
    float mipmapLevelBias;                       /**< of no effect here */
    float minMipmapLevelClamp;                   /**< of no effect here */
    float maxMipmapLevelClamp;                   /**< of no effect here */
    int disableTrilinearOptimization;            /**< of no effect here */
    int seamlessCubemap;                         /**< linear filtering across edges: not provided */
};

/** A texture object, as kernels take it. */
typedef unsigned long long cudaTextureObject_t;

#endif
