/**
 * @file calls.c
 * @brief Lab 4: turns the grader's requests into calls of exercise.c.
 *
 * The caller's arrays are in mapped memory, as exercise.h promises. The result holds what the function
 * returned and, in the upper bits, the error that it left; it is UM_NOT_SET_UP when the caller's own
 * allocations failed. grade/call_buffer.h says what a request is.
 */
#include <string.h>

#include "../exercise.h"
#include "grade/call_buffer.h"

#define UM_STUDENTS(FUNCTION) FUNCTION(gather_sum) FUNCTION(dense_sums)
#include "grade/student.h"

/* A copy of `bytes` bytes in mapped memory; NULL without. */
static void *mapped_copy(const void *from, size_t bytes)
{
    void *to = NULL;

    if (cudaHostAlloc(&to, bytes + 1, cudaHostAllocMapped) != cudaSuccess)
        return NULL;
    if (bytes > 0)
        memcpy(to, from, bytes);
    return to;
}

static int64_t with_what_is_left(cudaError_t returned)
{
    return um_with_left(returned, cudaGetLastError());
}

/* number: n, m. in: n floats, then m indices. out: the sum, then the n floats. */
static int64_t call_gather_sum(const struct um_request *request)
{
    const size_t n = (size_t)request->number[0], m = (size_t)request->number[1];
    float *host = mapped_copy(request->in, n * sizeof(float));
    uint32_t *index = mapped_copy((const float *)request->in + n, m * sizeof *index);
    int64_t returned = UM_NOT_SET_UP;

    if (host && index) {
        UM_STUDENT(returned = student.gather_sum(request->out, host, index, m),
                   UM_BACK(&returned, sizeof returned), UM_BACK(request->out, sizeof(double)));
        returned = with_what_is_left((cudaError_t)returned);
        memcpy((double *)request->out + 1, host, n * sizeof *host);
    }
    cudaFreeHost(index);
    cudaFreeHost(host);
    return returned;
}

/* number: n, k. in: k ends (size_t), then n floats. out: k sums, then the n floats. */
static int64_t call_dense_sums(const struct um_request *request)
{
    const size_t n = (size_t)request->number[0], k = (size_t)request->number[1];
    const size_t *ends = request->in;
    float *host = mapped_copy(k > 0 ? ends + k : request->in, n * sizeof *host);
    int64_t returned = UM_NOT_SET_UP;

    if (host) {
        UM_STUDENT(returned = student.dense_sums(request->out, host, ends, k),
                   UM_BACK(&returned, sizeof returned), UM_BACK(request->out, k * sizeof(double)));
        returned = with_what_is_left((cudaError_t)returned);
        memcpy((double *)request->out + k, host, n * sizeof *host);
    }
    cudaFreeHost(host);
    return returned;
}

UM_CALLS({"gather_sum", call_gather_sum}, {"dense_sums", call_dense_sums});
