/**
 * @file stream.c
 * @brief Streams: order, what waits for what, queries, host functions, and what a blocking copy promises.
 *
 * "Busy" is a kernel that waits for a flag in pinned memory: what is asked while it waits has one right
 * answer, on hardware and on the simulator. The flag is always raised before anything waits for the stream.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "behaviour.h"
#include "child.h"
#include "kernels.h"
#include "launchers.h"

static void after(void)
{
    (void)cudaGetLastError();
}

/** A kernel that waits, and where it writes. Pinned: [0] the flag, [1] what the kernel leaves, others free.
 */
static int *marks;

static void raise_flag(void)
{
    __atomic_store_n(&marks[0], 1, __ATOMIC_SEQ_CST);
}

static void make_busy(cudaStream_t stream)
{
    if (!marks)
        CU_ASSERT_EQUAL_FATAL(cudaMallocHost((void **)&marks, 4096), cudaSuccess);
    memset(marks, 0, 4096);
    /* Loading a kernel may wait for all that runs: what is launched beside the waiting one is loaded before.
     */
    CU_ASSERT_EQUAL(conf_write(&marks[15], 1, 0), cudaSuccess);
    CU_ASSERT_EQUAL(conf_read(&marks[14], &marks[15], 0), cudaSuccess);
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    CU_ASSERT_EQUAL_FATAL(conf_wait_for_flag(&marks[0], &marks[1], 1, stream), cudaSuccess);
}

static cudaStream_t make_stream(unsigned flags)
{
    cudaStream_t stream = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaStreamCreateWithFlags(&stream, flags), cudaSuccess);
    return stream;
}

static void destroy(cudaStream_t stream)
{
    CU_ASSERT_EQUAL(cudaStreamDestroy(stream), cudaSuccess);
}

static void a_query_says_whether_a_stream_is_done(void)
{
    cudaStream_t stream = make_stream(cudaStreamNonBlocking), other = make_stream(cudaStreamNonBlocking);

    UM_RETURNS("cudaStreamQuery: nothing queued", cudaStreamQuery(stream));
    make_busy(stream);
    UM_RETURNS("cudaStreamQuery: busy", cudaStreamQuery(stream));
    UM_RETURNS("cudaStreamQuery: busy: cudaGetLastError", cudaGetLastError());
    UM_RETURNS("cudaStreamQuery: another stream, idle", cudaStreamQuery(other));
    raise_flag();
    UM_RETURNS("cudaStreamSynchronize: once the kernel may end", cudaStreamSynchronize(stream));
    UM_RETURNS("cudaStreamQuery: after cudaStreamSynchronize", cudaStreamQuery(stream));
    UM_BEHAVIOUR("cudaStreamSynchronize: the kernel has written", "%d", marks[1]);
    destroy(stream);
    destroy(other);
}

static void the_legacy_stream_waits_for_blocking_streams(void)
{
    cudaStream_t blocking = make_stream(cudaStreamDefault);

    make_busy(blocking);
    CU_ASSERT_EQUAL(conf_write(&marks[2], 7, 0), cudaSuccess);
    UM_RETURNS("legacy stream: query, while a blocking stream is busy", cudaStreamQuery(0));
    UM_BEHAVIOUR("legacy stream: its kernel waits for a blocking stream", "%d", *(volatile int *)&marks[2]);
    raise_flag();
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    UM_BEHAVIOUR("legacy stream: its kernel ran after the blocking stream", "%d", marks[2]);
    destroy(blocking);
}

static void blocking_streams_wait_for_the_legacy_stream(void)
{
    cudaStream_t blocking = make_stream(cudaStreamDefault);

    make_busy(0);
    CU_ASSERT_EQUAL(conf_write(&marks[2], 7, blocking), cudaSuccess);
    UM_RETURNS("blocking stream: query, while the legacy stream is busy", cudaStreamQuery(blocking));
    UM_BEHAVIOUR("blocking stream: its kernel waits for the legacy stream", "%d", *(volatile int *)&marks[2]);
    raise_flag();
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    UM_BEHAVIOUR("blocking stream: its kernel ran after the legacy stream", "%d", marks[2]);
    destroy(blocking);
}

/* Two kernels at once: hardware runs them side by side; the simulator runs one operation at a time under
 * `lazy`, and so the waiting kernel is on the legacy stream only in the clock. Asked is what is documented:
 * it does not wait. */
