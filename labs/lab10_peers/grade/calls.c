/**
 * @file calls.c
 * @brief Lab 10: turns the grader's requests into calls of exercise.c.
 *
 * The halves are on two devices, as exercise.h promises. In runs in which a call of CUDA fails it may be one
 * of these here, which then is made again: the function is what is judged. grade/call_buffer.h says what a
 * request is.
 */
#include <stdbool.h>
#include <string.h>

#include "../exercise.h"
#include "calls.h"
#include "grade/call_buffer.h"

#define UM_STUDENTS(FUNCTION) FUNCTION(smooth_both) FUNCTION(sum_both)
#include "grade/student.h"

#define AGAIN(call) ((call) == cudaSuccess || (cudaGetLastError(), (call) == cudaSuccess))

/* What the function returned and left, and which device is current behind it. */
static int64_t what_is_left(cudaError_t returned, struct lab10_left *left)
{
    const int64_t with_left = um_with_left(returned, cudaGetLastError());

    left->device = -1;
    (void)AGAIN(cudaGetDevice(&left->device));
    return with_left;
}

/* A copy that has arrived when it returns: from and to pinned memory. */
static bool copy(void *to, const void *from, size_t bytes)
{
    return AGAIN(cudaMemcpy(to, from, bytes, cudaMemcpyDefault));
}

static bool allocate(void **p, size_t bytes)
{
    return AGAIN(cudaMalloc(p, bytes));
}

/* ---- smooth_both ---- */

/* What is set up for it. */
struct set_up {
    size_t n, row;
    float *pinned; /* n + row floats; the row is 0 */
    struct lab10_half half[2], own[2];
};

static bool set_up_half(struct set_up *it, int d, const float *values)
{
    struct lab10_half *half = &it->own[d];
    const size_t bytes = it->n * sizeof(float), row = it->row * sizeof(float);

    memcpy(it->pinned, values, bytes);
    return AGAIN(cudaSetDevice(d)) && allocate((void **)&half->now, bytes) &&
           allocate((void **)&half->next, bytes) && allocate((void **)&half->edge, row) &&
           allocate((void **)(uintptr_t)&half->border, row) && copy(half->now, it->pinned, bytes) &&
           copy((float *)(uintptr_t)half->border, it->pinned + it->n, row);
}

static bool reach_each_other(bool on)
{
    for (int d = 0; d < 2 && on; d++) {
        if (!AGAIN(cudaSetDevice(d)) || !AGAIN(cudaDeviceEnablePeerAccess(1 - d, 0)))
            return false;
    }
    return true;
}

/* `now` has to be one of the two arrays of that half. */
static bool bring_back(const struct set_up *it, float *out, struct lab10_left *left)
{
    for (int d = 0; d < 2; d++) {
        const struct lab10_half *half = &it->half[d], *own = &it->own[d];

        left->is_own[d] = half->now == own->now || half->now == own->next;
        if (left->is_own[d] && !copy(it->pinned, half->now, it->n * sizeof(float)))
            return false;
        memcpy(out + (size_t)d * it->n, it->pinned, it->n * sizeof(float));
    }
    return true;
}

/* number: n of a half, row, steps, current device, whether they reach each other. in: both halves. out:
 * struct lab10_left, then both halves. */
static int64_t call_smooth_both(const struct um_request *request)
{
    struct set_up it = {.n = (size_t)request->number[0], .row = (size_t)request->number[1]};
    const int steps = (int)request->number[2], current = (int)request->number[3];
    const bool reach = request->number[4] != 0;
    struct lab10_left *left = request->out;
    int64_t returned = UM_NOT_SET_UP;

    if (AGAIN(cudaHostAlloc((void **)&it.pinned, (it.n + it.row) * sizeof(float), cudaHostAllocPortable))) {
        memset(it.pinned + it.n, 0, it.row * sizeof(float));
        if (set_up_half(&it, 0, request->in) && set_up_half(&it, 1, (const float *)request->in + it.n) &&
            reach_each_other(reach) && AGAIN(cudaSetDevice(current))) {
            memcpy(it.half, it.own, sizeof it.half);
            UM_STUDENT(returned = student.smooth_both(it.half, it.n, it.row, steps),
                       UM_BACK(&returned, sizeof returned), UM_BACK(it.half, sizeof it.half));
            returned = what_is_left((cudaError_t)returned, left);
            if (!bring_back(&it, (float *)(void *)(left + 1), left))
                returned = UM_NOT_SET_UP;
        }
    }
    for (int d = 0; d < 2; d++) {
        cudaFree(it.own[d].now);
        cudaFree(it.own[d].next);
        cudaFree(it.own[d].edge);
        cudaFree((float *)(uintptr_t)it.own[d].border);
    }
    cudaFreeHost(it.pinned);
    return returned;
}

/* ---- sum_both ---- */

/* number: n of each half, current device. in: both halves. out: struct lab10_left, then the sum. */
static int64_t call_sum_both(const struct um_request *request)
{
    const size_t n[2] = {(size_t)request->number[0], (size_t)request->number[1]};
    const int current = (int)request->number[2];
    const float *values = request->in;
    struct lab10_left *left = request->out;
    float *x[2] = {NULL, NULL}, *pinned = NULL;
    int64_t returned = UM_NOT_SET_UP;
    bool ready =
        AGAIN(cudaHostAlloc((void **)&pinned, (n[0] + n[1] + 1) * sizeof(float), cudaHostAllocPortable));

    if (ready && n[0] + n[1] > 0)
        memcpy(pinned, values, (n[0] + n[1]) * sizeof(float));
    for (int d = 0; d < 2 && ready; d++) {
        ready = AGAIN(cudaSetDevice(d)) && allocate((void **)&x[d], (n[d] + 1) * sizeof(float)) &&
                (n[d] == 0 || copy(x[d], pinned + (d == 0 ? 0 : n[0]), n[d] * sizeof(float)));
    }
    if (ready && AGAIN(cudaSetDevice(current))) {
        const float *const halves[2] = {x[0], x[1]};
        double *sum = (double *)(void *)(left + 1);

        UM_STUDENT(returned = student.sum_both(sum, halves, n), UM_BACK(&returned, sizeof returned),
                   UM_BACK(sum, sizeof *sum));
        returned = what_is_left((cudaError_t)returned, left);
    }
    cudaFree(x[0]);
    cudaFree(x[1]);
    cudaFreeHost(pinned);
    return returned;
}

UM_CALLS({"smooth_both", call_smooth_both}, {"sum_both", call_sum_both});
