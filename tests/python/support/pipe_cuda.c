/**
 * @file pipe_cuda.c
 * @brief labs/lab9_choose/um_pipe.c as it runs on a GPU, where whoever is free takes the next chunk, with a
 * stand-in for CUDA: for tests/python/pipe_threads.py, which has ThreadSanitizer and AddressSanitizer look at
 * it. On the simulator chunks are dealt, and the sanitizers cannot look into a process with it.
 *
 * A copy is done when its event or stream is waited for, and no earlier: so a buffer that is filled again, or
 * read, too early shows in the data.
 */
#include "um_backend.h"
#include "um_pipe.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the stand-in ---- */

enum { WAITING_MOST = 64, DEVICE_BYTES = 1 << 20 };

struct waiting {
    void *to;
    const void *from;
    size_t bytes;
};

/* Used by one thread at a time, as the pipe does. */
struct stand_in_stream {
    struct waiting copy[WAITING_MOST];
    size_t queued, done;
};

struct stand_in_event {
    struct stand_in_stream *stream;
    size_t after;
};

static char *device;
static int copies, fails_at = -1; /* this one; negative: none */

bool um_is_sim(void)
{
    return false;
}

static void run(struct stand_in_stream *stream, size_t until)
{
    for (; stream->done < until; stream->done++) {
        const struct waiting *copy = &stream->copy[stream->done % WAITING_MOST];
        memcpy(copy->to, copy->from, copy->bytes);
    }
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    (void)flags;
    *stream = calloc(1, sizeof(struct stand_in_stream));
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    free(stream);
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    struct stand_in_stream *own = (struct stand_in_stream *)stream;
    run(own, own->queued);
    return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    (void)stream, (void)event, (void)flags;
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    (void)flags;
    *event = calloc(1, sizeof(struct stand_in_event));
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    free(event);
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    struct stand_in_stream *own = (struct stand_in_stream *)stream;
    *(struct stand_in_event *)event = (struct stand_in_event){own, own ? own->queued : 0};
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    const struct stand_in_event *own = (const struct stand_in_event *)event;
    run(own->stream, own->after);
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    struct stand_in_stream *own = (struct stand_in_stream *)stream;
    (void)kind;
    if (__atomic_add_fetch(&copies, 1, __ATOMIC_RELAXED) == fails_at)
        return cudaErrorInvalidValue;
    own->copy[own->queued % WAITING_MOST] = (struct waiting){to, from, bytes};
    own->queued++;
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    (void)kind;
    memcpy(to, from, bytes);
    return cudaSuccess;
}

cudaError_t cudaHostAlloc(void **p, size_t bytes, unsigned flags)
{
    (void)flags;
    *p = malloc(bytes);
    return *p ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaFreeHost(void *p)
{
    free(p);
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *current)
{
    *current = 0;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int wanted)
{
    (void)wanted;
    return cudaSuccess;
}

cudaError_t cudaGetLastError(void)
{
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *p)
{
    const char *at = p;
    attributes->type =
        at >= device && at < device + DEVICE_BYTES ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
    return cudaSuccess;
}

/* ---- the test ---- */

enum { ROUNDS = 6, MOST = 300000 };

static int wrong;
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER; /* there and back are two copies */

static void *there_and_back(void *pipe)
{
    char *sent = malloc(MOST), *got = malloc(MOST);
    for (size_t round = 0; round < ROUNDS; round++) {
        const size_t bytes = 1 + round * (MOST - 1) / (ROUNDS - 1) - (round == ROUNDS - 1);
        for (size_t i = 0; i < bytes; i++)
            sent[i] = (char)(i * 131 + (i >> 9) + round);
        memset(got, 0, bytes);
        pthread_mutex_lock(&one_at_a_time);
        memset(device, 0, bytes);
        const bool failed = um_pipe_copy(pipe, device, sent, bytes, cudaMemcpyHostToDevice, NULL) ||
                            um_pipe_copy(pipe, got, device, bytes, cudaMemcpyDeviceToHost, NULL);
        wrong += failed || memcmp(got, sent, bytes) != 0;
        pthread_mutex_unlock(&one_at_a_time);
    }
    free(sent);
    free(got);
    return NULL;
}

/* The second engine's copy fails: the error is told, and the pipe can be used again. */
static void fail(struct um_pipe *pipe, enum cudaMemcpyKind kind)
{
    char *host = calloc(1, MOST);
    const bool up = kind == cudaMemcpyHostToDevice;
    copies = 0;
    fails_at = 2;
    const cudaError_t error = um_pipe_copy(pipe, up ? device : host, up ? host : device, MOST, kind, NULL);
    wrong += (error == cudaSuccess) != (copies < 2);
    fails_at = -1;
    free(host);
}

static void try_pipe(const struct um_pipe_options *options)
{
    struct um_pipe *pipe;
    pthread_t threads[2];
    wrong += um_pipe_create(&pipe, options) != cudaSuccess;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, there_and_back, pipe);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    fail(pipe, cudaMemcpyHostToDevice);
    fail(pipe, cudaMemcpyDeviceToHost);
    there_and_back(pipe);
    um_pipe_destroy(pipe);
}

int main(void)
{
    static const int threads[] = {1, 3, 12};
    static const size_t chunks[] = {1000, 20000, MOST};
    int pipes = 0;
    device = malloc(DEVICE_BYTES);
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++)
        for (size_t c = 0; c < sizeof chunks / sizeof *chunks; c++, pipes++)
            try_pipe(
                &(struct um_pipe_options){.threads = threads[t], .chunk_bytes = chunks[c], .small_bytes = 1});
    free(device);
    printf("%d pipes, %d wrong\n", pipes, wrong);
    return wrong != 0;
}
