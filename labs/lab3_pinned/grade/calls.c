/**
 * @file calls.c
 * @brief Lab 3: turns the grader's requests into calls of exercise.c.
 *
 * grade/call_buffer.h says what a request is.
 */
#include <string.h>

#include "calls.h"
#include "grade/call_buffer.h"

#define UM_STUDENTS(FUNCTION) FUNCTION(should_pin) FUNCTION(stream_saxpy)
#include "grade/student.h"

static void ask_each(unsigned char *choice, const struct lab3_question *question, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        choice[i] =
            student.should_pin((size_t)question[i].bytes, (unsigned)question[i].copies, &question[i].machine);
    }
}

/* in: struct lab3_question, one after another. out: a byte for each. */
static int64_t call_should_pin(const struct um_request *request)
{
    UM_STUDENT(ask_each(request->out, request->in, request->in_bytes / sizeof(struct lab3_question)),
               UM_BACK(request->out, request->out_bytes));
    return 0;
}

/* number: n, chunk. in: x, then y. out: y, LAB3_GUARD floats behind it that must stay as they are, and x.
 * Returned: what the function returned, and in the upper bits the error that it left. */
static int64_t call_stream_saxpy(const struct um_request *request)
{
    const size_t n = (size_t)request->number[0], chunk = (size_t)request->number[1];
    float *y = request->out, *x = y + n + LAB3_GUARD;
    int64_t returned;

    if (n > 0) {
        memcpy(x, request->in, n * sizeof *x);
        memcpy(y, (const float *)request->in + n, n * sizeof *y);
    }
    UM_STUDENT(returned = student.stream_saxpy(y, x, n, chunk), UM_BACK(&returned, sizeof returned),
               UM_BACK(request->out, request->out_bytes));
    return um_with_left(returned, cudaGetLastError());
}

UM_CALLS({"should_pin", call_should_pin}, {"stream_saxpy", call_stream_saxpy});
