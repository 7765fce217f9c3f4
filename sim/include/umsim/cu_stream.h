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
CUresult cuStreamCreate(CUstream *phStream, unsigned int Flags);
/** The same with a priority. */
CUresult cuStreamCreateWithPriority(CUstream *phStream, unsigned int flags, int priority);
/** A stream's priority. */
CUresult cuStreamGetPriority(CUstream hStream, int *priority);
/** Its device. */
CUresult cuStreamGetDevice(CUstream hStream, CUdevice *device);
/** Its flags. */
CUresult cuStreamGetFlags(CUstream hStream, unsigned int *flags);
/** A number that no other stream of the process has. */
CUresult cuStreamGetId(CUstream hStream, unsigned long long *streamId);
/** Its context. */
CUresult cuStreamGetCtx(CUstream hStream, CUcontext *pctx);
/** Its context; there are no green ones. */
CUresult cuStreamGetCtx_v2(CUstream hStream, CUcontext *pCtx, CUgreenCtx *pGreenCtx);
/** The stream's further work waits for an event. */
CUresult cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags);
/** A function of the host's, in the order of the stream. */
CUresult cuStreamAddCallback(CUstream hStream, CUstreamCallback callback, void *userData, unsigned int flags);
/** What comes next becomes a graph's nodes. */
CUresult cuStreamBeginCapture(CUstream hStream, CUstreamCaptureMode mode);
/** What a capture forbids in this thread. */
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode);
/** Ends it and gives the graph. */
CUresult cuStreamEndCapture(CUstream hStream, CUgraph *phGraph);
/** Whether a capture is under way. */
CUresult cuStreamIsCapturing(CUstream hStream, CUstreamCaptureStatus *captureStatus);
/** Says which stream uses managed memory. */
CUresult cuStreamAttachMemAsync(CUstream hStream, CUdeviceptr dptr, size_t length, unsigned int flags);
/** CUDA_ERROR_NOT_READY while work is under way. */
CUresult cuStreamQuery(CUstream hStream);
/** Waits for a stream. */
CUresult cuStreamSynchronize(CUstream hStream);
/** Destroys a stream; its work is still done. */
CUresult cuStreamDestroy(CUstream hStream);
/** An event (CUevent_flags). */
CUresult cuEventCreate(CUevent *phEvent, unsigned int Flags);
/** Records it in a stream. */
CUresult cuEventRecord(CUevent hEvent, CUstream hStream);
/** The same with CU_EVENT_RECORD_EXTERNAL. */
CUresult cuEventRecordWithFlags(CUevent hEvent, CUstream hStream, unsigned int flags);
/** CUDA_ERROR_NOT_READY before it has come. */
CUresult cuEventQuery(CUevent hEvent);
/** Waits for it. */
CUresult cuEventSynchronize(CUevent hEvent);
/** Destroys it. */
CUresult cuEventDestroy(CUevent hEvent);
/** Milliseconds from one to the other. */
CUresult cuEventElapsedTime(float *pMilliseconds, CUevent hStart, CUevent hEnd);

#ifdef __cplusplus
}
#endif
#endif
