/**
 * @file calls.c
 * @brief Lab 9: turns the grader's requests into calls of exercise.c.
 *
 * grade/call_buffer.h says what a request is.
 */
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "grade/call_buffer.h"
#include "kernels.h"
#ifdef UMLAB_SIM
#include "umsim_grading.h"
#endif

#define UM_STUDENTS(FUNCTION) FUNCTION(choose) FUNCTION(pipelined_copy)
#include "grade/student.h"

static void ask_each(unsigned char *kind, const struct lab9_question *question, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        kind[i] = (unsigned char)student.choose(&question[i].work, &question[i].machine);
    }
}

/* in: struct lab9_question, one after another. out: a byte for each. */
static int64_t call_choose(const struct um_request *request)
{
    UM_STUDENT(ask_each(request->out, request->in, request->in_bytes / sizeof(struct lab9_question)),
               UM_BACK(request->out, request->out_bytes));
    return 0;
}

static void host_copy(void *to, const void *from, size_t bytes)
{
#ifdef UMLAB_SIM
    umsim_host_copy(to, from, bytes);
#else
    memcpy(to, from, bytes);
#endif
}

/* Array and guards in device memory: set by cudaMemset (to the device: that is queued when the copy is asked
 * for), or filled from `in` and marked by a kernel that is queued then. */
static unsigned char *device_memory(const struct um_request *request, size_t bytes, bool up)
{
    const size_t all_bytes = bytes + 2 * LAB9_GUARD;
    unsigned char *d = NULL;
    cudaError_t error = cudaMalloc((void **)&d, all_bytes);

    if (error == cudaSuccess && up)
        error = cudaMemset(d, 0xa5, all_bytes);
    if (error == cudaSuccess && !up)
        error = cudaMemset(d, 0, all_bytes);
    if (error == cudaSuccess && !up && bytes > 0)
        error = cudaMemcpy(d + LAB9_GUARD, request->in, bytes, cudaMemcpyHostToDevice);
    if (error == cudaSuccess && !up)
        error = um_page_write(d + LAB9_GUARD, bytes, LAB9_MARK_EVERY, LAB9_MARK, 0);
    if (error == cudaSuccess)
        return d;
    cudaFree(d);
    return NULL;
}

/* number: bytes, whether to the device, buffers, chunk, small, what is added to the host's address. in:
 * bytes. out: guard, bytes, guard: of the device's memory where it was written, else
 * of the host's. */
static int64_t call_pipelined_copy(const struct um_request *request)
{
    const size_t bytes = (size_t)request->number[0], odd = (size_t)request->number[5];
    const bool up = request->number[1] != 0;
    const struct lab9_pipe pipe = {(int)request->number[2], (size_t)request->number[3],
                                   (size_t)request->number[4], host_copy};
    unsigned char *seen = request->out, *d = device_memory(request, bytes, up),
                  *h = malloc(bytes + 2 * LAB9_GUARD + odd);
    int64_t returned = UM_NOT_SET_UP;

    if (d && h) {
        memset(h, 0xa5, bytes + 2 * LAB9_GUARD + odd);
        if (up && bytes > 0)
            memcpy(h + LAB9_GUARD + odd, request->in, bytes);
        unsigned char *there = d + LAB9_GUARD, *here = h + LAB9_GUARD + odd;

#ifdef UMLAB_SIM
        umsim_host_copies(here, bytes);
#endif
        UM_STUDENT(returned =
                       student.pipelined_copy(up ? there : here, up ? here : there, bytes,
                                              up ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost, &pipe),
                   UM_BACK(&returned, sizeof returned), UM_BACK(h, bytes + 2 * LAB9_GUARD + odd));
        returned = um_with_left(returned, cudaGetLastError());
        if (up && cudaMemcpy(seen, d, bytes + 2 * LAB9_GUARD, cudaMemcpyDeviceToHost) != cudaSuccess)
            memset(seen, 0, bytes + 2 * LAB9_GUARD);
        if (!up)
            memcpy(seen, h + odd, bytes + 2 * LAB9_GUARD);
    }
    cudaFree(d);
    free(h);
    return returned;
}

/* number: kind, buffers, chunk. Arguments that are to be refused, with memory that would do. */
static int64_t call_refused(const struct um_request *request)
{
    const struct lab9_pipe pipe = {(int)request->number[1], (size_t)request->number[2], 1, host_copy};
    const enum cudaMemcpyKind kind = (enum cudaMemcpyKind)request->number[0];
    static char one[64], other[64];
    int64_t returned;

    UM_STUDENT(returned = student.pipelined_copy(one, other, sizeof one, kind, &pipe),
               UM_BACK(&returned, sizeof returned));
    return um_with_left(returned, cudaGetLastError());
}

UM_CALLS({"choose", call_choose}, {"pipelined_copy", call_pipelined_copy}, {"refused", call_refused});
