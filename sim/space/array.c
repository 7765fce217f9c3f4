/**
 * @file array.c
 * @brief Implementation of array.h: lays out CUDA arrays and finds them by their handles.
 */
#include "array.h"
#include "arena.h"
#include "../base/layout.h"

#include <stdlib.h>

/** Rows begin at multiples of this many bytes. */
#define ROW_UNIT ((size_t)64)

static bool is_array(const struct umsim_alloc *allocation)
{
    return allocation && allocation->memory == UMSIM_DEVICE && allocation->detail;
}

size_t umsim_array_lay_out(struct umsim_array *array)
{
    size_t bytes;
    array->rows = array->extent.height ? array->extent.height : 1;
    array->slices = array->extent.depth ? array->extent.depth : 1;
    if (__builtin_mul_overflow(array->extent.width, array->element, &bytes) || bytes > SIZE_MAX - ROW_UNIT)
        return 0;
    array->pitch = umsim_round_up(bytes, ROW_UNIT);
    if (__builtin_mul_overflow(array->pitch, array->rows, &array->slice) ||
        __builtin_mul_overflow(array->slice, array->slices, &bytes) || bytes > SIZE_MAX - 2 * UMSIM_PAGE)
        return 0;
    array->texels = umsim_round_up(bytes, UMSIM_PAGE);
    return array->texels + UMSIM_PAGE;
}

size_t umsim_array_readable(const struct umsim_alloc *allocation)
{
    return is_array(allocation) ? ((const struct umsim_array *)allocation->detail)->texels
                                : allocation->reserved;
}

cudaArray_t umsim_array_handle(const struct umsim_array *array)
{
    return (cudaArray_t)(array->allocation->base + array->texels);
}

bool umsim_array_adopt(struct umsim_alloc *allocation, const struct umsim_array *array)
{
    struct umsim_array *own = malloc(sizeof *own);
    if (!own)
        return false;
    *own = *array;
    own->allocation = allocation;
    allocation->detail = own;
    umsim_arena_set_valid(&umsim_arenas[UMSIM_ARENA_DEVICE], umsim_array_handle(own), UMSIM_PAGE, false);
    return true;
}

void umsim_array_forget(struct umsim_alloc *allocation)
{
    if (!is_array(allocation))
        return;
    free(allocation->detail);
    allocation->detail = NULL;
}

const struct umsim_array *umsim_array_behind(const void *p)
{
    const struct umsim_alloc *allocation = umsim_registry_find(p);
    if (!is_array(allocation))
        return NULL;
    const struct umsim_array *array = allocation->detail;
    return (size_t)((const char *)p - allocation->base) >= array->texels ? array : NULL;
}

struct umsim_array *umsim_array_of(cudaArray_const_t handle)
{
    struct umsim_alloc *allocation = umsim_registry_find(handle);
    if (!is_array(allocation))
        return NULL;
    struct umsim_array *array = allocation->detail;
    return umsim_array_handle(array) == handle ? array : NULL;
}
