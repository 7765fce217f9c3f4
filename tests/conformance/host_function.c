/**
 * @file host_function.c
 * @brief What CUDA calls answer inside a function that cudaLaunchHostFunc() or cudaStreamAddCallback() calls.
 */
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "behaviour.h"
#include "child.h"
#include "launchers.h"
#include "um_cuda_compat.h"
#include "um_test.h"

/** Answers that are no error's number. */
enum { NOT_CALLED = -1, NEVER_RETURNS = -2 };
/** Seconds after which a call counts as never returning. */
enum { PATIENCE = 5 };

static struct {
    cudaStream_t own, other;
    cudaEvent_t event, ahead;
    char *device, *pinned, *plain, *managed;
    atomic_int answer;
} shared;

static int allocate(void)
{
    void *p = NULL;
    return cudaMalloc(&p, 4096);
}

static int release(void)
{
    return cudaFree(shared.device);
}

static int allocate_pinned(void)
{
    void *p = NULL;
    return cudaMallocHost(&p, 4096);
}

static int allocate_managed(void)
{
    void *p = NULL;
    return cudaMallocManaged(&p, 4096, cudaMemAttachGlobal);
}

static int allocate_async(void)
{
    void *p = NULL;
    return cudaMallocAsync(&p, 4096, shared.other);
}

static int register_host(void)
{
    return cudaHostRegister(shared.plain, 4096, cudaHostRegisterDefault);
}

static int wait_for_the_device(void)
{
    return cudaDeviceSynchronize();
}

static int wait_for_its_stream(void)
{
    return cudaStreamSynchronize(shared.own);
}

static int wait_for_another_stream(void)
{
    return cudaStreamSynchronize(shared.other);
}

static int query_its_stream(void)
{
    return cudaStreamQuery(shared.own);
}

static int query_another_stream(void)
{
    return cudaStreamQuery(shared.other);
}

static int query_an_event(void)
{
    return cudaEventQuery(shared.event);
}

static int wait_for_an_event_before(void)
{
    return cudaEventSynchronize(shared.ahead);
}

static int record_an_event(void)
{
    return cudaEventRecord(shared.event, shared.other);
}

static int make_an_event(void)
{
    cudaEvent_t event;
    return cudaEventCreate(&event);
}

static int make_a_stream(void)
{
    cudaStream_t stream;
    return cudaStreamCreate(&stream);
}

static int copy(void)
{
    return cudaMemcpy(shared.plain, shared.device, 64, cudaMemcpyDeviceToHost);
}

static int copy_asynchronously(void)
{
    return cudaMemcpyAsync(shared.pinned, shared.device, 64, cudaMemcpyDeviceToHost, shared.other);
}

static int set_asynchronously(void)
{
    return cudaMemsetAsync(shared.device, 0, 64, shared.other);
}

static int prefetch(void)
{
    return um_prefetch(shared.managed, 4096, 0, shared.other);
}

static int launch(void)
{
    return conf_launch((dim3){1, 1, 1}, (dim3){1, 1, 1}, 0, shared.other);
}

static void nothing(void *data)
{
    (void)data;
}

static int launch_a_host_function(void)
{
    return cudaLaunchHostFunc(shared.other, nothing, NULL);
}

static int ask_for_the_device(void)
{
    int device;
    return cudaGetDevice(&device);
}

static int ask_for_memory(void)
{
    size_t available, total;
    return cudaMemGetInfo(&available, &total);
}

static int ask_for_a_pointer(void)
{
    struct cudaPointerAttributes attributes;
    return cudaPointerGetAttributes(&attributes, shared.device);
}

static int ask_for_the_last_error(void)
{
    return cudaGetLastError();
}

static int touch_managed_memory(void)
{
    *(volatile char *)shared.managed = 1;
    return 0;
}

