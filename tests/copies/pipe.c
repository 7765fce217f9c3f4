/**
 * @file pipe.c
 * @brief Tests of labs/lab9_choose/um_pipe.h: whatever the size, the direction and the neighbours in the
 * stream, the data is right.
 */
#include "kernels.h"
#include "um_fill.h"
#include "labs/lab9_choose/um_pipe.h"
#include "um_test.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 64 << 10, THREADS = 3 };

/* Small chunks, few threads, nothing too small: every path at sizes that cost little. */
static struct um_pipe *small_pipe(void)
{
    const struct um_pipe_options options = {.threads = THREADS, .chunk_bytes = CHUNK, .small_bytes = 1};
    struct um_pipe *pipe = NULL;
    UM_EQUAL(um_pipe_create(&pipe, &options), cudaSuccess);
    return pipe;
}

static void fill(unsigned char *p, size_t bytes, unsigned seed)
{
    for (size_t i = 0; i < bytes; i++)
        p[i] = (unsigned char)(i * 131 + (i >> 9) + seed);
}

/* There and back by the pipe, at an odd place. */
static bool there_and_back(struct um_pipe *pipe, size_t bytes, unsigned seed)
{
    unsigned char *sent = malloc(bytes + 1), *got = malloc(bytes + 3), *d = NULL;
    bool right = sent && got && cudaMalloc((void **)&d, bytes + 5) == cudaSuccess;
    if (right) {
        fill(sent + 1, bytes, seed);
        memset(got, 0, bytes + 3);
        right = um_pipe_copy(pipe, d + 5, sent + 1, bytes, cudaMemcpyHostToDevice, 0) == cudaSuccess &&
                um_pipe_copy(pipe, got + 2, d + 5, bytes, cudaMemcpyDeviceToHost, 0) == cudaSuccess &&
                memcmp(got + 2, sent + 1, bytes) == 0 && got[1] == 0 && got[bytes + 2] == 0;
    }
    cudaFree(d);
    free(sent);
    free(got);
    return right;
}

static void every_size_goes_there_and_back(void)
{
    static const size_t sizes[] = {0,
                                   1,
                                   4095,
                                   4097,
                                   CHUNK - 1,
                                   CHUNK,
                                   CHUNK + 1,
                                   THREADS * CHUNK,
                                   THREADS * CHUNK + 1,
                                   2 * THREADS * CHUNK - 1,
                                   7 * THREADS * CHUNK + 12345,
                                   104729};
    /* alone, chunks that no page holds a whole number of, more threads than chunks */
    static const struct um_pipe_options others[] = {
        {.threads = 1, .chunk_bytes = CHUNK, .small_bytes = 1},
        {.threads = 5, .chunk_bytes = 7001, .small_bytes = 1},
        {.threads = UM_PIPE_THREADS_MAX, .chunk_bytes = 1 << 20, .small_bytes = 1}};
    for (size_t p = 0; p <= sizeof others / sizeof *others; p++) {
        struct um_pipe *pipe = NULL;
        if (p == 0)
            pipe = small_pipe();
        else
            UM_EQUAL(um_pipe_create(&pipe, &others[p - 1]), cudaSuccess);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            if (!there_and_back(pipe, sizes[i], (unsigned)i))
                UM_FAIL("pipe %zu: %zu bytes did not come back as they went", p, sizes[i]);
        }
        um_pipe_destroy(pipe);
    }
}

static void a_copy_keeps_its_place_in_the_stream(void)
{
    const size_t n = 3 * CHUNK, bytes = n * sizeof(int);
    struct um_pipe *pipe = small_pipe();
    int *host = calloc(n, sizeof *host), *d = NULL;
    cudaStream_t streams[2] = {NULL, NULL};
    size_t wrong = 0;
    UM_EQUAL(cudaMalloc((void **)&d, bytes), cudaSuccess);
    UM_EQUAL(cudaStreamCreateWithFlags(&streams[1], cudaStreamNonBlocking), cudaSuccess);
    for (int s = 0; s < 2; s++) {
        for (size_t i = 0; i < n; i++)
            host[i] = (int)i;
        UM_EQUAL(cudaMemsetAsync(d, 0xff, bytes, streams[s]), cudaSuccess); /* before: it must not win */
        UM_EQUAL(um_pipe_copy(pipe, d, host, bytes, cudaMemcpyHostToDevice, streams[s]), cudaSuccess);
        memset(host, 0, bytes); /* the host's memory is free again */
        UM_EQUAL(um_add_one(d, n, streams[s]), cudaSuccess);
        UM_EQUAL(um_pipe_copy(pipe, host, d, bytes, cudaMemcpyDeviceToHost, streams[s]), cudaSuccess);
        for (size_t i = 0; i < n; i++)
            wrong += host[i] != (int)i + 1;
        UM_EQUAL(wrong, 0);
    }
    UM_EQUAL(cudaStreamDestroy(streams[1]), cudaSuccess);
    cudaFree(d);
    free(host);
    um_pipe_destroy(pipe);
}

