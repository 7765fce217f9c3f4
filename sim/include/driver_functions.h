/**
 * @file driver_functions.h
 * @brief The makers of cudaPitchedPtr, cudaPos and cudaExtent. Included by cuda_runtime.h.
 */
#ifndef UMSIM_DRIVER_FUNCTIONS_H
#define UMSIM_DRIVER_FUNCTIONS_H

#include "driver_types.h"

/** Memory at `d` whose rows of `xsz` bytes start `p` bytes apart, `ysz` of them a slice. */
static inline struct cudaPitchedPtr make_cudaPitchedPtr(void *d, size_t p, size_t xsz, size_t ysz)
{
    struct cudaPitchedPtr made;
    made.ptr = d;
    made.pitch = p;
    made.xsize = xsz;
    made.ysize = ysz;
    return made;
}

/** A place: `x` bytes, `y` rows and `z` slices from the start. */
static inline struct cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    struct cudaPos made;
    made.x = x;
    made.y = y;
    made.z = z;
    return made;
}

/** A size: `w` bytes, `h` rows, `d` slices. */
static inline struct cudaExtent make_cudaExtent(size_t w, size_t h, size_t d)
{
    struct cudaExtent made;
    made.width = w;
    made.height = h;
    made.depth = d;
    return made;
}

#endif
