/**
 * @file calls.c
 * @brief Lab 8: turns the grader's requests into calls of exercise.c.
 *
 * grade/call_buffer.h says what a request is.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "grade/call_buffer.h"
#include "grade/conversation.h"

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

/* ---- memory with several users: in the student's process, which is asked step by step ---- */

enum step { LEND, READ, END };

/* Of views number first, first + 1, ...: what is to be done with them. */
struct question {
    enum step step;
    uint32_t first, count;
    bool tells; /* retain() and release() are told */
    struct lab8_lending lending[LAB8_MOST];
};
struct answer {
    struct lab8_lent lent[LAB8_MOST];
};

struct lent {
    struct lab8_memory memory; /* first: retain() gets its address */
    uint32_t number;
    struct lab8_tensor *tensor;
};

static void retain(struct lab8_memory *self)
{
    um_tell(2 * ((struct lent *)(void *)self)->number);
}

static void release(struct lab8_memory *self)
{
    um_tell(2 * ((struct lent *)(void *)self)->number + 1);
}

static void tell_nobody(struct lab8_memory *self)
{
    (void)self;
}

/* All views' numbers stand in the same place, one after the other's: a tensor has to have its own. */
static void lend(const struct lab8_lending *asked, bool tells, struct lent *it, struct lab8_lent *told)
{
    static int64_t shape[LAB8_DIMENSIONS], strides[LAB8_DIMENSIONS];
    struct lab8_view view = {.offset = asked->offset,
                             .ndim = asked->ndim,
                             .code = asked->code,
                             .bits = asked->bits,
                             .shape = shape,
                             .strides = asked->dense ? NULL : strides};

    memcpy(shape, asked->shape, sizeof shape);
    memcpy(strides, asked->strides, sizeof strides);
    it->tensor = NULL;
    it->memory = (struct lab8_memory){(void *)(uintptr_t)0x7a0000000000,
                                      asked->bytes,
                                      asked->device_type,
                                      asked->device_id,
                                      asked->read_only,
                                      tells ? retain : tell_nobody,
                                      tells ? release : tell_nobody};
    told->error = student.export_view(&it->memory, &view, &it->tensor);
    told->made = it->tensor != NULL;
    memset(shape, 0x55, sizeof shape);
    memset(strides, 0x55, sizeof strides);
}

/* What a consumer reads. */
static void read_tensor(const struct lent *it, struct lab8_lent *told)
{
    const struct lab8_tensor *tensor = it->tensor;

    told->tensor = *tensor;
    told->begins = (int64_t)((uintptr_t)tensor->data - (uintptr_t)it->memory.data);
    told->readable = tensor->ndim <= 0 || (tensor->shape && tensor->strides);
    for (int i = 0; told->readable && i < tensor->ndim && i < LAB8_DIMENSIONS; i++) {
        told->shape[i] = tensor->shape[i];
        told->strides[i] = tensor->strides[i];
    }
}

static void respond(const void *asked, void *answer)
{
    static struct lent lent[LAB8_MOST];
    const struct question *question = asked;

    for (uint32_t i = 0; i < question->count; i++) {
        const uint32_t number = question->first + i;
        struct lent *it = &lent[number];
        struct lab8_lent *told = &((struct answer *)answer)->lent[i];

        it->number = number;
        if (question->step == LEND)
            lend(&question->lending[i], question->tells, it, told);
        else if (it->tensor && question->step == READ)
            read_tensor(it, told);
        else if (it->tensor && it->tensor->deleter)
            it->tensor->deleter(it->tensor);
    }
}

/* ---- the same in the harness, which counts ---- */

static struct question question;
static struct answer answer;
#define CONVERSATION(spare)                                                                                  \
    (struct um_conversation)                                                                                 \
    {                                                                                                        \
        respond, sizeof question, sizeof answer, spare, NULL                                                 \
    }

static const struct lab8_lent *ask(enum step step, uint32_t first, uint32_t count,
                                   void heard(uint32_t word, void *context), void *context)
{
    const size_t lendings = step == LEND ? count : 0;

    question.step = step;
    question.first = first;
    question.count = count;
    question.tells = heard != NULL;
    um_ask(&question, offsetof(struct question, lending) + lendings * sizeof *question.lending, &answer,
           count * sizeof *answer.lent, heard, context);
    return answer.lent;
}

struct references {
    int32_t held, retained, released, after_end;
};

/* A word of the student's process: number of a view, retain() or release(). */
static void count(uint32_t word, void *context)
{
    struct references *of = context;

    if (word / 2 >= LAB8_MOST)
        return;
    of += word / 2;
    of->after_end += of->held <= 0;
    of->held += word % 2 ? -1 : 1;
    of->retained += word % 2 == 0;
    of->released += word % 2 != 0;
}

/* The maker's own reference goes, or the tensor with its. */
static void end_one(bool makers, uint32_t i, struct references *of)
{
    if (!makers)
        (void)ask(END, i, 1, count, of);
    else {
        of[i].after_end += of[i].held <= 0;
        of[i].held--;
    }
}

static void end_both(uint32_t i, bool maker_first, struct references *of, struct lab8_lent *told)
{
    end_one(maker_first, i, of);
    told->alive_between = of[i].held > 0;
    end_one(!maker_first, i, of);
    told->retained_at_end = of[i].retained;
    told->released_at_end = of[i].released;
    told->alive_at_end = of[i].held > 0;
    told->after_end = of[i].after_end;
}