static void the_per_thread_stream_waits_for_the_legacy_stream(void)
{
    make_busy(0);
    CU_ASSERT_EQUAL(conf_write(&marks[2], 7, cudaStreamPerThread), cudaSuccess);
    UM_RETURNS("per-thread stream: query, while the legacy stream is busy",
               cudaStreamQuery(cudaStreamPerThread));
    raise_flag();
    UM_RETURNS("per-thread stream: synchronise", cudaStreamSynchronize(cudaStreamPerThread));
    UM_BEHAVIOUR("per-thread stream: its kernel ran", "%d", marks[2]);
    UM_BEHAVIOUR("per-thread stream: and the legacy stream's before it", "%d", marks[1]);
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
}

static void one_stream_keeps_its_order(void)
{
    enum { N = 20 };
    cudaStream_t stream = make_stream(cudaStreamNonBlocking);
    int *x = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaMallocHost((void **)&x, sizeof *x), cudaSuccess);
    *x = 0;
    for (int i = 0; i < N; i++) {
        CU_ASSERT_EQUAL(conf_write(x, i, stream), cudaSuccess);
        CU_ASSERT_EQUAL(um_add_one(x, 1, stream), cudaSuccess);
    }
    CU_ASSERT_EQUAL(cudaStreamSynchronize(stream), cudaSuccess);
    UM_BEHAVIOUR("one stream: 20 pairs of kernels, in order", "%d", *x);
    CU_ASSERT_EQUAL(cudaFreeHost(x), cudaSuccess);
    destroy(stream);
}

static void a_stream_waits_for_anothers_event(void)
{
    cudaStream_t first = make_stream(cudaStreamNonBlocking), second = make_stream(cudaStreamNonBlocking);
    cudaEvent_t event = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), cudaSuccess);
    make_busy(first);
    CU_ASSERT_EQUAL(cudaEventRecord(event, first), cudaSuccess);
    UM_RETURNS("cudaStreamWaitEvent", cudaStreamWaitEvent(second, event, 0));
    CU_ASSERT_EQUAL(conf_read(&marks[2], &marks[1], second), cudaSuccess);
    UM_RETURNS("cudaStreamWaitEvent: query of the waiting stream", cudaStreamQuery(second));
    raise_flag();
    CU_ASSERT_EQUAL(cudaStreamSynchronize(second), cudaSuccess);
    UM_BEHAVIOUR("cudaStreamWaitEvent: the waiting stream sees what the other wrote", "%d", marks[2]);
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    CU_ASSERT_EQUAL(cudaEventDestroy(event), cudaSuccess);
    destroy(first);
    destroy(second);
}

static void cudaStreamWaitEvent_looks_at_its_arguments(void)
{
    cudaStream_t stream = make_stream(cudaStreamNonBlocking);
    cudaEvent_t event = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaEventCreate(&event), cudaSuccess);
    UM_RETURNS("cudaStreamWaitEvent: never recorded", cudaStreamWaitEvent(stream, event, 0));
    UM_RETURNS("cudaStreamWaitEvent: flags 0x100", cudaStreamWaitEvent(stream, event, 0x100));
    UM_RETURNS("cudaStreamWaitEvent: event NULL", cudaStreamWaitEvent(stream, NULL, 0));
    after();
    CU_ASSERT_EQUAL(cudaEventDestroy(event), cudaSuccess);
    destroy(stream);
}

static void streams_are_created_with_flags_or_refused(void)
{
    cudaStream_t stream = NULL;
    unsigned flags = 99;

    UM_RETURNS("cudaStreamCreate(NULL)", cudaStreamCreate(NULL));
    UM_RETURNS("cudaStreamCreateWithFlags: flags 0x10", cudaStreamCreateWithFlags(&stream, 0x10));
    UM_RETURNS("cudaStreamCreateWithFlags: NonBlocking",
               cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    UM_RETURNS("cudaStreamGetFlags: NonBlocking", cudaStreamGetFlags(stream, &flags));
    UM_BEHAVIOUR("cudaStreamGetFlags: NonBlocking: flags", "%u", flags);
    UM_RETURNS("cudaStreamGetFlags(stream, NULL)", cudaStreamGetFlags(stream, NULL));
    after();
    destroy(stream);
    CU_ASSERT_EQUAL(cudaStreamGetFlags(0, &flags), cudaSuccess);
    UM_BEHAVIOUR("cudaStreamGetFlags: stream 0: flags", "%u", flags);
    CU_ASSERT_EQUAL(cudaStreamGetFlags(cudaStreamPerThread, &flags), cudaSuccess);
    UM_BEHAVIOUR("cudaStreamGetFlags: per-thread: flags", "%u", flags);
}

static int priority_of(int asked)
{
    cudaStream_t stream = NULL;
    int priority = -99;

    CU_ASSERT_EQUAL_FATAL(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, asked), cudaSuccess);
    CU_ASSERT_EQUAL(cudaStreamGetPriority(stream, &priority), cudaSuccess);
    destroy(stream);
    return priority;
}

