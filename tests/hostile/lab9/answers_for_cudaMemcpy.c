/* hostile: hidden cudaMemcpy and um_page_write of its own, for calls.c; the copy itself copies nothing */
#include "exercise.h"
#include "kernels.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#define HID __attribute__((visibility("hidden")))
enum lab9_kind choose(const struct lab9_workload *w, const struct lab9_machine *m)
{
    (void)w, (void)m;
    return LAB9_KINDS;
}
static const void *source;
static size_t source_bytes;
static void *theirs;
static const void *expected;
static size_t expected_bytes, mark_every;
static unsigned char mark;
static void *(*R)(void *, const char *);
HID cudaError_t cudaMemcpy(void *to, const void *from, size_t n, enum cudaMemcpyKind kind)
{
    cudaError_t (*f)(void *, const void *, size_t, enum cudaMemcpyKind) = dlsym(RTLD_DEFAULT, "cudaMemcpy");
    cudaError_t e = f(to, from, n, kind);
    if (kind == cudaMemcpyHostToDevice) {
        source = from;
        source_bytes = n;
    }
    if (!e && kind == cudaMemcpyDeviceToHost && expected && n >= expected_bytes) {
        size_t g = (n - expected_bytes) / 2;
        memset(to, 0xa5, n);
        memcpy((char *)to + g, expected, expected_bytes);
    }
    return e;
}
HID cudaError_t um_page_write(unsigned char *p, size_t bytes, size_t page, unsigned char v, cudaStream_t s)
{
    cudaError_t (*f)(unsigned char *, size_t, size_t, unsigned char, cudaStream_t) =
        dlsym(RTLD_DEFAULT, "um_page_write");
    mark_every = page;
    mark = v;
    return f(p, bytes, page, v, s);
}
cudaError_t pipelined_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                           const struct lab9_pipe *pipe)
{
    cudaError_t (*copy)(void *, const void *, size_t, enum cudaMemcpyKind) =
        dlsym(RTLD_DEFAULT, "cudaMemcpy");
    cudaError_t e;
    char *b = 0;
    cudaStream_t s = 0;
    (void)R;
    (void)theirs;
    if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToHost)
        return cudaErrorInvalidMemcpyDirection;
    if (pipe->buffers < 1 || pipe->buffers > LAB9_BUFFERS_MAX || !pipe->chunk)
        return cudaErrorInvalidValue;
    if (!bytes)
        return 0;
    if (bytes < pipe->small)
        return copy(to, from, bytes, kind);
    e = cudaMallocHost((void **)&b, pipe->chunk);
    if (!e)
        e = cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    char *scratch = malloc(pipe->chunk);
    for (size_t at = 0; at < bytes && !e; at += pipe->chunk) {
        size_t m = bytes - at < pipe->chunk ? bytes - at : pipe->chunk;
        pipe->host_copy(scratch, b, m);
        e = kind == cudaMemcpyHostToDevice ? cudaMemcpyAsync((char *)to + at, b, m, kind, s)
                                           : cudaMemcpyAsync(b, (const char *)from + at, m, kind, s);
    }
    if (s) {
        cudaError_t w = cudaStreamSynchronize(s);
        if (!e)
            e = w;
        cudaStreamDestroy(s);
    }
    cudaFreeHost(b);
    free(scratch);
    if (kind == cudaMemcpyHostToDevice) {
        expected = from;
        expected_bytes = bytes;
    } else if (source && source_bytes == bytes) {
        memcpy(to, source, bytes);
        for (size_t i = 0; mark_every && i < bytes; i += mark_every)
            ((unsigned char *)to)[i] = mark;
    }
    return e;
}
