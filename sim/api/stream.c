/**
 * @file stream.c
 * @brief Streams (CUDA Runtime API, Stream Management).
 */
#include "attributes_kept.h"
#include "graph.h"
#include "poll.h"
#include "runtime.h"
#include "../base/foreign_call.h"
#include "../record/counters.h"
#include "../record/ledger.h"
#include "../base/lock.h"
#include "../space/managed.h"
#include "../base/machine.h"
#include "../base/sticky.h"

#include <stdlib.h>

/* It is the current device's. */
static struct umsim_stream *stream_make(unsigned flags, int priority)
{
    struct umsim_stream *stream = calloc(1, sizeof *stream);
    if (!stream)
        return NULL;
    stream->device = umsim_device();
    stream->owner = umsim_call_owner;
    stream->waits_for_legacy = !(flags & cudaStreamNonBlocking);
    stream->flags = flags;
    stream->priority = priority;
    umsim_stream_add(stream);
    return stream;
}

/* Created at its first use, one for each host thread and device; it synchronises with the legacy stream. */
static struct umsim_stream *per_thread_stream(void)
{
    static __thread struct umsim_stream *mine[UMSIM_DEVICES_MAX] __attribute__((tls_model("initial-exec")));
    struct umsim_stream **of = &mine[umsim_device()];
    if (!*of)
        *of = stream_make(cudaStreamDefault, 0);
    return *of;
}

struct umsim_stream *umsim_stream_of(cudaStream_t handle)
{
    if (!handle || handle == cudaStreamLegacy)
        return umsim_legacy_stream(umsim_device());
    if (handle == cudaStreamPerThread)
        return per_thread_stream();
    return umsim_stream_at(handle);
}

int umsim_stream_priority(int priority)
{
    const int64_t least = umsim_machine_of(umsim_device())->attributes.least_stream_priority;
    const int64_t greatest = umsim_machine_of(umsim_device())->attributes.greatest_stream_priority;
    return priority > least ? (int)least : priority < greatest ? (int)greatest : priority;
}

static cudaError_t create(cudaStream_t *out, unsigned flags, int priority)
{
    if (!out || (flags & ~cudaStreamNonBlocking))
        return cudaErrorInvalidValue;
    umsim_spend(UMSIM_CALL_STREAM_CREATE);
    struct umsim_stream *stream = stream_make(flags, umsim_stream_priority(priority));
    *out = (cudaStream_t)stream;
    if (stream)
        umsim_ledger_made(UMSIM_LEDGER_STREAM, 0);
    return stream ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaStreamCreate(cudaStream_t *pStream)
{
    UMSIM_ENTER(cudaStreamCreate, pStream);
    return umsim_leave(create(pStream, cudaStreamDefault, 0));
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *pStream, unsigned int flags)
{
    UMSIM_ENTER(cudaStreamCreateWithFlags, pStream, flags);
    return umsim_leave(create(pStream, flags, 0));
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *pStream, unsigned int flags, int priority)
{
    UMSIM_ENTER(cudaStreamCreateWithPriority, pStream, flags, priority);
    return umsim_leave(create(pStream, flags, priority));
}

static void detach(struct umsim_alloc *allocation, void *stream)
{
    if (allocation->attached == &((const struct umsim_stream *)stream)->kernels)
        umsim_managed_attach(allocation, allocation->flags, NULL);
}

cudaError_t cudaStreamDestroy(cudaStream_t handle)
{
    UMSIM_ENTER(cudaStreamDestroy, handle);
    struct umsim_stream *stream = umsim_stream_of(handle);
    if (!stream || !handle || handle == cudaStreamLegacy || handle == cudaStreamPerThread)
        return umsim_leave(cudaErrorInvalidResourceHandle);
    umsim_capture_leave(stream);
    cudaError_t error = umsim_admit(stream, true);
    if (error)
        return umsim_leave(error);
    umsim_spend(UMSIM_CALL_STREAM_DESTROY);
    if (!umsim_machine_of(umsim_device())
             ->attributes.concurrent_managed_access) /* elsewhere attaching changes nothing */
        umsim_registry_each(detach, stream);
    umsim_stream_attributes_forget(stream);
    umsim_ledger_released(UMSIM_LEDGER_STREAM, 0);
    umsim_stream_retire(stream);
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle)
{
    UMSIM_ENTER(cudaStreamSynchronize, handle);
    struct umsim_stream *stream = umsim_stream_of(handle);
    cudaError_t error = stream ? umsim_admit(stream, true) : cudaErrorInvalidResourceHandle;
    if (error)
        return umsim_leave(error);
    uint64_t before = umsim_clock_now();
    umsim_stream_finish(stream);
    umsim_spend_wait(before);
    umsim_count(synchronizations, 1);
    return umsim_leave(umsim_sticky_error());
}

cudaError_t cudaStreamQuery(cudaStream_t handle)
{
    UMSIM_ENTER(cudaStreamQuery, handle);
    struct umsim_stream *stream = umsim_stream_of(handle);
    cudaError_t error = stream ? umsim_admit(stream, true) : cudaErrorInvalidResourceHandle;
    if (error)
        return umsim_leave(error);
    umsim_spend(UMSIM_CALL_QUERY);
    bool done = true;
    if (stream->tail) {
        struct umsim_op *tail = umsim_op_hold(stream->tail);
        done = umsim_queue_progress(tail);
        umsim_op_drop(tail);
    }
    if (umsim_sticky_error())
        return umsim_leave(umsim_sticky_error());
    const bool later = done && stream->tail_ns > umsim_clock_now();
    if (later)
        umsim_poll_later(stream->tail_ns);
    else if (done)
        umsim_clock_wait_until(stream->tail_ns); /* counts as a wait for the stream */
    done = done && !later;
    return umsim_leave(done ? cudaSuccess : cudaErrorNotReady);
}

cudaError_t cudaStreamGetFlags(cudaStream_t hStream, unsigned int *flags)
{
    UMSIM_ENTER(cudaStreamGetFlags, hStream, flags);
    struct umsim_stream *stream = umsim_stream_of(hStream);
    if (!stream || !flags)
        return umsim_leave(stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *flags = stream->flags;
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaStreamGetPriority(cudaStream_t hStream, int *priority)
{
    UMSIM_ENTER(cudaStreamGetPriority, hStream, priority);
    struct umsim_stream *stream = umsim_stream_of(hStream);
    if (!stream || !priority)
        return umsim_leave(stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *priority = stream->priority;
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaStreamGetId(cudaStream_t hStream, unsigned long long *streamId)
{
    UMSIM_ENTER(cudaStreamGetId, hStream, streamId);
    struct umsim_stream *stream = umsim_stream_of(hStream);
    if (!stream || !streamId)
        return umsim_leave(stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *streamId = stream->number + 1;
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaStreamGetDevice(cudaStream_t hStream, int *device)
{
    UMSIM_ENTER(cudaStreamGetDevice, hStream, device);
    const struct umsim_stream *stream = umsim_stream_of(hStream);
    if (!stream || !device)
        return umsim_leave(device ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
    *device = (int)stream->device;
    return umsim_leave(cudaSuccess);
}
