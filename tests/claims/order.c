/**
 * @file order.c
 * @brief Claims about asynchronous copies and streams: what returns at once, what waits, what may overlap.
 *
 * Sizes are such that a copy takes milliseconds, a call microseconds: which of the two a time is cannot be
 * mistaken.
 */
#include <stdlib.h>
#include <string.h>

#include "finding.h"
#include "kernels.h"
#include "kernels/kernels.h"
#include "um_time.h"

enum { MiB = 1 << 20, BIG = 64 * MiB, AS_IN_THE_ARTICLE = 4 * MiB };

/** One asynchronous copy out of the device: when the call came back, and when all was there, microseconds. */
struct timing {
    double call, whole;
    bool there_at_return; /* the last word had arrived when the call returned */
};

static struct timing copy_out(unsigned *host, const unsigned *d_x, size_t bytes, cudaStream_t stream)
{
    volatile unsigned *last = &host[bytes / sizeof *host - 1];
    struct timing t;
    double start;

    memset(host, 0, bytes);
    NEED(cudaStreamSynchronize(stream));
    start = um_now_us();
    NEED(cudaMemcpyAsync(host, d_x, bytes, cudaMemcpyDeviceToHost, stream));
    t.call = um_now_us() - start;
    t.there_at_return = *last == 0x01010101u;
    NEED(cudaStreamSynchronize(stream));
    t.whole = um_now_us() - start;
    CU_ASSERT_EQUAL(*last, 0x01010101u);
    return t;
}

static struct timing best_copy_out(unsigned *host, const unsigned *d_x, size_t bytes, cudaStream_t stream)
{
    struct timing best = copy_out(host, d_x, bytes, stream);

    for (int i = 0; i < 4; i++) {
        const struct timing t = copy_out(host, d_x, bytes, stream);
        if (t.whole < best.whole)
            best = t;
    }
    return best;
}

/* Into ordinary memory the call returns when the copy is done; into pinned memory, at once. */
static void async_into_ordinary_memory(void)
{
    unsigned *d_x = NULL, *pinned = NULL, *ordinary = malloc(BIG);
    struct timing slow, article, fast;
    cudaStream_t stream;

    CU_ASSERT_PTR_NOT_NULL_FATAL(ordinary);
    NEED(cudaMalloc((void **)&d_x, BIG));
    NEED(cudaMemset(d_x, 1, BIG));
    NEED(cudaMallocHost((void **)&pinned, BIG));
    NEED(cudaStreamCreate(&stream));
    slow = best_copy_out(ordinary, d_x, BIG, stream);
    article = best_copy_out(ordinary, d_x, AS_IN_THE_ARTICLE, stream);
    fast = best_copy_out(pinned, d_x, BIG, stream);
    found_time("async-into-ordinary-memory: 64 MiB into ordinary memory: the call", slow.call, "us");
    found_time("async-into-ordinary-memory: 64 MiB into ordinary memory: call and synchronise", slow.whole,
               "us");
    found_time("async-into-ordinary-memory: 4 MiB into ordinary memory: the call", article.call, "us");
    found_time("async-into-ordinary-memory: 4 MiB into ordinary memory: call and synchronise", article.whole,
               "us");
    found_time("async-into-ordinary-memory: 64 MiB into pinned memory: the call", fast.call, "us");
    found_time("async-into-ordinary-memory: 64 MiB into pinned memory: call and synchronise", fast.whole,
               "us");
    FOUND_WHETHER("async-into-ordinary-memory: 64 MiB: all there when the call returns",
                  slow.there_at_return);
    FOUND_WHETHER("async-into-ordinary-memory: 4 MiB: all there when the call returns",
                  article.there_at_return);
    FOUND_WHETHER("async-into-ordinary-memory: pinned: all there when the call returns",
                  fast.there_at_return);
    FOUND_WHETHER("async-into-ordinary-memory: the call takes most of the time",
                  slow.call > 0.8 * slow.whole && article.call > 0.8 * article.whole);
    FOUND_WHETHER("async-into-ordinary-memory: pinned: the call takes most of the time",
                  fast.call > 0.2 * fast.whole);
    NEED(cudaStreamDestroy(stream));
    NEED(cudaFreeHost(pinned));
    NEED(cudaFree(d_x));
    free(ordinary);
}

/* One stream: what is queued later runs later, and a synchronise waits for all of it. */
static void one_stream_in_order(void)
{
    enum { N = 16 * MiB / 4 };
    float *d_x = NULL, *pinned = NULL;
    cudaError_t before, after;
    cudaStream_t stream;

    NEED(cudaMalloc((void **)&d_x, N * sizeof *d_x));
    NEED(cudaMallocHost((void **)&pinned, N * sizeof *pinned));
    NEED(cudaStreamCreate(&stream));
    memset(pinned, 0, N * sizeof *pinned);
    for (int i = 0; i < 20; i++)
        NEED(um_fill(d_x, (float)i, N, stream));
    NEED(cudaMemcpyAsync(pinned, d_x, N * sizeof *d_x, cudaMemcpyDeviceToHost, stream));
    before = cudaStreamQuery(stream);
    NEED(cudaStreamSynchronize(stream));
    after = cudaStreamQuery(stream);
    FOUND_RESULT("one-stream-in-order: cudaStreamQuery before the synchronise", before);
    FOUND_RESULT("one-stream-in-order: cudaStreamQuery after it", after);
    FOUND("one-stream-in-order: the copy after 20 kernels holds the last one's value", "%g",
          (double)pinned[N - 1]);
    forget();
    NEED(cudaStreamDestroy(stream));
    NEED(cudaFreeHost(pinned));
    NEED(cudaFree(d_x));
}

