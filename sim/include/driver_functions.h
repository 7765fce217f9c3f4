/**
 * @file driver_functions.h
 * @brief Functions that make a cudaPitchedPtr, cudaPos or cudaExtent. Included by cuda_runtime.h.
 */
#ifndef UMSIM_DRIVER_FUNCTIONS_H
#define UMSIM_DRIVER_FUNCTIONS_H

#include "builtin_types.h"

/** Memory at `__d` whose rows of `__xsz` bytes start `__p` bytes apart, `__ysz` of them a slice. */
static inline struct cudaPitchedPtr make_cudaPitchedPtr(void *__d, size_t __p, size_t __xsz, size_t __ysz)
{
    struct cudaPitchedPtr __made;
    __made.ptr = __d;
    __made.pitch = __p;
    __made.xsize = __xsz;
    __made.ysize = __ysz;
    return __made;
}

/** A place: `__x` bytes, `__y` rows and `__z` slices from the start. */
static inline struct cudaPos make_cudaPos(size_t __x, size_t __y, size_t __z)
{
    struct cudaPos __made;
    __made.x = __x;
    __made.y = __y;
    __made.z = __z;
    return __made;
}

/** A size: `__w` bytes, `__h` rows, `__d` slices. */
static inline struct cudaExtent make_cudaExtent(size_t __w, size_t __h, size_t __d)
{
    struct cudaExtent __made;
    __made.width = __w;
    __made.height = __h;
    __made.depth = __d;
    return __made;
}

#endif
