/**
 * @file calls.c
 * @brief Lab 8: turns the grader's requests into calls of exercise.c.
 *
 * grade/call_buffer.h says what a request is.
 */
#include <malloc.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "grade/call_buffer.h"

#define UM_STUDENTS(FUNCTION) FUNCTION(record_layout) FUNCTION(export_view) FUNCTION(host_access)
#include "grade/student.h"

/* in: the fields. out: offsets, then the size. */
static int64_t call_record_layout(const struct um_request *request)
{
    const size_t count = (size_t)request->number[0];
    size_t *out = request->out;
    int64_t returned;

    UM_STUDENT(returned = student.record_layout(request->in, count, out, out + count),
               UM_BACK(&returned, sizeof returned), UM_BACK(out, request->out_bytes));
    return returned;
}

/* ---- memory with several users ---- */

struct counted {
    struct lab8_memory memory;
    int32_t references, retained, released, after_end;
};

static void retain(struct lab8_memory *self)
{
    struct counted *it = (struct counted *)(void *)self;

    it->after_end += it->references <= 0;
    it->references++;
    it->retained++;
}

static void release(struct lab8_memory *self)
{
    struct counted *it = (struct counted *)(void *)self;

    it->after_end += it->references <= 0;
    it->references--;
    it->released++;
}

/* What a consumer reads, after the caller's own numbers have gone. */
static void read_tensor(const struct lab8_tensor *tensor, const struct counted *it, struct lab8_lent *told)
{
    told->tensor = *tensor;
    told->begins = (int64_t)((uintptr_t)tensor->data - (uintptr_t)it->memory.data);
    told->readable = tensor->ndim <= 0 || (tensor->shape && tensor->strides);
    for (int i = 0; told->readable && i < tensor->ndim && i < LAB8_DIMENSIONS; i++) {
        told->shape[i] = tensor->shape[i];
        told->strides[i] = tensor->strides[i];
    }
}

/* Lends once, and lets both sides end. */
static void lend(const struct lab8_lending *asked, struct lab8_lent *told)
{
    struct counted it = {.references = 1};
    int64_t shape[LAB8_DIMENSIONS], strides[LAB8_DIMENSIONS];
    struct lab8_view view = {.offset = asked->offset,
                             .ndim = asked->ndim,
                             .code = asked->code,
                             .bits = asked->bits,
                             .shape = shape,
                             .strides = asked->dense ? NULL : strides};
    struct lab8_tensor *tensor = NULL;

    memset(told, 0, sizeof *told);
    memcpy(shape, asked->shape, sizeof shape);
    memcpy(strides, asked->strides, sizeof strides);
    it.memory = (struct lab8_memory){(void *)(uintptr_t)0x7a0000000000,
                                     asked->bytes,
                                     asked->device_type,
                                     asked->device_id,
                                     asked->read_only,
                                     retain,
                                     release};
    told->error = student.export_view(&it.memory, &view, &tensor);
    told->made = tensor != NULL;
    told->retained = it.retained;
    told->released = it.released;
    memset(shape, 0x55, sizeof shape);
    memset(strides, 0x55, sizeof strides);
    view = (struct lab8_view){0};
    if (tensor) {
        read_tensor(tensor, &it, told);
        for (int turn = 0; turn < 2; turn++) {
            if ((turn == 0) == (asked->owner_first != 0)) {
                release(&it.memory);
                it.released--; /* the maker's own does not count */
            } else if (tensor->deleter) {
                tensor->deleter(tensor);
            }
            if (turn == 0)
                told->alive_between = it.references > 0;
        }
    }
    told->retained_at_end = it.retained;
    told->released_at_end = it.released;
    told->alive_at_end = it.references > 0;
    told->after_end = it.after_end;
}

#define ROUNDS 20

/* All of it in the student's process: what is lent there holds functions and memory of the student's. */
static void lend_each(const struct lab8_lending *asked, struct lab8_lent *told, size_t n)
{
    struct lab8_lent again;
    struct mallinfo2 before = {0};

    for (size_t i = 0; i < n; i++) {
        lend(&asked[i], &told[i]);
        for (int round = 0; round < 2 * ROUNDS; round++) {
            if (round == ROUNDS) /* malloc() keeps a few pieces at hand, which count as given out */
                before = mallinfo2();
            lend(&asked[i], &again);
        }
        told[i].heap = (int64_t)(mallinfo2().uordblks - before.uordblks);
    }
}