static void other_memory_and_directions_are_CUDAs_own(void)
{
    const size_t bytes = 4 * CHUNK;
    struct um_pipe *pipe = small_pipe();
    unsigned char *pinned = NULL, *managed = NULL, *d = NULL, *e = NULL, *host = malloc(bytes);
    UM_EQUAL(cudaMallocHost((void **)&pinned, bytes), cudaSuccess);
    UM_EQUAL(cudaMallocManaged((void **)&managed, bytes, cudaMemAttachGlobal), cudaSuccess);
    UM_EQUAL(cudaMalloc((void **)&d, bytes), cudaSuccess);
    UM_EQUAL(cudaMalloc((void **)&e, bytes), cudaSuccess);
    fill(pinned, bytes, 1);
    UM_EQUAL(um_pipe_copy(pipe, d, pinned, bytes, cudaMemcpyHostToDevice, 0), cudaSuccess);
    UM_EQUAL(um_pipe_copy(pipe, e, d, bytes, cudaMemcpyDeviceToDevice, 0), cudaSuccess);
    UM_EQUAL(um_pipe_copy(pipe, managed, e, bytes, cudaMemcpyDefault, 0), cudaSuccess);
    UM_EQUAL(um_pipe_copy(pipe, host, managed, bytes, cudaMemcpyDeviceToHost, 0), cudaSuccess);
    UM_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    CU_ASSERT_TRUE(memcmp(host, pinned, bytes) == 0);
    cudaFreeHost(pinned);
    cudaFree(managed);
    cudaFree(d);
    cudaFree(e);
    free(host);
    um_pipe_destroy(pipe);
}

static void errors_are_CUDAs_and_leave_the_pipe_usable(void)
{
    const size_t bytes = 8 * CHUNK;
    const struct um_pipe_options wrong = {.threads = UM_PIPE_THREADS_MAX + 1},
                                 huge = {.chunk_bytes = (size_t)1 << 50};
    struct um_pipe *pipe = small_pipe(), *none = pipe;
    unsigned char *host = malloc(bytes), *d = NULL;
    UM_EQUAL(cudaMalloc((void **)&d, bytes / 2), cudaSuccess);
    memset(host, 1, bytes);
    UM_EQUAL(um_pipe_copy(pipe, d, host, bytes, cudaMemcpyHostToDevice, 0), cudaErrorInvalidValue);
    UM_EQUAL(um_pipe_copy(pipe, host, d, bytes, cudaMemcpyDeviceToHost, 0), cudaErrorInvalidValue);
    UM_EQUAL(um_pipe_copy(pipe, d, host, bytes / 2, cudaMemcpyDeviceToHost, 0), cudaErrorInvalidValue);
    UM_EQUAL(um_pipe_copy(pipe, NULL, host, bytes, cudaMemcpyHostToDevice, 0), cudaErrorInvalidValue);
    (void)cudaGetLastError();
    CU_ASSERT_TRUE(there_and_back(pipe, bytes, 9));
    UM_EQUAL(um_pipe_create(&none, &wrong), cudaErrorInvalidValue);
    CU_ASSERT_PTR_NULL(none);
    UM_EQUAL(um_pipe_create(&none, &huge), cudaErrorMemoryAllocation);
    CU_ASSERT_PTR_NULL(none);
    (void)cudaGetLastError();
    um_pipe_destroy(NULL);
    cudaFree(d);
    free(host);
    um_pipe_destroy(pipe);
}

static void *many(void *pipe)
{
    for (unsigned i = 0; i < 8; i++) {
        if (!there_and_back(pipe, 5 * CHUNK + 1000 * i, i))
            return pipe;
    }
    return NULL;
}

static void four_threads_share_a_pipe(void)
{
    struct um_pipe *pipe = small_pipe();
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        UM_EQUAL(pthread_create(&threads[i], NULL, many, pipe), 0);
    for (int i = 0; i < 4; i++) {
        void *failed = NULL;
        pthread_join(threads[i], &failed);
        CU_ASSERT_PTR_NULL(failed);
    }
    um_pipe_destroy(pipe);
}

UM_TESTS("pipe", {"every size goes there and back", every_size_goes_there_and_back},
         {"a copy keeps its place in the stream", a_copy_keeps_its_place_in_the_stream},
         {"other memory and directions are CUDA's own", other_memory_and_directions_are_CUDAs_own},
         {"errors are CUDA's, and leave the pipe usable", errors_are_CUDAs_and_leave_the_pipe_usable},
         {"four threads share a pipe", four_threads_share_a_pipe});
