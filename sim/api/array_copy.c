/**
 * @file array_copy.c
 * @brief Copies to and from arrays (CUDA Runtime API, Memory Management).
 *
 * An array is device memory whose address only the simulator knows; these calls copy rectangles of it.
 */
#include "array.h"
#include "copy.h"
#include "graph.h"

/* One side of a copy: memory with a pitch, or a position in an array. */
struct side {
    cudaArray_const_t array; /* NULL: memory */
    const void *p;
    size_t pitch;
    size_t byte, row; /* the position in the array */
};

/* Finds where the rectangle starts; it has to lie within the array. */
static cudaError_t find(const struct side *side, size_t width, size_t height, char **start, size_t *pitch)
{
    if (!side->array) {
        *start = (char *)side->p;
        *pitch = side->pitch;
        return cudaSuccess;
    }
    const struct umsim_array *array = umsim_array_of(side->array);
    if (!array)
        return cudaErrorInvalidResourceHandle;
    const size_t row_bytes = array->extent.width * array->element;
    if (side->byte > row_bytes || width > row_bytes - side->byte || side->row > array->rows ||
        height > array->rows - side->row)
        return cudaErrorInvalidValue;
    *start = umsim_array_at(array, side->byte, side->row, 0);
    *pitch = array->pitch;
    return cudaSuccess;
}

/* Arrays are on the device, so a kind that says otherwise is refused. */
static bool is_direction(enum cudaMemcpyKind kind, bool to_array, bool from_array)
{
    if (kind == cudaMemcpyDefault || kind == cudaMemcpyDeviceToDevice)
        return true;
    return to_array != from_array && kind == (to_array ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost);
}

enum cudaMemcpyKind umsim_kind_with_arrays(enum cudaMemcpyKind kind, bool to_array, bool from_array)
{
    if ((unsigned)kind >= cudaMemcpyDefault)
        return kind;
    const bool to_device = to_array || kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = from_array || kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (from_device)
        return to_device ? cudaMemcpyDeviceToDevice : cudaMemcpyDeviceToHost;
    return to_device ? cudaMemcpyHostToDevice : cudaMemcpyHostToHost;
}

static cudaError_t copy_rows(const struct side *to, const struct side *from, size_t width, size_t height,
                             enum cudaMemcpyKind kind, bool async, struct umsim_stream *stream)
{
    char *start, *end;
    size_t to_pitch, from_pitch;
    if (!is_direction(kind, to->array, from->array))
        return cudaErrorInvalidMemcpyDirection;
    cudaError_t error = find(to, width, height, &end, &to_pitch);
    if (!error)
        error = find(from, width, height, &start, &from_pitch);
    if (error)
        return error;
    const struct umsim_copy what =
        umsim_copy_of(end, start, to_pitch, from_pitch, width, height, kind, async);
    return umsim_issue_copy(&what, stream);
}

static cudaError_t copy(struct side to, struct side from, size_t width, size_t height,
                        enum cudaMemcpyKind kind, bool async, cudaStream_t handle, const char *call)
{
    ENTER_CALL(call, to, from, width, height, kind, handle);
    struct umsim_stream *stream = umsim_stream_of(handle);
    if (!stream)
        return umsim_leave(cudaErrorInvalidResourceHandle);
    return umsim_leave(copy_rows(&to, &from, width, height, kind, async, stream));
}

/* Here NULL is an invalid array; it does not mean that this side is memory. */
static struct side in_array(cudaArray_const_t array, size_t byte, size_t row)
{
    return (struct side){.array = array ? array : (cudaArray_const_t)-1, .byte = byte, .row = row};
}

static struct side in_memory(const void *p, size_t pitch)
{
    return (struct side){.p = p, .pitch = pitch};
}

/* ---- rectangles ---- */

cudaError_t umsim_memcpy2d_to_array_on(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                                       size_t spitch, size_t width, size_t height, enum cudaMemcpyKind kind,
                                       cudaStream_t stream, const char *call)
{
    return copy(in_array(dst, wOffset, hOffset), in_memory(src, spitch), width, height, kind, false, stream,
                call);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                                size_t spitch, size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return umsim_memcpy2d_to_array_on(dst, wOffset, hOffset, src, spitch, width, height, kind,
                                      cudaStreamLegacy, "cudaMemcpy2DToArray");
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                                     size_t spitch, size_t width, size_t height, enum cudaMemcpyKind kind,
                                     cudaStream_t stream)
{
    return copy(in_array(dst, wOffset, hOffset), in_memory(src, spitch), width, height, kind, true, stream,
                "cudaMemcpy2DToArrayAsync");
}

cudaError_t umsim_memcpy2d_from_array_on(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset,
                                         size_t hOffset, size_t width, size_t height,
                                         enum cudaMemcpyKind kind, cudaStream_t stream, const char *call)
{
    return copy(in_memory(dst, dpitch), in_array(src, wOffset, hOffset), width, height, kind, false, stream,
                call);
}