/* in: lendings. out: for each, what happened. */
static int64_t call_export_view(const struct um_request *request)
{
    UM_STUDENT(lend_each(request->in, request->out, request->in_bytes / sizeof(struct lab8_lending)),
               UM_BACK(request->out, request->out_bytes));
    return cudaSuccess;
}

/* ---- who may look ---- */

/* Keeps the engine busy far longer than a question takes. */
#define WORK_BYTES ((size_t)64 << 20)

static cudaError_t get(char **p, const struct lab8_question *asked)
{
    cudaError_t error;

    switch (asked->kind) {
    case LAB8_AT_HEAP:
        *p = calloc(1, asked->of);
        return *p ? cudaSuccess : cudaErrorMemoryAllocation;
    case LAB8_AT_PINNED:
        return cudaMallocHost((void **)p, asked->of);
    case LAB8_AT_MANAGED:
        error = cudaMallocManaged((void **)p, asked->of, cudaMemAttachGlobal);
        /* Its pages are the GPU's, so that a touch would show. */
        return error == cudaSuccess ? cudaMemset(*p, 1, asked->of) : error;
    default:
        error = cudaMalloc((void **)p, asked->of);
        return error == cudaSuccess && asked->kind == LAB8_AT_FREED ? cudaFree(*p) : error;
    }
}

static void give_back(char *p, int32_t kind)
{
    if (kind == LAB8_AT_HEAP)
        free(p);
    else if (kind == LAB8_AT_PINNED)
        (void)cudaFreeHost(p);
    else if (kind != LAB8_AT_FREED)
        (void)cudaFree(p);
}

/* The student's function is asked, or nobody, to learn what the rest costs. */
static void ask(const struct lab8_question *asked, char *work, bool student_is, struct lab8_answer *answer)
{
    cudaStream_t stream = NULL;
    cudaError_t state = cudaSuccess;
    char *p = NULL;

    *answer = (struct lab8_answer){.access = LAB8_NOT_SET_UP};
    if (get(&p, asked) == cudaSuccess &&
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess &&
        cudaDeviceSynchronize() == cudaSuccess &&
        (!asked->busy || cudaMemsetAsync(work, 0, WORK_BYTES, stream) == cudaSuccess)) {
        const void *first = (const void *)((uintptr_t)p + (uintptr_t)asked->offset);
        const size_t bytes = asked->bytes;
        enum lab8_access access = LAB8_NO_ANSWER;

        if (student_is)
            UM_STUDENT(access = student.host_access(first, bytes, stream), UM_BACK(&access, sizeof access));
        answer->access = access;
        answer->left = cudaPeekAtLastError();
        state = cudaStreamQuery(stream);
        answer->still_busy = state == cudaErrorNotReady;
    }
    if (answer->access == LAB8_NOT_SET_UP || (state != cudaSuccess && state != cudaErrorNotReady))
        (void)cudaGetLastError(); /* of a call here */
    if (stream) {
        if (cudaStreamSynchronize(stream) != cudaSuccess)
            (void)cudaGetLastError();
        (void)cudaStreamDestroy(stream);
    }
    if (p)
        give_back(p, asked->kind);
}

/* in: questions. out: answers. number[0] not 0: an error of an earlier call is waiting. */
static int64_t ask_all(const struct um_request *request, bool student_is)
{
    const struct lab8_question *asked = request->in;
    char *work = NULL;

    um_student_sees_no_inputs(); /* they say what the memory is */
    if (cudaMalloc((void **)&work, WORK_BYTES) != cudaSuccess) {
        (void)cudaGetLastError();
        return UM_NOT_SET_UP;
    }
    if (request->number[0] != 0)
        (void)cudaMalloc(NULL, 16); /* cudaErrorInvalidValue */
    for (size_t i = 0; i < request->in_bytes / sizeof *asked; i++)
        ask(&asked[i], work, student_is, (struct lab8_answer *)request->out + i);
    return cudaFree(work);
}

static int64_t call_host_access(const struct um_request *request)
{
    return ask_all(request, true);
}

static int64_t call_nobody(const struct um_request *request)
{
    return ask_all(request, false);
}

UM_CALLS({"record_layout", call_record_layout}, {"export_view", call_export_view},
         {"host_access", call_host_access}, {"nobody", call_nobody});
