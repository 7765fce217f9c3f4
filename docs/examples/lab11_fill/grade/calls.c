/**
 * @file calls.c
 * @brief Lab 11: turns the grader's requests into calls of the exercise.
 */
#include "grade/call_buffer.h"
#include "../exercise.h"

#define UM_STUDENTS(FUNCTION) FUNCTION(filled)
#include "grade/student.h"

/* number: n, the value. out: x. */
static int64_t call_filled(const struct um_request *request)
{
    const float value = (float)request->number[1];
    const size_t n = (size_t)request->number[0];
    cudaError_t error;

    UM_STUDENT(error = student.filled(request->out, value, n), UM_BACK(&error, sizeof error),
               UM_BACK(request->out, request->out_bytes));
    return um_with_left(error, cudaGetLastError());
}

UM_CALLS({"filled", call_filled});
