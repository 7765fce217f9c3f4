/**
 * @file event.c
 * @brief Events (CUDA Runtime API, Event Management).
 *
 * The simulator represents an event by the operation that last recorded it.
 */
#include "event.h"
#include "graph.h"
#include "host_function.h"
#include "ipc.h"
#include "poll.h"
#include "runtime.h"
#include "../record/counters.h"
#include "../record/ledger.h"
#include "../base/machine.h"
#include "../base/mode.h"
#include "../base/sticky.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct event {
    struct umsim_span span; /* in the set of live handles */
    unsigned flags, device;
    struct umsim_op *record;        /* NULL: never recorded, or recorded in a captured stream */
    struct umsim_mark mark;         /* what the event stands for in a captured stream */
    struct umsim_ipc_event *shared; /* since other processes may open it; NULL: they may not */
    struct umsim_shared_file file;
    bool opened; /* it is another process's */
};

static struct umsim_spans events;

static struct event *event_of(cudaEvent_t handle)
{
    return (struct event *)umsim_spans_at(&events, (uintptr_t)handle);
}

enum umsim_event_state umsim_event_state(cudaEvent_t handle)
{
    const struct event *event = event_of(handle);
    return !event                                    ? UMSIM_EVENT_UNKNOWN
           : !event->record && !event->mark.capture  ? UMSIM_EVENT_NOT_RECORDED
           : (event->flags & cudaEventDisableTiming) ? UMSIM_EVENT_WITHOUT_TIMING
                                                     : UMSIM_EVENT_RECORDED;
}

static cudaError_t create(cudaEvent_t *out, unsigned flags)
{
    const unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if (!out || (flags & ~known))
        return cudaErrorInvalidValue;
    if ((flags & cudaEventInterprocess) && !(flags & cudaEventDisableTiming))
        return cudaErrorInvalidValue;
    if ((flags & cudaEventInterprocess) && umsim_is_grading())
        return cudaErrorNotSupported;
    struct event *event = calloc(1, sizeof *event);
    if (!event)
        return cudaErrorMemoryAllocation;
    umsim_spend(UMSIM_CALL_EVENT_CREATE);
    event->flags = flags;
    event->device = umsim_device();
    event->span.start = (uintptr_t)event;
    event->span.bytes = sizeof *event;
    umsim_spans_add(&events, &event->span);
    *out = (cudaEvent_t)event;
    umsim_ledger_made(UMSIM_LEDGER_EVENT, 0);
    return cudaSuccess;
}

/* Another process recorded it last; its work was done then. */
static bool is_recorded_elsewhere(const struct event *event)
{
    const int32_t process = event->shared ? event->shared->process : 0;
    return process && process != (int32_t)getpid();
}

static void release_shared(struct event *event)
{
    if (!event->shared)
        return;
    umsim_ipc_event_close(event->shared);
    if (!event->opened)
        umsim_shared_file_close(&event->file);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    UMSIM_ENTER(cudaEventCreate, event);
    return umsim_leave(create(event, cudaEventDefault));
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    UMSIM_ENTER(cudaEventCreateWithFlags, event, flags);
    return umsim_leave(create(event, flags));
}

cudaError_t cudaEventDestroy(cudaEvent_t handle)
{
    UMSIM_ENTER(cudaEventDestroy, handle);
    struct event *event = event_of(handle);
    if (!event)
        return umsim_leave(cudaErrorInvalidResourceHandle);
    umsim_spans_remove(&events, &event->span);
    if (event->record)
        umsim_op_drop(event->record);
    umsim_capture_unmark(&event->mark);
    release_shared(event);
    free(event);
    umsim_ledger_released(UMSIM_LEDGER_EVENT, 0);
    umsim_spend(UMSIM_CALL_EVENT_DESTROY);
    return umsim_leave(cudaSuccess);
}

static void forget_record(struct event *event)
{
    if (event->record)
        umsim_op_drop(event->record);
    event->record = NULL;
}

static cudaError_t issue_record(struct event *event, struct umsim_stream *stream)
{
    struct umsim_op *op = umsim_op_make(sizeof *op, "event record");
    if (!op)
        return cudaErrorMemoryAllocation;
    forget_record(event);
    umsim_capture_unmark(&event->mark);
    event->record = umsim_op_hold(op);
    op->duration_ns = umsim_cost_event_device(&umsim_machine_of(stream->device)->costs);
    umsim_op_issue(op, stream);
    return cudaSuccess;
}

