/**
 * @file umsim/cu_stream.h
 * @brief Streams and events of the driver API. Included by cuda.h.
 */
#ifndef UMSIM_CU_STREAM_H
#define UMSIM_CU_STREAM_H

#include "umsim/cu_names.h"
#include "umsim/cu_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A stream; CU_STREAM_NON_BLOCKING: apart from the default stream. */
CUresult cuStreamCreate(CUstream *__phStream, unsigned int __Flags);
/** The same with a priority. */
CUresult cuStreamCreateWithPriority(CUstream *__phStream, unsigned int __flags, int __priority);
/** A stream's priority. */
CUresult cuStreamGetPriority(CUstream __hStream, int *__priority);
/** Its device. */
CUresult cuStreamGetDevice(CUstream __hStream, CUdevice *__device);
/** Its flags. */
CUresult cuStreamGetFlags(CUstream __hStream, unsigned int *__flags);
/** A number that no other stream of the process has. */
CUresult cuStreamGetId(CUstream __hStream, unsigned long long *__streamId);
/** Its context. */
CUresult cuStreamGetCtx(CUstream __hStream, CUcontext *__pctx);
/** Its context; there are no green ones. */
CUresult cuStreamGetCtx_v2(CUstream __hStream, CUcontext *__pCtx, CUgreenCtx *__pGreenCtx);
/** The stream's further work waits for an event. */
CUresult cuStreamWaitEvent(CUstream __hStream, CUevent __hEvent, unsigned int __Flags);
/** A function of the host's, in the order of the stream. */
CUresult cuStreamAddCallback(CUstream __hStream, CUstreamCallback __callback, void *__userData,
                             unsigned int __flags);
/** An attribute of a stream. */
CUresult cuStreamGetAttribute(CUstream __hStream, CUstreamAttrID __attr, CUstreamAttrValue *__value_out);
/** Sets it. */
CUresult cuStreamSetAttribute(CUstream __hStream, CUstreamAttrID __attr, const CUstreamAttrValue *__value);
/** Gives a stream another one's attributes. */
CUresult cuStreamCopyAttributes(CUstream __dst, CUstream __src);
/** Says which stream uses managed memory. */
CUresult cuStreamAttachMemAsync(CUstream __hStream, CUdeviceptr __dptr, size_t __length,
                                unsigned int __flags);
/** CUDA_ERROR_NOT_READY while work is under way. */
CUresult cuStreamQuery(CUstream __hStream);
/** Waits for a stream. */
CUresult cuStreamSynchronize(CUstream __hStream);
/** Destroys a stream; its work is still done. */
CUresult cuStreamDestroy(CUstream __hStream);
/** An event (CUevent_flags). */
CUresult cuEventCreate(CUevent *__phEvent, unsigned int __Flags);
/** Records it in a stream. */
CUresult cuEventRecord(CUevent __hEvent, CUstream __hStream);
/** The same with CU_EVENT_RECORD_EXTERNAL. */
CUresult cuEventRecordWithFlags(CUevent __hEvent, CUstream __hStream, unsigned int __flags);
/** CUDA_ERROR_NOT_READY before it has come. */
CUresult cuEventQuery(CUevent __hEvent);
/** Waits for it. */
CUresult cuEventSynchronize(CUevent __hEvent);
/** Destroys it. */
CUresult cuEventDestroy(CUevent __hEvent);
/** Milliseconds from one to the other. */
CUresult cuEventElapsedTime(float *__pMilliseconds, CUevent __hStart, CUevent __hEnd);

#ifdef __cplusplus
}
#endif
#endif
