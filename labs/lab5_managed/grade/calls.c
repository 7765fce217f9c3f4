/**
 * @file calls.c
 * @brief Lab 5: turns the grader's requests into calls of exercise.c.
 *
 * grade/call_buffer.h says what a request is.
 */
#include <string.h>

#include "calls.h"
#include "../exercise.h"
#include "grade/call_buffer.h"
#include "grade/conversation.h"

#define UM_STUDENTS(FUNCTION) FUNCTION(port_to_managed) FUNCTION(place_one_sync) FUNCTION(predict_faults)
#include "grade/student.h"

/* ---- port_to_managed ---- */

/** What fill and use work on. */
struct files {
    const int *in;
    int *out;
};

/* What they tell the harness when they are called. */
enum { FILL, USE };

/* One int after another: memcpy() copies large arrays in its own order, which does not give the faults of
 * a walk. */
static void in_order(volatile int *to, const volatile int *from, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        to[i] = from[i];
    }
}

static void fill(int *x, size_t n, void *context)
{
    um_tell(FILL);
    in_order(x, ((struct files *)context)->in, n);
}

static void use(const int *x, size_t n, void *context)
{
    um_tell(USE);
    in_order(((struct files *)context)->out, x, n);
}

static void count(uint32_t word, void *context)
{
    struct lab5_told *told = context;

    told->filled += word == FILL;
    told->used += word == USE;
}

/* In the student's process. */
static void run_port_to_managed(const void *program, void *returned)
{
    *(int64_t *)returned = student.port_to_managed(program);
}

/* number: n, steps. in: n ints. out: n ints, then struct lab5_told. Returned: what the function returned, and
 * in the upper bits the error that it left. */
static int64_t call_port_to_managed(const struct um_request *request)
{
    const size_t n = (size_t)request->number[0];
    struct files files = {request->in, request->out};
    const struct lab5_program program = {n, (unsigned)request->number[1], fill, use, &files};
    const struct um_back back[] = {UM_BACK(request->out, n * sizeof(int)), UM_BACK(NULL, 0)};
    struct lab5_told told = {0, 0};
    int64_t returned;

    um_conversation_begin(
        &(struct um_conversation){run_port_to_managed, sizeof program, sizeof returned, 0, back});
    um_ask(&program, sizeof program, &returned, sizeof returned, count, &told);
    um_conversation_end();
    memcpy((int *)request->out + n, &told, sizeof told);
    return um_with_left(returned, cudaGetLastError());
}

/* ---- place_one_sync ---- */

static int *managed_copy(const int *in, size_t n)
{
    int *x = NULL;

    if (cudaMallocManaged((void **)&x, (n + 1) * sizeof *x, cudaMemAttachGlobal) != cudaSuccess)
        return NULL;
    if (n > 0)
        memcpy(x, in, n * sizeof *x);
    return x;
}

/* number: n, whether x and y are wanted. in: x, y, notes. out: the sum, then x and y. Nothing is freed: that
 * would wait. */
static int64_t call_place_one_sync(const struct um_request *request)
{
    const size_t n = (size_t)request->number[0];
    const int *in = request->in;
    int *x = managed_copy(in, n), *y = managed_copy(in + n, n);
    int *after = (int *)(void *)((int64_t *)request->out + 1);
    cudaStream_t one, other;
    int64_t returned;

    if (!x || !y || cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking) != cudaSuccess ||
        cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking) != cudaSuccess)
        return UM_NOT_SET_UP;
    UM_STUDENT(returned = student.place_one_sync(request->out, x, y, in + 2 * n, n, one, other),
               UM_BACK(&returned, sizeof returned), UM_BACK(request->out, sizeof(int64_t)));
    if (request->number[1] != 0 && n > 0 && cudaDeviceSynchronize() == cudaSuccess) {
        memcpy(after, x, n * sizeof *x);
        memcpy(after + n, y, n * sizeof *y);
    }
    return returned;
}

/* ---- predict_faults ---- */

static void ask_each(uint64_t *answer, const struct lab5_walk *walk, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        answer[i] =
            student.predict_faults((size_t)walk[i].bytes, (size_t)walk[i].first, (size_t)walk[i].stride);
    }
}

/* in: struct lab5_walk, one after another. out: an answer for each. */
static int64_t call_predict_faults(const struct um_request *request)
{
    UM_STUDENT(ask_each(request->out, request->in, request->in_bytes / sizeof(struct lab5_walk)),
               UM_BACK(request->out, request->out_bytes));
    return 0;
}

static int take(const struct lab5_walk *walk)
{
    volatile unsigned char *x = NULL;
    uint64_t here = walk->first;
    int sum = 0;

    if (here >= walk->bytes ||
        cudaMallocManaged((void **)&x, walk->bytes, cudaMemAttachGlobal) != cudaSuccess)
        return 0;
    if (walk->on_device != 0) {
        (void)cudaMemset((void *)x, 1, walk->bytes);
        (void)cudaDeviceSynchronize();
    }
    do {
        sum += x[here];
    } while (lab5_goes_on(walk, &here));
    (void)cudaFree((void *)x);
    return sum;
}

/* in: struct lab5_walk, one after another. All the walks are done; the ledger has their faults. */
static int64_t call_walks(const struct um_request *request)
{
    const struct lab5_walk *walk = request->in;
    int64_t sum = 0;

    for (size_t i = 0; i < request->in_bytes / sizeof *walk; i++) {
        sum += take(&walk[i]);
    }
    return sum;
}

UM_CALLS({"port_to_managed", call_port_to_managed}, {"place_one_sync", call_place_one_sync},
         {"predict_faults", call_predict_faults}, {"walks", call_walks});
