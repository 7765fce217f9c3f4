/**
 * @file umsim/types_array.h
 * @brief Types of CUDA arrays and of the parts of textures and surfaces. Included by driver_types.h.
 *
 * Names, values and layouts are CUDA's. A cudaArray_t is a handle: it stands for elements in device memory
 * in an order that only the texture units know, so neither the host nor a kernel may dereference it.
 * Copies, texture objects and surface objects take it.
 */
#ifndef UMSIM_TYPES_ARRAY_H
#define UMSIM_TYPES_ARRAY_H

#include <stddef.h>

#include "vector_types.h"

/** @name Flags of arrays: cudaMallocArray(), cudaMalloc3DArray()
 * @{ */
#define cudaArrayDefault 0x00          /**< for textures */
#define cudaArrayLayered 0x01          /**< the depth counts layers */
#define cudaArraySurfaceLoadStore 0x02 /**< for surfaces, too */
#define cudaArrayCubemap 0x04          /**< the depth counts faces, six of a cube */
#define cudaArrayTextureGather 0x08    /**< for tex2Dgather(), too */
#define cudaArrayColorAttachment 0x20  /**< of graphics; not provided */
#define cudaArraySparse 0x40           /**< without memory of its own; not provided */
#define cudaArrayDeferredMapping 0x80  /**< without memory of its own; not provided */
/** @} */

/** What the bits of a channel are. */
enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned = 0,   /**< signed integers */
    cudaChannelFormatKindUnsigned = 1, /**< unsigned integers */
    cudaChannelFormatKindFloat = 2,    /**< floating point of 16 or 32 bits */
    cudaChannelFormatKindNone = 3,     /**< none */
    cudaChannelFormatKindNV12 = 4,     /**< planes of video; not provided */
    cudaChannelFormatKindUnsignedNormalized8X1 =
        5, /**< 1 channel of 8-bit unsigned integers, read as float */
    cudaChannelFormatKindUnsignedNormalized8X2 =
        6, /**< 2 channels of 8-bit unsigned integers, read as float */
    cudaChannelFormatKindUnsignedNormalized8X4 =
        7, /**< 4 channels of 8-bit unsigned integers, read as float */
    cudaChannelFormatKindUnsignedNormalized16X1 =
        8, /**< 1 channel of 16-bit unsigned integers, read as float */
    cudaChannelFormatKindUnsignedNormalized16X2 =
        9, /**< 2 channels of 16-bit unsigned integers, read as float */
    cudaChannelFormatKindUnsignedNormalized16X4 =
        10, /**< 4 channels of 16-bit unsigned integers, read as float */
    cudaChannelFormatKindSignedNormalized8X1 = 11,  /**< 1 channel of 8-bit signed integers, read as float */
    cudaChannelFormatKindSignedNormalized8X2 = 12,  /**< 2 channels of 8-bit signed integers, read as float */
    cudaChannelFormatKindSignedNormalized8X4 = 13,  /**< 4 channels of 8-bit signed integers, read as float */
    cudaChannelFormatKindSignedNormalized16X1 = 14, /**< 1 channel of 16-bit signed integers, read as float */
    cudaChannelFormatKindSignedNormalized16X2 =
        15, /**< 2 channels of 16-bit signed integers, read as float */
    cudaChannelFormatKindSignedNormalized16X4 =
        16, /**< 4 channels of 16-bit signed integers, read as float */
    cudaChannelFormatKindUnsignedBlockCompressed1 = 17,     /**< compressed; not provided */
    cudaChannelFormatKindUnsignedBlockCompressed1SRGB = 18, /**< compressed; not provided */
    cudaChannelFormatKindUnsignedBlockCompressed2 = 19,     /**< compressed; not provided */
    cudaChannelFormatKindUnsignedBlockCompressed2SRGB = 20, /**< compressed; not provided */
    cudaChannelFormatKindUnsignedBlockCompressed3 = 21,     /**< compressed; not provided */
    cudaChannelFormatKindUnsignedBlockCompressed3SRGB = 22, /**< compressed; not provided */
    cudaChannelFormatKindUnsignedBlockCompressed4 = 23,     /**< compressed; not provided */
    cudaChannelFormatKindSignedBlockCompressed4 = 24,       /**< compressed; not provided */
    cudaChannelFormatKindUnsignedBlockCompressed5 = 25,     /**< compressed; not provided */
    cudaChannelFormatKindSignedBlockCompressed5 = 26,       /**< compressed; not provided */
    cudaChannelFormatKindUnsignedBlockCompressed6H = 27,    /**< compressed; not provided */
    cudaChannelFormatKindSignedBlockCompressed6H = 28,      /**< compressed; not provided */
    cudaChannelFormatKindUnsignedBlockCompressed7 = 29,     /**< compressed; not provided */
    cudaChannelFormatKindUnsignedBlockCompressed7SRGB = 30, /**< compressed; not provided */
    cudaChannelFormatKindUnsignedNormalized1010102 = 31     /**< 10, 10, 10 and 2 bits; not provided */
};