static void streams_have_priorities(void)
{
    int least = 99, greatest = 99;

    UM_RETURNS("cudaDeviceGetStreamPriorityRange", cudaDeviceGetStreamPriorityRange(&least, &greatest));
    UM_BEHAVIOUR("cudaStreamGetPriority: asked for the least", "%d", priority_of(least) == least);
    UM_BEHAVIOUR("cudaStreamGetPriority: asked for the greatest", "%d", priority_of(greatest) == greatest);
    UM_BEHAVIOUR("cudaStreamGetPriority: asked for 5", "%d", priority_of(5));
    UM_BEHAVIOUR("cudaStreamGetPriority: asked for -1000: clamped to the greatest", "%d",
                 priority_of(-1000) == greatest);
}

static void a_stream_is_destroyed_once(void)
{
    cudaStream_t stream = make_stream(cudaStreamNonBlocking);

    UM_RETURNS("cudaStreamDestroy(0)", cudaStreamDestroy(0));
    UM_RETURNS("cudaStreamDestroy: legacy", cudaStreamDestroy(cudaStreamLegacy));
    UM_RETURNS("cudaStreamDestroy: per-thread", cudaStreamDestroy(cudaStreamPerThread));
    after();
    make_busy(stream);
    UM_RETURNS("cudaStreamDestroy: busy", cudaStreamDestroy(stream));
    raise_flag();
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    UM_BEHAVIOUR("cudaStreamDestroy: busy: its kernel still ran", "%d", marks[1]);
}

/** What a host function saw. */
struct called {
    int times, seen;
    cudaError_t status, asked;
    bool other_thread, same_stream;
    pthread_t issuer;
    cudaStream_t stream;
};

static void host_function(void *data)
{
    struct called *c = data;
    int count = 0;

    c->times++;
    c->seen = marks[2];
    c->other_thread = !pthread_equal(c->issuer, pthread_self());
    c->asked = cudaGetDeviceCount(&count);
}

static void a_host_function_runs_in_the_streams_order(void)
{
    cudaStream_t stream = make_stream(cudaStreamNonBlocking);
    struct called c = {.issuer = pthread_self()};

    make_busy(stream);
    raise_flag();
    CU_ASSERT_EQUAL(conf_write(&marks[2], 3, stream), cudaSuccess);
    UM_RETURNS("cudaLaunchHostFunc", cudaLaunchHostFunc(stream, host_function, &c));
    CU_ASSERT_EQUAL(conf_write(&marks[2], 4, stream), cudaSuccess);
    CU_ASSERT_EQUAL(cudaStreamSynchronize(stream), cudaSuccess);
    UM_BEHAVIOUR("cudaLaunchHostFunc: called", "%d times", c.times);
    UM_BEHAVIOUR("cudaLaunchHostFunc: after the kernel before it, before the one behind it", "%d", c.seen);
    UM_RETURNS("cudaLaunchHostFunc(stream, NULL, ...)", cudaLaunchHostFunc(stream, NULL, NULL));
    after();
    destroy(stream);
}

static void CUDART_CB callback(cudaStream_t stream, cudaError_t status, void *data)
{
    struct called *c = data;

    c->times++;
    c->seen = marks[2];
    c->status = status;
    c->same_stream = stream == c->stream;
}

