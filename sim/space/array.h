/**
 * @file array.h
 * @brief CUDA arrays, as allocations of device memory whose handles cannot be followed.
 *
 * Host process. Callers hold the simulator's lock, except for umsim_array_behind().
 *
 * An array is an allocation of device memory: rows at a pitch, slices (or layers) of rows, and behind them
 * one page that nobody can access. The handle that a program gets is the address of that page. So host code
 * and kernels that follow the handle fault, and a plain copy finds no memory there. On hardware, how the
 * elements are arranged is the texture units' secret; here, nobody learns their address.
 */
#ifndef UMSIM_SPACE_ARRAY_H
#define UMSIM_SPACE_ARRAY_H

#include "registry.h"
#include "../include/driver_types.h"

struct umsim_array {
    struct umsim_alloc *allocation;
    struct cudaChannelFormatDesc channels;
    struct cudaExtent extent; /* as asked for, in elements; 0 for a dimension that the array does not have */
    unsigned flags;
    size_t element;      /* bytes */
    size_t rows, slices; /* at least 1 */
    size_t pitch, slice; /* bytes from one row to the next, and from one slice to the next */
    size_t texels;       /* bytes of all elements; the handle is the address behind them */
};

/** Works out how an array lies in memory. @return the bytes that its allocation takes; 0 when that is more
 * than can exist */
size_t umsim_array_lay_out(struct umsim_array *array);

/** Turns an allocation of that many bytes into an array. @return false when there is no memory */
bool umsim_array_adopt(struct umsim_alloc *allocation, const struct umsim_array *array);

/** The allocation is about to be freed, and is no longer an array. Any allocation may be passed. */
void umsim_array_forget(struct umsim_alloc *allocation);

/** @return how many bytes of any allocation can be read: all, but for an array's last page, its handle */
size_t umsim_array_readable(const struct umsim_alloc *allocation);

cudaArray_t umsim_array_handle(const struct umsim_array *array);

/** @return NULL when the handle names no array, or no longer does */
struct umsim_array *umsim_array_of(cudaArray_const_t handle);

/** The array whose handle's page holds `p`, or NULL. Async-signal-safe. */
const struct umsim_array *umsim_array_behind(const void *p);

/** The address of an element. */
static inline char *umsim_array_at(const struct umsim_array *array, size_t byte, size_t row, size_t slice)
{
    return array->allocation->base + slice * array->slice + row * array->pitch + byte;
}

#endif