/* An event that was recorded before a copy says nothing about the copy. */
static void event_before_the_copy(void)
{
    unsigned *d_x = NULL, *pinned = NULL;
    cudaError_t event_says, stream_says;
    cudaStream_t stream;
    cudaEvent_t event;

    NEED(cudaMalloc((void **)&d_x, BIG));
    NEED(cudaMallocHost((void **)&pinned, BIG));
    NEED(cudaStreamCreate(&stream));
    NEED(cudaEventCreate(&event));
    NEED(cudaEventRecord(event, stream));
    NEED(cudaEventSynchronize(event));
    for (int i = 0; i < 4; i++)
        NEED(cudaMemcpyAsync(pinned, d_x, BIG, cudaMemcpyDeviceToHost, stream));
    event_says = cudaEventQuery(event);
    stream_says = cudaStreamQuery(stream);
    FOUND_RESULT("event-before-the-copy: the event", event_says);
    FOUND_RESULT("event-before-the-copy: the stream at that time", stream_says);
    forget();
    NEED(cudaStreamSynchronize(stream));
    NEED(cudaEventDestroy(event));
    NEED(cudaStreamDestroy(stream));
    NEED(cudaFreeHost(pinned));
    NEED(cudaFree(d_x));
}

/** Some kernels and a copy out, in one stream or two. */
static double kernels_and_copy(float *d_x, float *d_y, void *host, const void *d_from, cudaStream_t kernels,
                               cudaStream_t copies)
{
    const size_t n = 16 * MiB;
    double start;

    NEED(cudaDeviceSynchronize());
    start = um_now_us();
    for (int i = 0; i < 20; i++)
        NEED(um_saxpy(d_y, 2, d_x, n, kernels));
    NEED(cudaMemcpyAsync(host, d_from, BIG, cudaMemcpyDeviceToHost, copies));
    NEED(cudaDeviceSynchronize());
    return um_now_us() - start;
}

static double best_of_five(float *d_x, float *d_y, void *host, const void *d_from, cudaStream_t kernels,
                           cudaStream_t copies)
{
    double best = kernels_and_copy(d_x, d_y, host, d_from, kernels, copies);

    for (int i = 0; i < 4; i++) {
        const double us = kernels_and_copy(d_x, d_y, host, d_from, kernels, copies);
        best = us < best ? us : best;
    }
    return best;
}

/* Two streams and pinned memory: a copy runs beside kernels. */
static void copies_beside_kernels(void)
{
    float *d_x = NULL, *d_y = NULL;
    void *d_from = NULL, *pinned = NULL;
    double serial, overlapped;
    cudaStream_t one, two;

    NEED(cudaMalloc((void **)&d_x, BIG));
    NEED(cudaMalloc((void **)&d_y, BIG));
    NEED(cudaMalloc(&d_from, BIG));
    NEED(cudaMallocHost(&pinned, BIG));
    NEED(cudaMemset(d_x, 0, BIG));
    NEED(cudaMemset(d_y, 0, BIG));
    NEED(cudaStreamCreate(&one));
    NEED(cudaStreamCreate(&two));
    serial = best_of_five(d_x, d_y, pinned, d_from, one, one);
    overlapped = best_of_five(d_x, d_y, pinned, d_from, one, two);
    found_time("copies-beside-kernels: 20 kernels and 64 MiB out, one stream", serial, "us");
    found_time("copies-beside-kernels: ... two streams", overlapped, "us");
    FOUND_WHETHER("copies-beside-kernels: two streams take less than 80% of the time",
                  overlapped < 0.8 * serial);
    NEED(cudaStreamDestroy(one));
    NEED(cudaStreamDestroy(two));
    NEED(cudaFreeHost(pinned));
    NEED(cudaFree(d_from));
    NEED(cudaFree(d_y));
    NEED(cudaFree(d_x));
}

/* A launch is a request: the host has it back before the kernels are done. */
static void launch_returns_early(void)
{
    float *d_x = NULL, *d_y = NULL;
    double start, call, whole;
    cudaError_t query;

    NEED(cudaMalloc((void **)&d_x, BIG));
    NEED(cudaMalloc((void **)&d_y, BIG));
    NEED(um_saxpy(d_y, 2, d_x, 16 * MiB, 0)); /* the first launch loads the kernel */
    NEED(cudaDeviceSynchronize());
    start = um_now_us();
    for (int i = 0; i < 40; i++)
        NEED(um_saxpy(d_y, 2, d_x, 16 * MiB, 0));
    call = um_now_us() - start;
    query = cudaStreamQuery(0);
    NEED(cudaDeviceSynchronize());
    whole = um_now_us() - start;
    FOUND_RESULT("launch-returns-early: cudaStreamQuery after 40 launches", query);
    found_time("launch-returns-early: 40 launches: the calls", call, "us");
    found_time("launch-returns-early: ... calls and synchronise", whole, "us");
    forget();
    NEED(cudaFree(d_y));
    NEED(cudaFree(d_x));
}

UM_TESTS("claims: order", {"async-into-ordinary-memory", async_into_ordinary_memory},
         {"one-stream-in-order", one_stream_in_order}, {"event-before-the-copy", event_before_the_copy},
         {"copies-beside-kernels", copies_beside_kernels}, {"launch-returns-early", launch_returns_early});