static void a_callback_runs_in_the_streams_order(void)
{
    cudaStream_t stream = make_stream(cudaStreamNonBlocking);
    struct called c = {.stream = stream, .status = cudaErrorUnknown};

    make_busy(stream);
    raise_flag();
    CU_ASSERT_EQUAL(conf_write(&marks[2], 3, stream), cudaSuccess);
    UM_RETURNS("cudaStreamAddCallback", cudaStreamAddCallback(stream, callback, &c, 0));
    CU_ASSERT_EQUAL(conf_write(&marks[2], 4, stream), cudaSuccess);
    CU_ASSERT_EQUAL(cudaStreamSynchronize(stream), cudaSuccess);
    UM_BEHAVIOUR("cudaStreamAddCallback: called", "%d times", c.times);
    UM_RETURNS("cudaStreamAddCallback: the status it was given", c.status);
    UM_BEHAVIOUR("cudaStreamAddCallback: the stream it was given is the one", "%d", c.same_stream);
    UM_BEHAVIOUR("cudaStreamAddCallback: after the kernel before it, before the one behind it", "%d", c.seen);
    UM_RETURNS("cudaStreamAddCallback: flags 1", cudaStreamAddCallback(stream, callback, &c, 1));
    UM_RETURNS("cudaStreamAddCallback: NULL", cudaStreamAddCallback(stream, NULL, &c, 0));
    after();
    destroy(stream);
}

/* A copy on the legacy stream waits for blocking streams: the host has the new value when it returns. */
static void cudaMemcpy_waits_for_blocking_streams(void)
{
    cudaStream_t blocking = make_stream(cudaStreamDefault);
    int *d_x = NULL, value = -1;

    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&d_x, sizeof *d_x), cudaSuccess);
    CU_ASSERT_EQUAL(cudaMemset(d_x, 0, sizeof *d_x), cudaSuccess);
    make_busy(blocking);
    raise_flag();
    CU_ASSERT_EQUAL(conf_write(d_x, 12, blocking), cudaSuccess);
    CU_ASSERT_EQUAL(cudaMemcpy(&value, d_x, sizeof value, cudaMemcpyDeviceToHost), cudaSuccess);
    UM_BEHAVIOUR("cudaMemcpy: sees what a blocking stream's kernel wrote", "%d", value);
    CU_ASSERT_EQUAL(cudaFree(d_x), cudaSuccess);
    destroy(blocking);
}

/* The source of a pageable copy may be changed as soon as the call returns. */
static void the_source_of_a_pageable_copy_is_free_after_the_call(void)
{
    enum { N = 1 << 20 };
    cudaStream_t stream = make_stream(cudaStreamNonBlocking);
    unsigned char *own = malloc(N), *d_x = NULL;
    long wrong = 0;

    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&d_x, N), cudaSuccess);
    memset(own, 1, N);
    UM_RETURNS("cudaMemcpyAsync: pageable, to the device",
               cudaMemcpyAsync(d_x, own, N, cudaMemcpyHostToDevice, stream));
    memset(own, 2, N);
    CU_ASSERT_EQUAL(cudaStreamSynchronize(stream), cudaSuccess);
    CU_ASSERT_EQUAL(cudaMemcpy(own, d_x, N, cudaMemcpyDeviceToHost), cudaSuccess);
    for (int i = 0; i < N; i++)
        wrong += own[i] != 1;
    UM_BEHAVIOUR("cudaMemcpyAsync: pageable: bytes that changed after the call and arrived", "%ld", wrong);
    CU_ASSERT_EQUAL(cudaFree(d_x), cudaSuccess);
    free(own);
    destroy(stream);
}

/* A pinned copy is read when the stream gets to it. */
static void the_source_of_a_pinned_copy_is_not(void)
{
    cudaStream_t stream = make_stream(cudaStreamNonBlocking);
    int *d_x = NULL, value = 0;

    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&d_x, sizeof *d_x), cudaSuccess);
    make_busy(stream);
    marks[3] = 1;
    UM_RETURNS("cudaMemcpyAsync: pinned, behind a kernel that waits",
               cudaMemcpyAsync(d_x, &marks[3], sizeof *d_x, cudaMemcpyHostToDevice, stream));
    __atomic_store_n(&marks[3], 2, __ATOMIC_SEQ_CST);
    raise_flag();
    CU_ASSERT_EQUAL(cudaStreamSynchronize(stream), cudaSuccess);
    CU_ASSERT_EQUAL(cudaMemcpy(&value, d_x, sizeof value, cudaMemcpyDeviceToHost), cudaSuccess);
    UM_BEHAVIOUR("cudaMemcpyAsync: pinned: a change after the call, before the copy, arrives", "%d", value);
    CU_ASSERT_EQUAL(cudaFree(d_x), cudaSuccess);
    destroy(stream);
}