/* `external`: the event is no fork of the capture, but is recorded each time that the graph is launched. */
static cudaError_t record(cudaEvent_t handle, cudaStream_t stream_handle, bool external)
{
    struct event *event = event_of(handle);
    struct umsim_stream *stream = umsim_stream_of(stream_handle);
    if (!event || !stream || event->device != stream->device)
        return cudaErrorInvalidResourceHandle;
    cudaError_t error = umsim_admit(stream, false);
    if (error)
        return error;
    const struct umsim_work work = {.type = cudaGraphNodeTypeEventRecord, .event = handle};
    if (external)
        return stream->capture ? umsim_capture_add(stream, &work) : cudaErrorIllegalState;
    if (stream->capture) {
        forget_record(event);
        return umsim_capture_mark(stream, &event->mark);
    }
    umsim_spend(UMSIM_CALL_EVENT_RECORD);
    error = issue_record(event, stream);
    if (!error && event->shared) {
        struct umsim_op *op = umsim_op_hold(event->record);
        umsim_queue_finish(op); /* other processes are told of what has run */
        umsim_op_drop(op);
        event->shared->process = (int32_t)getpid();
    }
    return error;
}

cudaError_t umsim_issue_event_record(cudaEvent_t handle, struct umsim_stream *stream)
{
    struct event *event = event_of(handle);
    if (event && event->shared) /* a graph does not wait here until its work has run */
        return cudaErrorNotSupported;
    return event ? issue_record(event, stream) : cudaErrorInvalidResourceHandle;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    UMSIM_ENTER(cudaEventRecord, event, stream);
    return umsim_leave(record(event, stream, false));
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags)
{
    UMSIM_ENTER(cudaEventRecordWithFlags, event, stream, flags);
    if (flags & ~(unsigned)cudaEventRecordExternal)
        return umsim_leave(cudaErrorInvalidValue);
    return umsim_leave(record(event, stream, flags & cudaEventRecordExternal));
}

/* An event that was never recorded is nothing to wait for. */
static cudaError_t issue_wait(const struct event *event, struct umsim_stream *stream)
{
    struct umsim_op *op = umsim_op_make(sizeof *op, "wait for event");
    if (!op)
        return cudaErrorMemoryAllocation;
    umsim_op_issue_after(op, stream, is_recorded_elsewhere(event) ? NULL : event->record);
    return cudaSuccess;
}

