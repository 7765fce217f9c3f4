/**
 * @file stream.c
 * @brief Streams and events (CUDA Driver API: Stream Management, Event Management). Handles are the
 * runtime's.
 */
#include "context.h"

CUresult cuStreamCreate(CUstream *phStream, unsigned int Flags)
{
    UMSIM_DRIVER(cuStreamCreate, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaStreamCreateWithFlags((cudaStream_t *)phStream, Flags));
}

CUresult cuStreamCreateWithPriority(CUstream *phStream, unsigned int flags, int priority)
{
    UMSIM_DRIVER(cuStreamCreateWithPriority, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaStreamCreateWithPriority((cudaStream_t *)phStream, flags, priority));
}

CUresult cuStreamDestroy(CUstream hStream)
{
    UMSIM_DRIVER(cuStreamDestroy, UMSIM_NEEDS_INIT);
    return umsim_result(cudaStreamDestroy((cudaStream_t)hStream));
}

CUresult cuStreamGetPriority(CUstream hStream, int *priority)
{
    UMSIM_DRIVER(cuStreamGetPriority, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaStreamGetPriority(UMSIM_STREAM(hStream), priority));
}

CUresult cuStreamGetFlags(CUstream hStream, unsigned int *flags)
{
    UMSIM_DRIVER(cuStreamGetFlags, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaStreamGetFlags(UMSIM_STREAM(hStream), flags));
}

CUresult cuStreamGetId(CUstream hStream, unsigned long long *streamId)
{
    UMSIM_DRIVER(cuStreamGetId, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaStreamGetId(UMSIM_STREAM(hStream), streamId));
}

CUresult cuStreamGetDevice(CUstream hStream, CUdevice *device)
{
    UMSIM_DRIVER(cuStreamGetDevice, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaStreamGetDevice(UMSIM_STREAM(hStream), device));
}

/* Stream 0 is the current context's. */
static CUcontext context_of(cudaStream_t handle)
{
    const struct umsim_stream *stream = umsim_stream_of(handle);
    const bool is_current = handle == cudaStreamLegacy || handle == cudaStreamPerThread || !handle;
    return !stream      ? NULL
           : is_current ? umsim_context_current()
                        : umsim_context_of_owner(stream->owner, stream->device);
}

CUresult cuStreamGetCtx(CUstream hStream, CUcontext *pctx)
{
    UMSIM_DRIVER(cuStreamGetCtx, UMSIM_NEEDS_CONTEXT);
    if (!pctx)
        return CUDA_ERROR_INVALID_VALUE;
    *pctx = context_of(UMSIM_STREAM(hStream));
    return *pctx ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuStreamGetCtx_v2(CUstream hStream, CUcontext *pCtx, CUgreenCtx *pGreenCtx)
{
    UMSIM_DRIVER(cuStreamGetCtx, UMSIM_NEEDS_CONTEXT);
    if (!pCtx || !pGreenCtx)
        return CUDA_ERROR_INVALID_VALUE;
    *pCtx = context_of(UMSIM_STREAM(hStream));
    *pGreenCtx = NULL;
    return *pCtx ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuStreamQuery(CUstream hStream)
{
    UMSIM_DRIVER(cuStreamQuery, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaStreamQuery(UMSIM_STREAM(hStream)));
}

CUresult cuStreamSynchronize(CUstream hStream)
{
    UMSIM_DRIVER(cuStreamSynchronize, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaStreamSynchronize(UMSIM_STREAM(hStream)));
}

CUresult cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags)
{
    UMSIM_DRIVER(cuStreamWaitEvent, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaStreamWaitEvent(UMSIM_STREAM(hStream), (cudaEvent_t)hEvent, Flags));
}

/* A status that a callback gets is 0 or a kernel's error, and both APIs number those alike. */
CUresult cuStreamAddCallback(CUstream hStream, CUstreamCallback callback, void *userData, unsigned int flags)
{
    UMSIM_DRIVER(cuStreamAddCallback, UMSIM_NEEDS_CONTEXT);
    return umsim_result(
        cudaStreamAddCallback(UMSIM_STREAM(hStream), (cudaStreamCallback_t)callback, userData, flags));
}

CUresult cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void *userData)
{
    UMSIM_DRIVER(cuLaunchHostFunc, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaLaunchHostFunc(UMSIM_STREAM(hStream), (cudaHostFn_t)fn, userData));
}

/* ---- attributes ---- */

CUresult cuStreamGetAttribute(CUstream hStream, CUstreamAttrID attr, CUstreamAttrValue *value_out)
{
    UMSIM_DRIVER(cuStreamGetAttribute, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaStreamGetAttribute(UMSIM_STREAM(hStream), (cudaLaunchAttributeID)attr,
                                               (cudaLaunchAttributeValue *)value_out));
}

CUresult cuStreamSetAttribute(CUstream hStream, CUstreamAttrID attr, const CUstreamAttrValue *value)
{
    UMSIM_DRIVER(cuStreamSetAttribute, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaStreamSetAttribute(UMSIM_STREAM(hStream), (cudaLaunchAttributeID)attr,
                                               (const cudaLaunchAttributeValue *)value));
}

CUresult cuStreamCopyAttributes(CUstream dst, CUstream src)
{
    UMSIM_DRIVER(cuStreamCopyAttributes, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaStreamCopyAttributes(UMSIM_STREAM(dst), UMSIM_STREAM(src)));
}

/* ---- events ---- */

CUresult cuEventCreate(CUevent *phEvent, unsigned int Flags)
{
    UMSIM_DRIVER(cuEventCreate, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaEventCreateWithFlags((cudaEvent_t *)phEvent, Flags));
}

CUresult cuEventDestroy(CUevent hEvent)
{
    UMSIM_DRIVER(cuEventDestroy, UMSIM_NEEDS_INIT);
    return umsim_result(cudaEventDestroy((cudaEvent_t)hEvent));
}

CUresult cuEventRecord(CUevent hEvent, CUstream hStream)
{
    UMSIM_DRIVER(cuEventRecord, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaEventRecord((cudaEvent_t)hEvent, UMSIM_STREAM(hStream)));
}

CUresult cuEventRecordWithFlags(CUevent hEvent, CUstream hStream, unsigned int flags)
{
    UMSIM_DRIVER(cuEventRecordWithFlags, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaEventRecordWithFlags((cudaEvent_t)hEvent, UMSIM_STREAM(hStream), flags));
}

CUresult cuEventQuery(CUevent hEvent)
{
    UMSIM_DRIVER(cuEventQuery, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaEventQuery((cudaEvent_t)hEvent));
}

CUresult cuEventSynchronize(CUevent hEvent)
{
    UMSIM_DRIVER(cuEventSynchronize, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaEventSynchronize((cudaEvent_t)hEvent));
}

CUresult cuEventElapsedTime(float *pMilliseconds, CUevent hStart, CUevent hEnd)
{
    UMSIM_DRIVER(cuEventElapsedTime, UMSIM_NEEDS_CONTEXT);
    if (!pMilliseconds)
        return CUDA_ERROR_INVALID_HANDLE;
    return umsim_result(cudaEventElapsedTime(pMilliseconds, (cudaEvent_t)hStart, (cudaEvent_t)hEnd));
}