/* in: lendings, which are all there side by side. out: for each, what happened. */
static int64_t call_export_view(const struct um_request *request)
{
    static struct references of[LAB8_MOST];
    const struct lab8_lending *asked = request->in;
    struct lab8_lent *told = request->out;
    const uint32_t n = (uint32_t)(request->in_bytes / sizeof *asked);

    um_student_sees_no_inputs();
    (void)um_conversation_begin(&CONVERSATION(0));
    for (uint32_t i = 0; i < n; i++) {
        of[i].held = 1;
        question.lending[0] = asked[i];
        told[i] = (struct lab8_lent){.error = ask(LEND, i, 1, count, of)->error, .made = answer.lent[0].made};
        told[i].retained = of[i].retained;
        told[i].released = of[i].released;
    }
    (void)ask(READ, 0, n, count, of);
    for (uint32_t i = 0; i < n; i++)
        if (told[i].made) {
            const struct lab8_lent *it = &answer.lent[i];
            told[i].tensor = it->tensor;
            told[i].begins = it->begins;
            told[i].readable = it->readable;
            memcpy(told[i].shape, it->shape, sizeof it->shape);
            memcpy(told[i].strides, it->strides, sizeof it->strides);
        }
    for (uint32_t i = 0; i < n; i++)
        end_both(i, asked[i].owner_first != 0, of, &told[i]);
    um_conversation_end();
    return cudaSuccess;
}

/* What the process may take for views that are there at once, 4 KiB each: their tensors, and what malloc()
 * has at hand. */
#define SPARE ((uint64_t)LAB8_MOST * 4096)

/* So many views do not fit into so many bytes if each keeps the least: a piece of malloc()'s. Of three kinds
 * only one may be kept. */
static uint64_t views_to_fill(uint64_t bytes)
{
    return bytes / 32 * 3;
}

/* Views of one dimension get shapes of their own: whether they are read again tells whether each was made. */
static void vary(struct lab8_lending *it, uint64_t number)
{
    if (it->ndim == 1 && it->shape[0] > 1 &&
        it->strides[0] * it->shape[0] * it->bits / 8 <= (int64_t)it->bytes)
        it->shape[0] = 1 + (int64_t)(number * 40503 % (uint64_t)it->shape[0]);
}

/* One time round: as many views as there can be, read when they are all there, and given up. */
static void go_round(const struct lab8_lending *asked, uint32_t n, struct lab8_kept *kept)
{
    static struct lab8_lent lent[LAB8_MOST];
    static uint64_t number;

    for (uint32_t i = 0; i < LAB8_MOST; i++) {
        question.lending[i] = asked[i % n];
        vary(&question.lending[i], number++);
    }
    memcpy(lent, ask(LEND, 0, LAB8_MOST, NULL, NULL), sizeof lent);
    (void)ask(READ, 0, LAB8_MOST, NULL, NULL);
    for (uint32_t i = 0; i < LAB8_MOST && kept->as_asked; i++) {
        const int64_t *shape = question.lending[i].shape;
        const bool read =
            !lent[i].made || question.lending[i].ndim != 1 || answer.lent[i].shape[0] == shape[0];

        kept->error[i % n] = lent[i].error;
        kept->as_asked = read && lent[i].error == kept->first_error[i % n];
        kept->views += kept->as_asked;
    }
    (void)ask(END, 0, LAB8_MOST, NULL, NULL);
}

/* in: up to LAB8_KINDS lendings. out: how many such views could be lent, where what is not given back is
 * missed some time: the process has no more memory than it may keep. */
static int64_t call_export_view_again(const struct um_request *request)
{
    const struct lab8_lending *asked = request->in;
    const uint32_t n = (uint32_t)(request->in_bytes / sizeof *asked);
    struct lab8_kept *kept = request->out;

    um_student_sees_no_inputs();
    *kept = (struct lab8_kept){.spare = SPARE, .as_asked = true};
    kept->held = um_conversation_begin(&CONVERSATION(SPARE));
    if (!kept->held)
        um_student_cannot("this system holds no limit on private memory (ulimit -d)");
    kept->wanted = views_to_fill(kept->held + SPARE);
    for (uint32_t i = 0; i < n; i++) {
        question.lending[0] = asked[i];
        kept->first_error[i] = ask(LEND, 0, 1, NULL, NULL)->error;
        (void)ask(END, 0, 1, NULL, NULL);
    }
    while (kept->as_asked && kept->views < kept->wanted)
        go_round(asked, n, kept);
    um_conversation_end();
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
static void ask_about(const struct lab8_question *asked, char *work, bool student_is, struct lab8_answer *to)
{
    cudaStream_t stream = NULL;
    cudaError_t state = cudaSuccess;
    char *p = NULL;

    *to = (struct lab8_answer){.access = LAB8_NOT_SET_UP};
    if (get(&p, asked) == cudaSuccess &&
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess &&
        cudaDeviceSynchronize() == cudaSuccess &&
        (!asked->busy || cudaMemsetAsync(work, 0, WORK_BYTES, stream) == cudaSuccess)) {
        const void *first = (const void *)((uintptr_t)p + (uintptr_t)asked->offset);
        const size_t bytes = asked->bytes;
        enum lab8_access access = LAB8_NO_ANSWER;

        if (student_is)
            UM_STUDENT(access = student.host_access(first, bytes, stream), UM_BACK(&access, sizeof access));
        to->access = access;
        to->left = cudaPeekAtLastError();
        state = cudaStreamQuery(stream);
        to->still_busy = state == cudaErrorNotReady;
    }
    if (to->access == LAB8_NOT_SET_UP || (state != cudaSuccess && state != cudaErrorNotReady))
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
        ask_about(&asked[i], work, student_is, (struct lab8_answer *)request->out + i);
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
         {"export_view_again", call_export_view_again}, {"host_access", call_host_access},
         {"nobody", call_nobody});