cudaError_t umsim_issue_event_wait(cudaEvent_t handle, struct umsim_stream *stream)
{
    const struct event *event = event_of(handle);
    return event ? issue_wait(event, stream) : cudaErrorInvalidResourceHandle;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream_handle, cudaEvent_t handle, unsigned int flags)
{
    UMSIM_ENTER(cudaStreamWaitEvent, stream_handle, handle, flags);
    struct event *event = event_of(handle);
    struct umsim_stream *stream = umsim_stream_of(stream_handle);
    if (!event || !stream || (flags & ~(unsigned)cudaEventWaitExternal))
        return umsim_leave(event && stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    umsim_spend(UMSIM_CALL_STREAM_WAIT_EVENT);
    cudaError_t error = umsim_admit(stream, false);
    const struct umsim_work work = {.type = cudaGraphNodeTypeWaitEvent, .event = handle};
    if (!error && (flags & cudaEventWaitExternal))
        return umsim_leave(stream->capture ? umsim_capture_add(stream, &work) : cudaErrorIllegalState);
    if (error || stream->capture || event->mark.capture)
        return umsim_leave(error ? error : umsim_capture_join(stream, &event->mark, event->record));
    return umsim_leave(event->record ? issue_wait(event, stream) : cudaSuccess);
}

/* What has run is done, though its times are not known yet. Nothing else runs before the host function
 * returns: to wait for it, or to ask until it is done, would never end. */
static cudaError_t inside_host_function(const struct event *event, const char *call)
{
    if (event->record && event->record->state < UMSIM_OP_RAN)
        return umsim_host_function_refuses(call);
    return umsim_sticky_error();
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle)
{
    UMSIM_ENTER(cudaEventSynchronize, handle);
    struct event *event = event_of(handle);
    if (!event)
        return umsim_leave(cudaErrorInvalidResourceHandle);
    cudaError_t error = umsim_capture_of_mark(&event->mark);
    if (error)
        return umsim_leave(error);
    if (umsim_inside_host_function())
        return umsim_leave(inside_host_function(event, "cudaEventSynchronize"));
    uint64_t before = umsim_clock_now();
    if (event->record && !is_recorded_elsewhere(event)) {
        struct umsim_op *op = umsim_op_hold(event->record);
        umsim_queue_finish(op);
        umsim_clock_wait_until(op->end_ns);
        umsim_op_drop(op);
    }
    umsim_spend_wait(before);
    umsim_count(synchronizations, 1);
    return umsim_leave(umsim_sticky_error());
}

cudaError_t cudaEventQuery(cudaEvent_t handle)
{
    UMSIM_ENTER(cudaEventQuery, handle);
    struct event *event = event_of(handle);
    if (!event)
        return umsim_leave(cudaErrorInvalidResourceHandle);
    umsim_spend(UMSIM_CALL_QUERY);
    cudaError_t error = umsim_capture_of_mark(&event->mark);
    if (error || !event->record || is_recorded_elsewhere(event))
        return umsim_leave(error);
    if (umsim_inside_host_function())
        return umsim_leave(inside_host_function(event, "cudaEventQuery"));
    struct umsim_op *op = umsim_op_hold(event->record);
    /* Of a shared one other processes know already that it is done. */
    bool done = umsim_queue_progress(op);
    if (done && !event->shared && op->end_ns > umsim_clock_now()) {
        umsim_poll_later(op->end_ns);
        done = false;
    }
    if (done)
        umsim_clock_wait_until(op->end_ns); /* counts as a wait for the event */
    umsim_op_drop(op);
    if (umsim_sticky_error())
        return umsim_leave(umsim_sticky_error());
    return umsim_leave(done ? cudaSuccess : cudaErrorNotReady);
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    UMSIM_ENTER(cudaEventElapsedTime, ms, start, end);
    struct event *first = event_of(start), *last = event_of(end);
    if (!ms)
        return umsim_leave(cudaErrorInvalidValue);
    if (!first || !last || !first->record || !last->record || first->device != last->device ||
        ((first->flags | last->flags) & cudaEventDisableTiming))
        return umsim_leave(cudaErrorInvalidResourceHandle);
    if (first->record->state != UMSIM_OP_SETTLED || last->record->state != UMSIM_OP_SETTLED)
        return umsim_leave(cudaErrorNotReady);
    *ms = (float)(((double)last->record->end_ns - (double)first->record->end_ns) / 1e6);
    return umsim_leave(cudaSuccess);
}

/* ---- of several processes ---- */

#define MARK "umsimE1"

static cudaError_t get_handle(cudaIpcEventHandle_t *out, struct event *event)
{
    if (!out)
        return cudaErrorInvalidValue;
    if (!event || !(event->flags & cudaEventInterprocess) || event->opened)
        return cudaErrorInvalidResourceHandle;
    if (!event->shared) {
        event->shared = umsim_ipc_event_make(&event->file);
        if (!event->shared)
            return cudaErrorMemoryAllocation;
        event->shared->process = event->record ? (int32_t)getpid() : 0;
    }
    const struct umsim_ipc_handle handle = {MARK, event->file, 0};
    memset(out, 0, sizeof *out);
    memcpy(out, &handle, sizeof handle);
    return cudaSuccess;
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event)
{
    UMSIM_ENTER(cudaIpcGetEventHandle, handle, event);
    return umsim_leave(get_handle(handle, event_of(event)));
}

static cudaError_t open_handle(cudaEvent_t *out, const struct umsim_ipc_handle *handle)
{
    if (!out)
        return cudaErrorInvalidValue;
    if (memcmp(handle->mark, MARK, sizeof MARK) != 0)
        return cudaErrorMapBufferObjectFailed; /* as an H200 says of zeros */
    if (umsim_is_grading())
        return cudaErrorNotSupported;
    if (handle->file.process == (int32_t)getpid())
        return cudaErrorDeviceUninitialized;
    struct umsim_ipc_event *shared = umsim_ipc_event_open(&handle->file);
    if (!shared)
        return cudaErrorMapBufferObjectFailed;
    const cudaError_t error = create(out, cudaEventInterprocess | cudaEventDisableTiming);
    if (error) {
        umsim_ipc_event_close(shared);
        return error;
    }
    struct event *event = event_of(*out);
    event->shared = shared;
    event->opened = true;
    return cudaSuccess;
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle)
{
    UMSIM_ENTER(cudaIpcOpenEventHandle, event);
    struct umsim_ipc_handle it;
    memcpy(&it, &handle, sizeof it);
    return umsim_leave(open_handle(event, &it));
}