/* It returns before the stream gets there: then the host still has the old value. */
static void the_target_of_a_pinned_copy_is_not_ready_after_the_call(void)
{
    cudaStream_t stream = make_stream(cudaStreamNonBlocking);
    int *d_x = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&d_x, sizeof *d_x), cudaSuccess);
    CU_ASSERT_EQUAL(cudaMemset(d_x, 0x11, sizeof *d_x), cudaSuccess);
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    make_busy(stream);
    UM_RETURNS("cudaMemcpyAsync: to pinned memory, behind a kernel that waits",
               cudaMemcpyAsync(&marks[3], d_x, sizeof *d_x, cudaMemcpyDeviceToHost, stream));
    UM_BEHAVIOUR("cudaMemcpyAsync: to pinned memory: the value when the call returned", "%#x",
                 *(volatile int *)&marks[3]);
    raise_flag();
    CU_ASSERT_EQUAL(cudaStreamSynchronize(stream), cudaSuccess);
    UM_BEHAVIOUR("cudaMemcpyAsync: to pinned memory: the value after cudaStreamSynchronize", "%#x", marks[3]);
    CU_ASSERT_EQUAL(cudaFree(d_x), cudaSuccess);
    destroy(stream);
}

static void cudaMemset_of_device_memory_does_not_wait(void)
{
    int *d_x = NULL, value = -1;

    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&d_x, sizeof *d_x), cudaSuccess);
    CU_ASSERT_EQUAL(cudaMemset(d_x, 1, sizeof *d_x), cudaSuccess); /* what it needs is loaded now */
    make_busy(0);
    UM_RETURNS("cudaMemset: device memory, behind a kernel that waits", cudaMemset(d_x, 0, sizeof *d_x));
    UM_BEHAVIOUR("cudaMemset: it returned while the kernel still waited", "%d",
                 *(volatile int *)&marks[1] == 0);
    raise_flag();
    CU_ASSERT_EQUAL(cudaMemcpy(&value, d_x, sizeof value, cudaMemcpyDeviceToHost), cudaSuccess);
    UM_BEHAVIOUR("cudaMemset: the value after the next copy", "%d", value);
    CU_ASSERT_EQUAL(cudaFree(d_x), cudaSuccess);
}

static void cudaMemcpy_within_the_device_does_not_wait(void)
{
    int *d_x = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&d_x, 8192), cudaSuccess);
    CU_ASSERT_EQUAL(cudaMemcpy(d_x, d_x + 1024, 4096, cudaMemcpyDeviceToDevice), cudaSuccess);
    make_busy(0);
    UM_RETURNS("cudaMemcpy: within the device, behind a kernel that waits",
               cudaMemcpy(d_x, d_x + 1024, 4096, cudaMemcpyDeviceToDevice));
    UM_BEHAVIOUR("cudaMemcpy: within the device: it returned while the kernel still waited", "%d",
                 *(volatile int *)&marks[1] == 0);
    raise_flag();
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFree(d_x), cudaSuccess);
}

UM_TESTS("streams", {"a query says whether a stream is done", a_query_says_whether_a_stream_is_done},
         {"the legacy stream waits for blocking streams", the_legacy_stream_waits_for_blocking_streams},
         {"blocking streams wait for the legacy stream", blocking_streams_wait_for_the_legacy_stream},
         {"the per-thread stream waits for the legacy stream",
          the_per_thread_stream_waits_for_the_legacy_stream},
         {"one stream keeps its order", one_stream_keeps_its_order},
         {"a stream waits for another's event", a_stream_waits_for_anothers_event},
         {"cudaStreamWaitEvent looks at its arguments", cudaStreamWaitEvent_looks_at_its_arguments},
         {"streams are created with flags, or refused", streams_are_created_with_flags_or_refused},
         {"streams have priorities", streams_have_priorities},
         {"a stream is destroyed once", a_stream_is_destroyed_once},
         {"a host function runs in the stream's order", a_host_function_runs_in_the_streams_order},
         {"a callback runs in the stream's order", a_callback_runs_in_the_streams_order});

UM_TESTS("synchronisation of copies",
         {"cudaMemcpy waits for blocking streams", cudaMemcpy_waits_for_blocking_streams},
         {"the source of a pageable copy is free after the call",
          the_source_of_a_pageable_copy_is_free_after_the_call},
         {"the source of a pinned copy is not", the_source_of_a_pinned_copy_is_not},
         {"the target of a pinned copy is not ready after the call",
          the_target_of_a_pinned_copy_is_not_ready_after_the_call},
         {"cudaMemset of device memory does not wait", cudaMemset_of_device_memory_does_not_wait},
         {"cudaMemcpy within the device does not wait", cudaMemcpy_within_the_device_does_not_wait});
