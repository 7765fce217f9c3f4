/* copy3d.c: copies of pitched memory in three dimensions, and between devices (CUDA Runtime API, Memory Management). */
#include "copy.h"
#include "graph.h"

/* Where in pitched memory a copy begins. */
static char *start_of(const struct cudaPitchedPtr *memory, const struct cudaPos *position)
{
    return (char *)memory->ptr + position->x + memory->pitch * (position->y + memory->ysize * position->z);
}

cudaError_t umsim_copy_of_3d(const struct cudaMemcpy3DParms *params, struct umsim_copy *copy)
{
    const struct cudaExtent extent = params->extent;
    if (params->srcArray || params->dstArray)
        return cudaErrorNotSupported;
    if (!params->srcPtr.ptr || !params->dstPtr.ptr)
        return cudaErrorInvalidValue;
    if (extent.depth > 1 && (params->srcPtr.ysize < extent.height || params->dstPtr.ysize < extent.height))
        return cudaErrorInvalidValue;
    *copy = (struct umsim_copy){.to = start_of(&params->dstPtr, &params->dstPos),
                                .from = start_of(&params->srcPtr, &params->srcPos),
                                .to_pitch = params->dstPtr.pitch,
                                .from_pitch = params->srcPtr.pitch,
                                .width = extent.width,
                                .rows = extent.depth ? extent.height : 0,
                                .kind = params->kind,
                                .slices = extent.depth,
                                .to_slice = params->dstPtr.pitch * params->dstPtr.ysize,
                                .from_slice = params->srcPtr.pitch * params->srcPtr.ysize};
    return cudaSuccess;
}

static cudaError_t copy(const struct cudaMemcpy3DParms *params, bool async, cudaStream_t handle,
                        const char *call)
{
    ENTER_CALL(call);
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
    ENTER_CALL(call);
    struct umsim_stream *stream = umsim_stream_of(handle);
    if (!stream || (extent.depth > 1 && to.ysize < extent.height))
        return umsim_leave(stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    const struct umsim_set what = {.to = to.ptr,
                                   .pitch = to.pitch,
                                   .width = extent.width,
                                   .rows = extent.depth ? extent.height : 0,
                                   .value = value,
                                   .async = async,
                                   .slices = extent.depth,
                                   .slice = to.pitch * to.ysize};
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

/* ---- between devices: there is one ---- */

static cudaError_t copy_peer(void *dst, int to, const void *src, int from, size_t count, bool async,
                             cudaStream_t handle, const char *call)
{
    ENTER_CALL(call);
    struct umsim_stream *stream = umsim_stream_of(handle);
    const struct umsim_copy what =
        umsim_copy_of(dst, src, count, count, count, 1, cudaMemcpyDeviceToDevice, async);
    if (!umsim_is_device(to) || !umsim_is_device(from))
        return umsim_leave(cudaErrorInvalidDevice);
    return umsim_leave(stream ? umsim_issue_copy(&what, stream) : cudaErrorInvalidResourceHandle);
}

/* It does not wait for the host. */
cudaError_t cudaMemcpyPeer(void *dst, int dstDevice, const void *src, int srcDevice, size_t count)
{
    return copy_peer(dst, dstDevice, src, srcDevice, count, false, cudaStreamLegacy, "cudaMemcpyPeer");
}

cudaError_t cudaMemcpyPeerAsync(void *dst, int dstDevice, const void *src, int srcDevice, size_t count,
                                cudaStream_t stream)
{
    return copy_peer(dst, dstDevice, src, srcDevice, count, true, stream, "cudaMemcpyPeerAsync");
}
