/**
 * @file calls.c
 * @brief Lab 6: turns the grader's requests into calls of exercise.c, and plays the patterns.
 *
 * grade/call_buffer.h says what a request is.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "calls.h"
#include "../exercise.h"
#include "grade/call_buffer.h"
#include "kernels.h"

#define UM_STUDENTS(FUNCTION) FUNCTION(prepare)
#include "grade/student.h"

/** One array, and what its rounds need. */
struct play {
    size_t bytes, n; /**< n: whole floats */
    enum lab6_pattern pattern;
    int seed;
    volatile float *x; /**< one float after another: no compiler makes a memset of it */
    void *found;       /**< device memory: what the GPU read, as large as the array */
    void *home;        /**< the same size, from malloc */
    struct lab6_result *result;
};

static void host_writes(const struct play *play, int seed)
{
    for (size_t i = 0; i < play->n; i++) {
        play->x[i] = (float)(seed + (int)(i % LAB6_VALUES));
    }
}

static void host_reads(const struct play *play)
{
    for (size_t i = 0; i < play->n; i++) {
        play->result->host_sum += play->x[i];
    }
}

static float *floats(const struct play *play)
{
    return (float *)(uintptr_t)play->x;
}

/* One piece after another, as programs do whose data is large. */
static cudaError_t gpu_changes(const struct play *play)
{
    const size_t piece = LAB6_PIECE / sizeof(float);
    cudaError_t error = cudaSuccess;

    for (size_t at = 0; at < play->n && error == cudaSuccess; at += piece) {
        error = um_strided_touch(floats(play) + at, play->n - at < piece ? play->n - at : piece, 1, 0);
    }
    return error == cudaSuccess ? cudaDeviceSynchronize() : error;
}

static cudaError_t gpu_fills(const struct play *play)
{
    return um_fill(floats(play), (float)play->seed, play->n, 0);
}

/* Each float twice, so that there is something to compute. */
static cudaError_t gpu_reads(const struct play *play)
{
    const float *home = play->home;
    cudaError_t error = um_vector_add(play->found, floats(play), floats(play), play->n, 0);

    if (error == cudaSuccess)
        error = cudaMemcpy(play->home, play->found, play->n * sizeof *home, cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < play->n; i++) {
        play->result->gpu_sum += home[i];
    }
    return error;
}

static cudaError_t gpu_looks(const struct play *play)
{
    const size_t bytes = play->bytes - LAB6_LOOK_AT,
                 looks = (bytes + LAB6_LOOK_STRIDE - 1) / LAB6_LOOK_STRIDE;
    const unsigned char *home = play->home;
    cudaError_t error = um_page_read(play->found, (const unsigned char *)floats(play) + LAB6_LOOK_AT, bytes,
                                     LAB6_LOOK_STRIDE, 0);

    if (error == cudaSuccess)
        error = cudaMemcpy(play->home, play->found, looks, cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < looks; i++) {
        play->result->gpu_sum += home[i];
    }
    return error;
}

static cudaError_t round_of(const struct play *play, int round)
{
    cudaError_t error = cudaSuccess;

    switch (play->pattern) {
    case LAB6_GPU_WORKS:
    case LAB6_GPU_FILLS:
        return gpu_changes(play);
    case LAB6_BOTH_READ:
        error = gpu_reads(play);
        host_reads(play);
        return error;
    case LAB6_GPU_LOOKS:
        host_writes(play, play->seed + round);
        return gpu_looks(play);
    case LAB6_NEW_INPUT:
        host_writes(play, play->seed + round);
        return gpu_reads(play);
    default:
        host_reads(play);
        host_writes(play, play->seed + round);
        return error;
    }
}

static bool does_read(enum lab6_pattern pattern)
{
    return pattern == LAB6_BOTH_READ || pattern == LAB6_GPU_LOOKS || pattern == LAB6_NEW_INPUT;
}

static bool play_open(struct play *play, const struct um_request *request)
{
    *play = (struct play){.bytes = (size_t)request->number[0],
                          .n = (size_t)request->number[0] / sizeof(float),
                          .pattern = (enum lab6_pattern)request->number[1],
                          .seed = (int)request->number[2],
                          .result = request->out};
    *play->result = (struct lab6_result){0, 0, 0};
    play->home = malloc(play->bytes);
    if (!play->home || (does_read(play->pattern) && cudaMalloc(&play->found, play->bytes) != cudaSuccess) ||
        cudaMallocManaged((void **)(uintptr_t)&play->x, play->bytes, cudaMemAttachGlobal) != cudaSuccess)
        return false;
    if (play->pattern != LAB6_GPU_FILLS)
        host_writes(play, play->seed);
    return true;
}

static void call_prepare(const struct play *play)
{
    cudaError_t returned;

    UM_STUDENT(returned = student.prepare(floats(play), play->bytes, play->pattern),
               UM_BACK(&returned, sizeof returned));
    play->result->prepared = (int64_t)returned | (int64_t)cudaGetLastError() << 16;
}

/* number: bytes, pattern, seed, whether the student's function is called, and whether the rounds follow. out:
 * struct lab6_result. Without rounds nothing is freed, for that would wait. The student's process does not
 * know whether they follow. */
static int64_t call_pattern(const struct um_request *request)
{
    struct play play;
    cudaError_t error = cudaSuccess;

    if (!play_open(&play, request))
        return LAB6_NOT_SET_UP;
    if (request->number[3] != 0)
        call_prepare(&play);
    if (request->number[4] == 0)
        return cudaSuccess;
    if (play.pattern == LAB6_GPU_FILLS)
        error = gpu_fills(&play);
    for (int round = 0; round < LAB6_ROUNDS && error == cudaSuccess; round++) {
        error = round_of(&play, round);
    }
    if (play.pattern == LAB6_GPU_WORKS || play.pattern == LAB6_GPU_FILLS)
        host_reads(&play);
    return error;
}

/* number: pattern. An array of no bytes. */
static int64_t call_prepare_nothing(const struct um_request *request)
{
    const enum lab6_pattern pattern = (enum lab6_pattern)request->number[0];
    cudaError_t returned;

    UM_STUDENT(returned = student.prepare(NULL, 0, pattern), UM_BACK(&returned, sizeof returned));
    return returned;
}

UM_CALLS({"pattern", call_pattern}, {"nothing", call_prepare_nothing});