/** An element: the bits of up to four channels, all of the same size; 0 for those that it lacks. */
struct cudaChannelFormatDesc {
    int x;                        /**< bits */
    int y;                        /**< bits */
    int z;                        /**< bits */
    int w;                        /**< bits */
    enum cudaChannelFormatKind f; /**< what they are */
};

struct cudaArray;
typedef struct cudaArray *cudaArray_t;             /**< handle of an array */
typedef const struct cudaArray *cudaArray_const_t; /**< the same, for an array that is only read */
/** Handle of an array in several sizes. The simulator has none. */
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;

/** The kinds of resources that a texture or a surface can use. */
enum cudaResourceType {
    cudaResourceTypeArray = 0,          /**< an array */
    cudaResourceTypeMipmappedArray = 1, /**< not provided */
    cudaResourceTypeLinear = 2,         /**< device memory, in one dimension: for tex1Dfetch() */
    cudaResourceTypePitch2D = 3         /**< device memory with padded rows */
};

/** The resource of a texture or a surface. Set all of it to zero first. */
struct cudaResourceDesc {
    enum cudaResourceType resType; /**< selects the member of `res` */
    union {
        struct {
            cudaArray_t array; /**< the handle */
        } array;
        struct {
            cudaMipmappedArray_t mipmap; /**< the handle */
        } mipmap;
        struct {
            void *devPtr;                      /**< a multiple of textureAlignment */
            struct cudaChannelFormatDesc desc; /**< an element */
            size_t sizeInBytes;                /**< how much of it */
        } linear;
        struct {
            void *devPtr;                      /**< a multiple of textureAlignment */
            struct cudaChannelFormatDesc desc; /**< an element */
            size_t width;                      /**< elements of a row */
            size_t height;                     /**< rows */
            size_t pitchInBytes; /**< from a row to the next; a multiple of texturePitchAlignment */
        } pitch2D;
#ifndef UMSIM_CUDA12
        struct {
            int reserved[32]; /**< space for later versions */
        } reserved;
#endif
    } res; /**< the resource */
#ifndef UMSIM_CUDA12
    unsigned int flags; /**< 0 */
#endif
};

