/**
 * @file host_function.c
 * @brief Host functions and callbacks in streams (CUDA Runtime API, Execution Control; Stream Management).
 *
 * CUDA forbids CUDA calls inside them. An H200 (driver 580) answers nearly all of these calls with
 * cudaErrorNotPermitted, and so does umsim_enter(). A driver calls such functions in a thread of its own.
 * Here the thread that runs the queue does it, and that thread's last error stays as it was.
 */
#include "host_function.h"
#include "graph.h"
#include "runtime.h"
#include "../check/touches.h"
#include "../base/activity.h"
#include "../base/foreign_call.h"
#include "../base/lock.h"
#include "../base/program_clock.h"
#include "../base/report.h"
#include "../base/sticky.h"

#include <stdatomic.h>
#include <string.h>

struct host_function {
    struct umsim_op op;
    cudaHostFn_t call;
    cudaStreamCallback_t callback;
    cudaStream_t handle;
    void *data;
};

static __thread bool inside __attribute__((tls_model("initial-exec")));
static cudaError_t last_error; /* of the one thread that a driver calls these functions in */

bool umsim_inside_host_function(void)
{
    return inside;
}

cudaError_t umsim_host_function_refuses(const char *call)
{
    static atomic_bool told;
    if (!atomic_exchange(&told, true))
        umsim_say(
            "%s() inside a host function or callback returns cudaErrorNotPermitted: the stream waits for "
            "that function, which could wait for the stream for ever; have it signal another thread, and "
            "call CUDA there",
            call);
    return cudaErrorNotPermitted;
}

bool umsim_host_function_permits(const char *call)
{
    return !inside || strcmp(call, "cudaEventQuery") == 0 || strcmp(call, "cudaEventSynchronize") == 0;
}

static void (*run_elsewhere)(umsim_any_function function, void *first, void *second, void *third);

void umsim_host_functions_run(void (*run)(umsim_any_function, void *, void *, void *))
{
    run_elsewhere = run;
}

static void call_function(umsim_any_function function, void *first, void *second, void *third)
{
    (run_elsewhere ? run_elsewhere : umsim_call_alone)(function, first, second, third);
}

/* Runs without the lock: the function may wait for another thread, and that thread may call CUDA. What it
 * works is the operation's time, for the stream waits for it, and not that of the thread which runs the
 * queue. */
static void run_host_function(struct umsim_op *op)
{
    struct host_function *it = (struct host_function *)op;
    const cudaError_t status = umsim_sticky_error(), threads_own = umsim_last_error;
    const struct umsim_foreign_call *outer = umsim_foreign_call;
    umsim_unlock();
    const struct umsim_host_code code = umsim_program_clock_host_begin();
    const uint64_t began = umsim_clock_now();
    inside = true;
    umsim_foreign_call = NULL; /* what it calls, it calls itself */
    umsim_kernels_stand_still(&op->stream->kernels);
    umsim_touches_in_order(true);
    umsim_last_error = last_error;
    if (it->callback)
        call_function((umsim_any_function)it->callback, it->handle, (void *)(uintptr_t)status, it->data);
    else if (!status)
        call_function((umsim_any_function)it->call, it->data, NULL, NULL);
    last_error = umsim_last_error;
    umsim_last_error = threads_own;
    umsim_touches_in_order(false);
    umsim_kernels_stand_still(NULL);
    inside = false;
    umsim_foreign_call = outer;
    umsim_program_clock_host_end(code);
    umsim_lock();
    op->duration_ns = umsim_cost_host_function_start(&umsim_machine.costs) + (umsim_clock_now() - began);
    umsim_clock_begin(began);
}

static cudaError_t issue(struct umsim_stream *stream, cudaStream_t handle, cudaHostFn_t call,
                         cudaStreamCallback_t callback, void *data)
{
    struct host_function *it = umsim_op_make(sizeof *it, "host function");
    if (!it)
        return cudaErrorMemoryAllocation;
    it->op.run = run_host_function;
    it->op.tells_host = true;
    it->call = call;
    it->callback = callback;
    it->handle = handle;
    it->data = data;
    umsim_op_issue(&it->op, stream);
    return cudaSuccess;
}

cudaError_t umsim_issue_host(const struct cudaHostNodeParams *host, struct umsim_stream *stream)
{
    return issue(stream, NULL, host->fn, NULL, host->userData);
}

static cudaError_t issue_host_function(cudaStream_t handle, cudaHostFn_t call, cudaStreamCallback_t callback,
                                       void *data)
{
    struct umsim_stream *stream = umsim_stream_of(handle);
    if (!stream)
        return cudaErrorInvalidResourceHandle;
    if (!call && !callback)
        return cudaErrorInvalidValue;
    cudaError_t error = umsim_admit(stream, callback && stream->capture); /* a graph cannot hold a callback */
    if (error)
        return error;
    umsim_spend(UMSIM_CALL_HOST_FUNCTION);
    const struct umsim_work work = {.type = cudaGraphNodeTypeHost, .host = {call, data}};
    return stream->capture ? umsim_capture_add(stream, &work) : issue(stream, handle, call, callback, data);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData)
{
    UMSIM_ENTER(cudaLaunchHostFunc, stream, fn, userData);
    return umsim_leave(issue_host_function(stream, fn, NULL, userData));
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *userData,
                                  unsigned int flags)
{
    UMSIM_ENTER(cudaStreamAddCallback, stream, callback, userData, flags);
    return umsim_leave(flags ? cudaErrorInvalidValue : issue_host_function(stream, NULL, callback, userData));
}
