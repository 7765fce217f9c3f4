/**
 * @file event.c
 * @brief Events (CUDA Runtime API, Event Management).
 *
 * The simulator represents an event by the operation that last recorded it.
 */
#include "event.h"
#include "graph.h"
#include "host_function.h"
#include "runtime.h"
#include "../record/counters.h"
#include "../record/ledger.h"
#include "../base/machine.h"
#include "../base/sticky.h"

#include <stdlib.h>

struct event {
    struct umsim_span span; /* in the set of live handles */
    unsigned flags, device;
    struct umsim_op *record; /* NULL: never recorded, or recorded in a captured stream */
    struct umsim_mark mark;  /* what the event stands for in a captured stream */
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
    if (flags & cudaEventInterprocess)
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
    return issue_record(event, stream);
}

cudaError_t umsim_issue_event_record(cudaEvent_t handle, struct umsim_stream *stream)
{
    struct event *event = event_of(handle);
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
    umsim_op_issue_after(op, stream, event->record);
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
    if (event->record) {
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
    if (error || !event->record)
        return umsim_leave(error);
    if (umsim_inside_host_function())
        return umsim_leave(inside_host_function(event, "cudaEventQuery"));
    struct umsim_op *op = umsim_op_hold(event->record);
    bool done = umsim_queue_progress(op) && op->end_ns <= umsim_clock_now();
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