/** The format in which an array's elements are read, instead of their own. */
enum cudaResourceViewFormat {
    cudaResViewFormatNone = 0,                       /**< the array's own */
    cudaResViewFormatUnsignedChar1 = 1,              /**< 1 channel of 8-bit unsigned integers */
    cudaResViewFormatUnsignedChar2 = 2,              /**< 2 channels of 8-bit unsigned integers */
    cudaResViewFormatUnsignedChar4 = 3,              /**< 4 channels of 8-bit unsigned integers */
    cudaResViewFormatSignedChar1 = 4,                /**< 1 channel of 8-bit signed integers */
    cudaResViewFormatSignedChar2 = 5,                /**< 2 channels of 8-bit signed integers */
    cudaResViewFormatSignedChar4 = 6,                /**< 4 channels of 8-bit signed integers */
    cudaResViewFormatUnsignedShort1 = 7,             /**< 1 channel of 16-bit unsigned integers */
    cudaResViewFormatUnsignedShort2 = 8,             /**< 2 channels of 16-bit unsigned integers */
    cudaResViewFormatUnsignedShort4 = 9,             /**< 4 channels of 16-bit unsigned integers */
    cudaResViewFormatSignedShort1 = 10,              /**< 1 channel of 16-bit signed integers */
    cudaResViewFormatSignedShort2 = 11,              /**< 2 channels of 16-bit signed integers */
    cudaResViewFormatSignedShort4 = 12,              /**< 4 channels of 16-bit signed integers */
    cudaResViewFormatUnsignedInt1 = 13,              /**< 1 channel of 32-bit unsigned integers */
    cudaResViewFormatUnsignedInt2 = 14,              /**< 2 channels of 32-bit unsigned integers */
    cudaResViewFormatUnsignedInt4 = 15,              /**< 4 channels of 32-bit unsigned integers */
    cudaResViewFormatSignedInt1 = 16,                /**< 1 channel of 32-bit signed integers */
    cudaResViewFormatSignedInt2 = 17,                /**< 2 channels of 32-bit signed integers */
    cudaResViewFormatSignedInt4 = 18,                /**< 4 channels of 32-bit signed integers */
    cudaResViewFormatHalf1 = 19,                     /**< 1 channel of 16-bit floating point */
    cudaResViewFormatHalf2 = 20,                     /**< 2 channels of 16-bit floating point */
    cudaResViewFormatHalf4 = 21,                     /**< 4 channels of 16-bit floating point */
    cudaResViewFormatFloat1 = 22,                    /**< 1 channel of 32-bit floating point */
    cudaResViewFormatFloat2 = 23,                    /**< 2 channels of 32-bit floating point */
    cudaResViewFormatFloat4 = 24,                    /**< 4 channels of 32-bit floating point */
    cudaResViewFormatUnsignedBlockCompressed1 = 25,  /**< compressed; not provided */
    cudaResViewFormatUnsignedBlockCompressed2 = 26,  /**< compressed; not provided */
    cudaResViewFormatUnsignedBlockCompressed3 = 27,  /**< compressed; not provided */
    cudaResViewFormatUnsignedBlockCompressed4 = 28,  /**< compressed; not provided */
    cudaResViewFormatSignedBlockCompressed4 = 29,    /**< compressed; not provided */
    cudaResViewFormatUnsignedBlockCompressed5 = 30,  /**< compressed; not provided */
    cudaResViewFormatSignedBlockCompressed5 = 31,    /**< compressed; not provided */
    cudaResViewFormatUnsignedBlockCompressed6H = 32, /**< compressed; not provided */
    cudaResViewFormatSignedBlockCompressed6H = 33,   /**< compressed; not provided */
    cudaResViewFormatUnsignedBlockCompressed7 = 34   /**< compressed; not provided */
};

/** A texture's view of an array. Set all of it to zero first. */
struct cudaResourceViewDesc {
    enum cudaResourceViewFormat format; /**< of elements of the same size */
    size_t width;                       /**< the array's */
    size_t height;                      /**< the array's */
    size_t depth;                       /**< the array's */
    unsigned int firstMipmapLevel;      /**< 0 */
    unsigned int lastMipmapLevel;       /**< 0 */
    unsigned int firstLayer;            /**< the layer that becomes layer 0 */
    unsigned int lastLayer;             /**< the last one */
#ifndef UMSIM_CUDA12
    unsigned int reserved[16]; /**< zeros */
#endif
};

#endif
