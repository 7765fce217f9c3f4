/**
 * @file surface_types.h
 * @brief The type of a surface object. Included by cuda_runtime_api.h. Names, values and layouts are
 * CUDA's.
 */
#ifndef UMSIM_SURFACE_TYPES_H
#define UMSIM_SURFACE_TYPES_H
#define __SURFACE_TYPES_H__ /* NVIDIA's name for it: programs ask whether it is there */

#include "driver_types.h"

/** @name Kinds of surfaces
 * @{ */
#define cudaSurfaceType1D 0x01             /**< one dimension */
#define cudaSurfaceType2D 0x02             /**< two */
#define cudaSurfaceType3D 0x03             /**< three */
#define cudaSurfaceTypeCubemap 0x0C        /**< a cubemap's faces */
#define cudaSurfaceType1DLayered 0xF1      /**< layers of one dimension */
#define cudaSurfaceType2DLayered 0xF2      /**< layers of two */
#define cudaSurfaceTypeCubemapLayered 0xFC /**< the faces of several cubemaps */
/** @} */

/** What an access beyond an edge comes to. */
enum cudaSurfaceBoundaryMode {
    cudaBoundaryModeZero = 0,  /**< reads give 0, writes nothing */
    cudaBoundaryModeClamp = 1, /**< the last element */
    cudaBoundaryModeTrap = 2   /**< the kernel fails */
};

/** Whether a write converts its data. The simulator's writes never do. */
enum cudaSurfaceFormatMode {
    cudaFormatModeForced = 0, /**< bytes */
    cudaFormatModeAuto = 1    /**< elements */
};

/** A surface object, as kernels take it. */
typedef unsigned long long cudaSurfaceObject_t;

#endif
