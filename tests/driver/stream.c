/**
 * @file stream.c
 * @brief Streams, events, host functions, captures.
 */
#include "behaviour.h"

#include <stdio.h>

static void streams_are_made(void)
{
    CUstream stream = NULL, other = NULL;
    CUcontext context = in_a_context(), its = NULL;
    unsigned flags = 77;
    int priority = 77;
    unsigned long long id = 0, other_id = 0;
    CUdevice device = -1;
    RETURNS("cuStreamCreate", cuStreamCreate(&stream, CU_STREAM_DEFAULT));
    RETURNS("cuStreamCreate: non-blocking", cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    RETURNS("cuStreamCreate: flags 2", cuStreamCreate(&other, 2));
    RETURNS("cuStreamCreate(NULL)", cuStreamCreate(NULL, 0));
    RETURNS("cuStreamCreateWithPriority", cuStreamCreateWithPriority(&other, CU_STREAM_NON_BLOCKING, -1));
    RETURNS("cuStreamGetPriority", cuStreamGetPriority(other, &priority));
    answer("cuStreamGetPriority: of -1", "%d", priority);
    RETURNS("cuStreamCreateWithPriority: -1000", cuStreamCreateWithPriority(&other, 0, -1000));
    NEED(cuStreamGetPriority(other, &priority));
    answer("cuStreamGetPriority: of -1000", "%d", priority);
    RETURNS("cuStreamGetFlags", cuStreamGetFlags(stream, &flags));
    answer("cuStreamGetFlags: which", "%u", flags);
    RETURNS("cuStreamGetFlags: stream 0", cuStreamGetFlags(0, &flags));
    answer("cuStreamGetFlags: stream 0: which", "%u", flags);
    RETURNS("cuStreamGetFlags(NULL)", cuStreamGetFlags(stream, NULL));
    RETURNS("cuStreamGetPriority: stream 0", cuStreamGetPriority(0, &priority));
    RETURNS("cuStreamGetPriority(NULL)", cuStreamGetPriority(stream, NULL));
    RETURNS("cuStreamGetCtx", cuStreamGetCtx(stream, &its));
    answer("cuStreamGetCtx: the current one", "%d", its == context);
    RETURNS("cuStreamGetCtx: stream 0", cuStreamGetCtx(0, &its));
    RETURNS("cuStreamGetCtx(NULL)", cuStreamGetCtx(stream, NULL));
    RETURNS("cuStreamGetId", cuStreamGetId(stream, &id));
    NEED(cuStreamGetId(other, &other_id));
    answer("cuStreamGetId: differ", "%d", id != other_id);
    RETURNS("cuStreamGetId(NULL)", cuStreamGetId(stream, NULL));
    RETURNS("cuStreamGetDevice", cuStreamGetDevice(stream, &device));
    answer("cuStreamGetDevice: which", "%d", device);
    RETURNS("cuStreamQuery", cuStreamQuery(stream));
    RETURNS("cuStreamQuery: stream 0", cuStreamQuery(0));
    RETURNS("cuStreamQuery: per thread", cuStreamQuery(CU_STREAM_PER_THREAD));
    RETURNS("cuStreamSynchronize", cuStreamSynchronize(stream));
    RETURNS("cuStreamSynchronize: stream 0", cuStreamSynchronize(0));
    RETURNS("cuStreamSynchronize: legacy", cuStreamSynchronize(CU_STREAM_LEGACY));
    RETURNS("cuStreamDestroy", cuStreamDestroy(stream));
    RETURNS("cuStreamDestroy(NULL)", cuStreamDestroy(NULL));
    RETURNS("cuStreamDestroy: legacy", cuStreamDestroy(CU_STREAM_LEGACY));
    RETURNS("cuStreamDestroy: per thread", cuStreamDestroy(CU_STREAM_PER_THREAD));
}

static void events_are_recorded(void)
{
    CUevent event = NULL, other = NULL, untimed = NULL;
    CUstream stream;
    float ms = -1;
    in_a_context();
    NEED(cuStreamCreate(&stream, 0));
    RETURNS("cuEventCreate", cuEventCreate(&event, CU_EVENT_DEFAULT));
    RETURNS("cuEventCreate: blocking", cuEventCreate(&other, CU_EVENT_BLOCKING_SYNC));
    RETURNS("cuEventCreate: no timing", cuEventCreate(&untimed, CU_EVENT_DISABLE_TIMING));
    RETURNS("cuEventCreate: between processes, timed", cuEventCreate(&untimed, CU_EVENT_INTERPROCESS));
    RETURNS("cuEventCreate: flags 0x100", cuEventCreate(&other, 0x100));
    RETURNS("cuEventCreate(NULL)", cuEventCreate(NULL, 0));
    NEED(cuEventCreate(&other, 0));
    NEED(cuEventCreate(&untimed, CU_EVENT_DISABLE_TIMING));
    RETURNS("cuEventQuery: not recorded", cuEventQuery(event));
    RETURNS("cuEventSynchronize: not recorded", cuEventSynchronize(event));
    RETURNS("cuEventElapsedTime: not recorded", cuEventElapsedTime(&ms, event, other));
    RETURNS("cuEventRecord", cuEventRecord(event, 0));
    RETURNS("cuEventElapsedTime: one recorded", cuEventElapsedTime(&ms, event, other));
    RETURNS("cuEventRecord: in a stream", cuEventRecord(other, stream));
    RETURNS("cuEventRecord: NULL", cuEventRecord(NULL, 0));
    RETURNS("cuEventRecordWithFlags: 0", cuEventRecordWithFlags(other, stream, 0));
    RETURNS("cuEventRecordWithFlags: external",
            cuEventRecordWithFlags(other, stream, CU_EVENT_RECORD_EXTERNAL));
    RETURNS("cuEventRecordWithFlags: 2", cuEventRecordWithFlags(other, stream, 2));
    RETURNS("cuEventSynchronize", cuEventSynchronize(other));
    RETURNS("cuEventQuery", cuEventQuery(other));
    RETURNS("cuEventElapsedTime", cuEventElapsedTime(&ms, event, other));
    answer("cuEventElapsedTime: not negative", "%d", ms >= 0);
    RETURNS("cuEventElapsedTime(NULL)", cuEventElapsedTime(NULL, event, other));
    RETURNS("cuEventElapsedTime: NULL event", cuEventElapsedTime(&ms, NULL, other));
    NEED(cuEventRecord(untimed, 0));
    NEED(cuCtxSynchronize());
    RETURNS("cuEventElapsedTime: no timing", cuEventElapsedTime(&ms, event, untimed));
    RETURNS("cuStreamWaitEvent", cuStreamWaitEvent(stream, event, 0));
    RETURNS("cuStreamWaitEvent: flags 2", cuStreamWaitEvent(stream, event, 2));
    RETURNS("cuStreamWaitEvent: NULL", cuStreamWaitEvent(stream, NULL, 0));
    RETURNS("cuEventQuery(NULL)", cuEventQuery(NULL));
    RETURNS("cuEventSynchronize(NULL)", cuEventSynchronize(NULL));
    RETURNS("cuEventDestroy", cuEventDestroy(event));
    RETURNS("cuEventDestroy(NULL)", cuEventDestroy(NULL));
}

static void count_it(void *number)
{
    ++*(int *)number;
}

static void count_callback(CUstream stream, CUresult status, void *number)
{
    (void)stream;
    *(int *)number += status == CUDA_SUCCESS ? 10 : 1000;
}

static void ask_in_it(void *result)
{
    CUdeviceptr p;
    *(CUresult *)result = cuMemAlloc(&p, 16);
}

static void the_host_is_called(void)
{
    int number = 0;
    CUresult inside = CUDA_SUCCESS;
    CUstream stream;
    in_a_context();
    NEED(cuStreamCreate(&stream, 0));
    RETURNS("cuLaunchHostFunc", cuLaunchHostFunc(stream, count_it, &number));
    RETURNS("cuLaunchHostFunc(NULL)", cuLaunchHostFunc(stream, NULL, &number));
    RETURNS("cuStreamAddCallback", cuStreamAddCallback(stream, count_callback, &number, 0));
    RETURNS("cuStreamAddCallback: flags 1", cuStreamAddCallback(stream, count_callback, &number, 1));
    RETURNS("cuStreamAddCallback(NULL)", cuStreamAddCallback(stream, NULL, &number, 0));
    NEED(cuStreamSynchronize(stream));
    answer("host functions: called", "%d", number);
    NEED(cuLaunchHostFunc(stream, ask_in_it, &inside));
    NEED(cuStreamSynchronize(stream));
    answer("host functions: cuMemAlloc inside", "%s", result_name(inside));
}

static void captures_are_known(void)
{
    CUstream stream;
    CUstreamCaptureStatus status = (CUstreamCaptureStatus)77;
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    CUgraph graph = NULL;
    CUdeviceptr p;
    in_a_context();
    p = zeros(64);
    NEED(cuStreamCreate(&stream, 0));
    RETURNS("cuStreamIsCapturing", cuStreamIsCapturing(stream, &status));
    answer("cuStreamIsCapturing: which", "%d", (int)status);
    RETURNS("cuStreamIsCapturing(NULL)", cuStreamIsCapturing(stream, NULL));
    RETURNS("cuStreamEndCapture: of none", cuStreamEndCapture(stream, &graph));
    RETURNS("cuStreamBeginCapture: stream 0", cuStreamBeginCapture(0, CU_STREAM_CAPTURE_MODE_GLOBAL));
    RETURNS("cuStreamBeginCapture: mode 7", cuStreamBeginCapture(stream, (CUstreamCaptureMode)7));
    RETURNS("cuStreamBeginCapture", cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    NEED(cuStreamIsCapturing(stream, &status));
    answer("cuStreamIsCapturing: meanwhile", "%d", (int)status);
    RETURNS("cuStreamBeginCapture: again", cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    RETURNS("captured: cuMemsetD8Async", cuMemsetD8Async(p, 1, 64, stream));
    RETURNS("captured: cuStreamQuery", cuStreamQuery(stream));
    RETURNS("cuStreamEndCapture: spoilt by a query", cuStreamEndCapture(stream, &graph));
    NEED(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    NEED(cuMemsetD8Async(p, 1, 64, stream));
    RETURNS("cuStreamEndCapture", cuStreamEndCapture(stream, &graph));
    answer("cuStreamEndCapture: a graph", "%d", graph != NULL);
    RETURNS("cuThreadExchangeStreamCaptureMode", cuThreadExchangeStreamCaptureMode(&mode));
    answer("cuThreadExchangeStreamCaptureMode: before", "%d", (int)mode);
}

#define RUN(name)                                                                                            \
    {                                                                                                        \
#name, name                                                                                          \
    }
const struct behaviour stream_behaviours[] = {RUN(streams_are_made),
                                              RUN(events_are_recorded),
                                              RUN(the_host_is_called),
                                              RUN(captures_are_known),
                                              {NULL, NULL}};
