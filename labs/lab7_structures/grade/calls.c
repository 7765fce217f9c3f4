/**
 * @file calls.c
 * @brief Lab 7: turns the grader's requests into calls of exercise.c.
 *
 * Each function has two requests: one in which the caller uses what the function made (number[1] is not 0),
 * and one without. Either frees it. The result holds what the function returned and, in the upper bits, the
 * error that it left. grade/call_buffer.h says what a request is.
 */
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "../exercise.h"
#include "grade/call_buffer.h"

#define UM_STUDENTS(FUNCTION) FUNCTION(list_to_device) FUNCTION(list_managed) FUNCTION(aos_to_soa)
#include "grade/student.h"

static int64_t with_what_is_left(cudaError_t returned)
{
    return um_with_left(returned, cudaGetLastError());
}

/* ---- lists ---- */

/* A kernel adds up a list to several lengths. One wait for each. */
static cudaError_t sums_on_device(int64_t *sums, const struct um_node *head, uint64_t n)
{
    cudaError_t error;
    int64_t *sum;

    error = cudaMallocHost((void **)&sum, sizeof *sum);
    for (int k = 0; k < LAB7_PREFIXES && error == cudaSuccess; k++) {
        *sum = 0;
        error = um_list_sum(sum, head, lab7_prefix(n, k), 0);
        if (error == cudaSuccess)
            error = cudaDeviceSynchronize();
        sums[k] = *sum;
    }
    (void)cudaFreeHost(sum);
    return error;
}

static void sums_on_host(struct lab7_sums *sums, const struct um_node *head, uint64_t n)
{
    for (int k = 0; k < LAB7_PREFIXES; k++) {
        const struct um_node *at = head;

        for (sums->length = 0; (uint64_t)sums->length < lab7_prefix(n, k) && at; at = at->next) {
            sums->host[k] += at->value;
            sums->length++;
        }
    }
}

/* Nodes of the host's, of which the k-th of the list stands at place[k]. NULL without memory. */
static struct um_node *host_list(const int64_t *values, const uint32_t *place, size_t n)
{
    struct um_node *nodes = malloc(n * sizeof *nodes + 1);

    for (size_t k = 0; nodes && k < n; k++) {
        nodes[place[k]] = (struct um_node){k + 1 < n ? nodes + place[k + 1] : NULL, values[k]};
    }
    return nodes;
}

/* number: n, use. in: n values, then n places. out: struct lab7_sums. */
static int64_t call_list_to_device(const struct um_request *request)
{
    const size_t n = (size_t)request->number[0];
    const int64_t *values = request->in;
    const uint32_t *place = (const uint32_t *)(const void *)(values + n);
    struct um_node *nodes = host_list(values, place, n), *d_head = NULL;
    struct lab7_sums *sums = request->out;
    cudaError_t error = cudaSuccess;
    int64_t returned;

    memset(sums, 0, sizeof *sums);
    UM_STUDENT(returned = student.list_to_device(&d_head, n > 0 ? nodes + place[0] : NULL),
               UM_BACK(&returned, sizeof returned), UM_BACK(&d_head, sizeof d_head));
    returned = with_what_is_left((cudaError_t)returned);
    sums->has_list = d_head != NULL;
    free(nodes);
    if (request->number[1] != 0 && d_head)
        error = sums_on_device(sums->device, d_head, n);
    (void)cudaFree(d_head);
    return error == cudaSuccess ? returned : UM_NOT_SET_UP;
}

/* number: n, use. in: n values. out: struct lab7_sums. */
static int64_t call_list_managed(const struct um_request *request)
{
    const size_t n = (size_t)request->number[0];
    struct lab7_sums *sums = request->out;
    struct um_node *head = NULL;
    cudaError_t error = cudaSuccess;
    int64_t returned;

    memset(sums, 0, sizeof *sums);
    UM_STUDENT(returned = student.list_managed(&head, request->in, n), UM_BACK(&returned, sizeof returned),
               UM_BACK(&head, sizeof head));
    returned = with_what_is_left((cudaError_t)returned);
    sums->has_list = head != NULL;
    if (request->number[1] != 0 && head) {
        error = sums_on_device(sums->device, head, n);
        if (error == cudaSuccess)
            sums_on_host(sums, head, n);
    }
    (void)cudaFree(head);
    return error == cudaSuccess ? returned : UM_NOT_SET_UP;
}

/* ---- records ---- */

static cudaError_t move(const struct lab7_arrays *arrays, size_t n)
{
    cudaError_t error = cudaSuccess;

    for (int axis = 0; axis < 3 && error == cudaSuccess; axis++) {
        error = um_saxpy(arrays->position[axis], LAB7_TIME, arrays->velocity[axis], n, 0);
    }
    return error;
}

/* number: n, use. in: n records. out: struct lab7_fields, then the fields. */
static int64_t call_aos_to_soa(const struct um_request *request)
{
    const size_t n = (size_t)request->number[0];
    struct lab7_fields *fields = request->out;
    float *home = (float *)(void *)(fields + 1);
    struct lab7_arrays arrays;
    cudaError_t error = cudaSuccess;
    int64_t returned;

    memset(&arrays, 0, sizeof arrays);
    UM_STUDENT(returned = student.aos_to_soa(&arrays, request->in, n), UM_BACK(&returned, sizeof returned),
               UM_BACK(&arrays, sizeof arrays));
    returned = with_what_is_left((cudaError_t)returned);
    if (request->number[1] != 0 && returned == 0)
        error = move(&arrays, n);
    for (int field = 0; field < 6; field++) {
        const float *at = field < 3 ? arrays.position[field] : arrays.velocity[field - 3];

        fields->offset[field] = !at ? LAB7_NULL : (int64_t)((intptr_t)at - (intptr_t)arrays.position[0]);
        if (request->number[1] != 0 && at && error == cudaSuccess)
            error = cudaMemcpy(home + (size_t)field * n, at, n * sizeof *home, cudaMemcpyDeviceToHost);
    }
    (void)cudaFree(arrays.position[0]);
    return error == cudaSuccess ? returned : UM_NOT_SET_UP;
}

UM_CALLS({"list_to_device", call_list_to_device}, {"list_managed", call_list_managed},
         {"aos_to_soa", call_aos_to_soa});