static const struct {
    const char *name;
    int (*call)(void);
} calls[] = {
    {"cudaMalloc", allocate},
    {"cudaFree", release},
    {"cudaMallocHost", allocate_pinned},
    {"cudaMallocManaged", allocate_managed},
    {"cudaMallocAsync", allocate_async},
    {"cudaHostRegister", register_host},
    {"cudaDeviceSynchronize", wait_for_the_device},
    {"cudaStreamSynchronize of its stream", wait_for_its_stream},
    {"cudaStreamSynchronize of another stream", wait_for_another_stream},
    {"cudaStreamQuery of its stream", query_its_stream},
    {"cudaStreamQuery of another stream", query_another_stream},
    {"cudaEventQuery", query_an_event},
    {"cudaEventSynchronize of an earlier event", wait_for_an_event_before},
    {"cudaEventRecord", record_an_event},
    {"cudaEventCreate", make_an_event},
    {"cudaStreamCreate", make_a_stream},
    {"cudaMemcpy", copy},
    {"cudaMemcpyAsync", copy_asynchronously},
    {"cudaMemsetAsync", set_asynchronously},
    {"cudaMemPrefetchAsync", prefetch},
    {"a launch", launch},
    {"cudaLaunchHostFunc", launch_a_host_function},
    {"cudaGetDevice", ask_for_the_device},
    {"cudaMemGetInfo", ask_for_memory},
    {"cudaPointerGetAttributes", ask_for_a_pointer},
    {"cudaGetLastError", ask_for_the_last_error},
    {"a touch of managed memory", touch_managed_memory},
};
#define CALLS (sizeof calls / sizeof *calls)

/** What one child does and finds. */
struct inside {
    int which;
    bool as_callback;
    int answer; /**< of the call: an error, NOT_CALLED or NEVER_RETURNS */
    int behind; /**< cudaStreamSynchronize() behind the host function */
    int later;  /**< cudaDeviceSynchronize() after that */
};

static struct inside *told;

static void host_function(void *data)
{
    told->answer = NEVER_RETURNS;
    told->answer = calls[*(const int *)data].call();
}

static void callback(cudaStream_t stream, cudaError_t status, void *data)
{
    (void)stream, (void)status;
    host_function(data);
}

static void give_up(int signal_number)
{
    (void)signal_number;
    _exit(0);
}

static void body(void *area)
{
    told = area;
    told->answer = NOT_CALLED;
    told->behind = told->later = NEVER_RETURNS;
    CHILD_ASSERT(cudaStreamCreateWithFlags(&shared.own, cudaStreamNonBlocking) == cudaSuccess);
    CHILD_ASSERT(cudaStreamCreateWithFlags(&shared.other, cudaStreamNonBlocking) == cudaSuccess);
    CHILD_ASSERT(cudaEventCreate(&shared.event) == cudaSuccess);
    CHILD_ASSERT(cudaEventCreate(&shared.ahead) == cudaSuccess);
    CHILD_ASSERT(cudaMalloc((void **)&shared.device, 4096) == cudaSuccess);
    CHILD_ASSERT(cudaMallocHost((void **)&shared.pinned, 4096) == cudaSuccess);
    CHILD_ASSERT(cudaMallocManaged((void **)&shared.managed, 4096, cudaMemAttachGlobal) == cudaSuccess);
    CHILD_ASSERT((shared.plain = aligned_alloc(4096, 4096)) != NULL);
    CHILD_ASSERT(conf_launch((dim3){1, 1, 1}, (dim3){1, 1, 1}, 0, shared.own) == cudaSuccess);
    CHILD_ASSERT(cudaEventRecord(shared.ahead, shared.own) == cudaSuccess);
    CHILD_ASSERT(cudaDeviceSynchronize() == cudaSuccess);
    signal(SIGALRM, give_up);
    alarm((unsigned)(PATIENCE * um_test_patience()));
    if (told->as_callback)
        CHILD_ASSERT(cudaStreamAddCallback(shared.own, callback, &told->which, 0) == cudaSuccess);
    else
        CHILD_ASSERT(cudaLaunchHostFunc(shared.own, host_function, &told->which) == cudaSuccess);
    told->behind = cudaStreamSynchronize(shared.own);
    told->later = cudaDeviceSynchronize();
}

static const char *in_words(int answer)
{
    if (answer == NOT_CALLED)
        return "not called";
    return answer == NEVER_RETURNS ? "never returns" : cudaGetErrorName(answer);
}

static void ask_each(bool as_callback, const char *where)
{
    char name[128];

    for (int i = 0; i < (int)CALLS; i++) {
        struct inside inside = {.which = i, .as_callback = as_callback};
        if (!child_run(body, &inside, sizeof inside))
            continue;
        snprintf(name, sizeof name, "in a %s: %s", where, calls[i].name);
        UM_BEHAVIOUR(name, "%s; behind it %s, %s", in_words(inside.answer), in_words(inside.behind),
                     in_words(inside.later));
    }
}

static void CUDA_calls_in_a_host_function_answer(void)
{
    ask_each(false, "host function");
}

static void CUDA_calls_in_a_callback_answer(void)
{
    ask_each(true, "callback");
}

UM_TESTS("host functions", {"CUDA calls in a host function answer", CUDA_calls_in_a_host_function_answer},
         {"CUDA calls in a callback answer", CUDA_calls_in_a_callback_answer});
