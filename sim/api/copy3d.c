/**
 * @file copy3d.c
 * @brief Copies of pitched memory and arrays in three dimensions (CUDA Runtime API, Memory Management).
 */
#include "array.h"
#include "copy.h"
#include "graph.h"

/* One side of a copy: an array or pitched memory; then where the copy begins, and the distance to the next
 * row and to the next slice. */
struct side {
    cudaArray_const_t handle;
    const struct cudaPitchedPtr *memory;
    const struct cudaPos *position;
    const struct umsim_array *array;
    char *start;
    size_t pitch, slice;
};

static bool is_within(size_t position, size_t size, size_t limit)
{
    return position <= limit && size <= limit - position;
}

static bool find_in_array(struct side *side, struct cudaExtent extent)
{
    const struct cudaPos *at = side->position;
    const struct umsim_array *array = side->array;
    if (side->memory->ptr || !is_within(at->x, extent.width, array->extent.width) ||
        !is_within(at->y, extent.height, array->rows) || !is_within(at->z, extent.depth, array->slices))
        return false;
    side->start = umsim_array_at(array, at->x * array->element, at->y, at->z);
    side->pitch = array->pitch;
    side->slice = array->slice;
    return true;
}

static bool find_in_memory(struct side *side, struct cudaExtent extent)
{
    const struct cudaPitchedPtr *memory = side->memory;
    const struct cudaPos *at = side->position;
    if (side->handle || !memory->ptr || (extent.depth > 1 && memory->ysize < extent.height))
        return false;
    side->pitch = memory->pitch;
    side->slice = memory->pitch * memory->ysize;
    side->start = (char *)memory->ptr + at->x + memory->pitch * (at->y + memory->ysize * at->z);
    return true;
}

/* When an array takes part, a width counts the array's elements; otherwise it counts bytes. */
cudaError_t umsim_copy_of_3d(const struct cudaMemcpy3DParms *params, struct umsim_copy *copy)
{
    const struct cudaExtent extent = params->extent;
    struct side to = {
        params->dstArray, &params->dstPtr, &params->dstPos, umsim_array_of(params->dstArray), NULL, 0, 0};
    struct side from = {
        params->srcArray, &params->srcPtr, &params->srcPos, umsim_array_of(params->srcArray), NULL, 0, 0};
    if (!(to.array ? find_in_array(&to, extent) : find_in_memory(&to, extent)) ||
        !(from.array ? find_in_array(&from, extent) : find_in_memory(&from, extent)))
        return cudaErrorInvalidValue;
    if (to.array && from.array && to.array->element != from.array->element)
        return cudaErrorInvalidValue;
    const size_t unit = to.array ? to.array->element : from.array ? from.array->element : 1;
    *copy = (struct umsim_copy){.to = to.start,
                                .from = from.start,
                                .to_pitch = to.pitch,
                                .from_pitch = from.pitch,
                                .width = extent.width * unit,
                                .rows = extent.depth ? extent.height : 0,
                                .kind = umsim_kind_with_arrays(params->kind, to.array, from.array),
                                .slices = extent.depth,
                                .to_slice = to.slice,
                                .from_slice = from.slice};
    return cudaSuccess;
}

static cudaError_t copy(const struct cudaMemcpy3DParms *params, bool async, cudaStream_t handle,
                        const char *call)
{
    ENTER_CALL(call, params, handle);
    struct umsim_stream *stream = umsim_stream_of(handle);
    struct umsim_copy what;
    if (!params || !stream)
        return umsim_leave(params ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
    cudaError_t error = umsim_copy_of_3d(params, &what);
    what.async = async;
    return umsim_leave(error ? error : umsim_issue_copy(&what, stream));
}

cudaError_t umsim_memcpy3d_on(const struct cudaMemcpy3DParms *params, cudaStream_t stream, const char *call)
{
    return copy(params, false, stream, call);
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    return copy(p, false, cudaStreamLegacy, "cudaMemcpy3D");
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
    return copy(p, true, stream, "cudaMemcpy3DAsync");
}

static cudaError_t set(struct cudaPitchedPtr to, int value, struct cudaExtent extent, bool async,
                       cudaStream_t handle, const char *call)
{
    const struct umsim_set what = {.to = to.ptr,
                                   .pitch = to.pitch,
                                   .width = extent.width,
                                   .rows = extent.depth ? extent.height : 0,
                                   .value = value,
                                   .async = async,
                                   .slices = extent.depth,
                                   .slice = to.pitch * to.ysize};
    ENTER_CALL(call, what, handle);
    struct umsim_stream *stream = umsim_stream_of(handle);
    if (!stream || (extent.depth > 1 && to.ysize < extent.height))
        return umsim_leave(stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    return umsim_leave(umsim_issue_set(&what, stream));
}

cudaError_t umsim_memset3d_on(struct cudaPitchedPtr to, int value, struct cudaExtent extent,
                              cudaStream_t stream, const char *call)
{
    return set(to, value, extent, false, stream, call);
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr pitchedDevPtr, int value, struct cudaExtent extent)
{
    return set(pitchedDevPtr, value, extent, false, cudaStreamLegacy, "cudaMemset3D");
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pitchedDevPtr, int value, struct cudaExtent extent,
                              cudaStream_t stream)
{
    return set(pitchedDevPtr, value, extent, true, stream, "cudaMemset3DAsync");
}