cudaError_t cudaMemcpy2DFromArray(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset,
                                  size_t hOffset, size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return umsim_memcpy2d_from_array_on(dst, dpitch, src, wOffset, hOffset, width, height, kind,
                                        cudaStreamLegacy, "cudaMemcpy2DFromArray");
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset,
                                       size_t hOffset, size_t width, size_t height, enum cudaMemcpyKind kind,
                                       cudaStream_t stream)
{
    return copy(in_memory(dst, dpitch), in_array(src, wOffset, hOffset), width, height, kind, true, stream,
                "cudaMemcpy2DFromArrayAsync");
}

cudaError_t umsim_memcpy2d_array_to_array_on(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                             cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
                                             size_t width, size_t height, enum cudaMemcpyKind kind,
                                             cudaStream_t stream, const char *call)
{
    return copy(in_array(dst, wOffsetDst, hOffsetDst), in_array(src, wOffsetSrc, hOffsetSrc), width, height,
                kind, false, stream, call);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                     cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
                                     size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return umsim_memcpy2d_array_to_array_on(dst, wOffsetDst, hOffsetDst, src, wOffsetSrc, hOffsetSrc, width,
                                            height, kind, cudaStreamLegacy, "cudaMemcpy2DArrayToArray");
}

/* ---- bytes, row by row ---- */

/* Copies what is left of the first row, then whole rows, then the remaining bytes. */
static cudaError_t copy_bytes(struct side to, struct side from, size_t count, enum cudaMemcpyKind kind,
                              bool async, struct umsim_stream *stream)
{
    struct side *const in = to.array ? &to : &from, *const other = to.array ? &from : &to;
    const struct umsim_array *array = umsim_array_of(in->array);
    if (!array)
        return cudaErrorInvalidResourceHandle;
    const size_t row_bytes = array->extent.width * array->element;
    if (in->byte >= row_bytes || in->row >= array->rows ||
        count > (array->rows - in->row) * row_bytes - in->byte ||
        (other->array && (to.byte || from.byte || count % row_bytes)))
        return cudaErrorInvalidValue;
    cudaError_t error = cudaSuccess;
    while (count && !error) {
        const size_t width = row_bytes - in->byte < count ? row_bytes - in->byte : count;
        const size_t height = in->byte || count < row_bytes ? 1 : count / row_bytes;
        other->pitch = width;
        error = copy_rows(&to, &from, width, height, kind, async, stream);
        in->byte = 0;
        in->row += height;
        if (other->array)
            other->row += height;
        else
            other->p = (const char *)other->p + width * height;
        count -= width * height;
    }
    return error;
}

static cudaError_t bytes(struct side to, struct side from, size_t count, enum cudaMemcpyKind kind, bool async,
                         cudaStream_t handle, const char *call)
{
    ENTER_CALL(call, to, from, count, kind, handle);
    struct umsim_stream *stream = umsim_stream_of(handle);
    if (!stream)
        return umsim_leave(cudaErrorInvalidResourceHandle);
    return umsim_leave(copy_bytes(to, from, count, kind, async, stream));
}

cudaError_t umsim_memcpy_to_array_on(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                                     size_t count, enum cudaMemcpyKind kind, cudaStream_t stream,
                                     const char *call)
{
    return bytes(in_array(dst, wOffset, hOffset), in_memory(src, 0), count, kind, false, stream, call);
}

cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t count,
                              enum cudaMemcpyKind kind)
{
    return umsim_memcpy_to_array_on(dst, wOffset, hOffset, src, count, kind, cudaStreamLegacy,
                                    "cudaMemcpyToArray");
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                                   size_t count, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return bytes(in_array(dst, wOffset, hOffset), in_memory(src, 0), count, kind, true, stream,
                 "cudaMemcpyToArrayAsync");
}

cudaError_t umsim_memcpy_from_array_on(void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset,
                                       size_t count, enum cudaMemcpyKind kind, cudaStream_t stream,
                                       const char *call)
{
    return bytes(in_memory(dst, 0), in_array(src, wOffset, hOffset), count, kind, false, stream, call);
}

cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset,
                                size_t count, enum cudaMemcpyKind kind)
{
    return umsim_memcpy_from_array_on(dst, src, wOffset, hOffset, count, kind, cudaStreamLegacy,
                                      "cudaMemcpyFromArray");
}

cudaError_t cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset,
                                     size_t count, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return bytes(in_memory(dst, 0), in_array(src, wOffset, hOffset), count, kind, true, stream,
                 "cudaMemcpyFromArrayAsync");
}

cudaError_t umsim_memcpy_array_to_array_on(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                           cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
                                           size_t count, enum cudaMemcpyKind kind, cudaStream_t stream,
                                           const char *call)
{
    return bytes(in_array(dst, wOffsetDst, hOffsetDst), in_array(src, wOffsetSrc, hOffsetSrc), count, kind,
                 false, stream, call);
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                   cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc, size_t count,
                                   enum cudaMemcpyKind kind)
{
    return umsim_memcpy_array_to_array_on(dst, wOffsetDst, hOffsetDst, src, wOffsetSrc, hOffsetSrc, count,
                                          kind, cudaStreamLegacy, "cudaMemcpyArrayToArray");
}
