/**
 * @file calls.c
 * @brief Lab 2: turns the grader's requests into calls of exercise.c.
 *
 * Each request is a list of places (calls.h). The code makes a place, asks about it, and frees it before the
 * next. Where number[0] is not 0, an error of an earlier call is pending when the function is called.
 * grade/call_buffer.h says what a request is.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <cuda_runtime_api.h>

#include "../exercise.h"
#include "grade/call_buffer.h"
#include "calls.h"
#include "um_page.h"

#define UM_STUDENTS(FUNCTION) FUNCTION(classify) FUNCTION(host_may_read)
#include "grade/student.h"

/* What a call asks about a place: the student's function, or nothing. */
typedef int32_t question(const char *p, size_t n);

static char global[LAB2_FIXED_BYTES];
static const char literal[LAB2_FIXED_BYTES] = "stands beside the program's code";

static bool managed(char **p, size_t bytes)
{
    return cudaMallocManaged((void **)p, bytes, cudaMemAttachGlobal) == cudaSuccess;
}

/* Moves the pages to the GPU's memory. */
static bool managed_on_device(char **p, size_t bytes)
{
    return managed(p, bytes) && cudaMemset(*p, 1, bytes) == cudaSuccess &&
           cudaDeviceSynchronize() == cudaSuccess;
}

static bool registered(char **p, size_t bytes)
{
    *p = aligned_alloc(um_page_bytes(), um_whole_pages(bytes));
    if (!*p)
        return false;
    memset(*p, 1, bytes);
    return cudaHostRegister(*p, bytes, cudaHostRegisterDefault) == cudaSuccess;
}

/* Allocates the memory, except for kinds that the host has anyway. */
static bool get(char **p, const struct lab2_place *place)
{
    const size_t bytes = place->bytes;

    switch (place->memory) {
    case LAB2_AT_HEAP:
        return (*p = calloc(1, bytes)) != NULL;
    case LAB2_AT_HOLE:
        *p = mmap(NULL, bytes + 2 * um_page_bytes(), PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return *p != MAP_FAILED && mprotect(*p + bytes, um_page_bytes(), PROT_NONE) == 0;
    case LAB2_AT_DEVICE:
        return cudaMalloc((void **)p, bytes) == cudaSuccess;
    case LAB2_AT_DEVICE_FREED:
        return cudaMalloc((void **)p, bytes) == cudaSuccess && cudaFree(*p) == cudaSuccess;
    case LAB2_AT_PINNED:
        return cudaMallocHost((void **)p, bytes) == cudaSuccess;
    case LAB2_AT_PINNED_FREED:
        return cudaMallocHost((void **)p, bytes) == cudaSuccess && cudaFreeHost(*p) == cudaSuccess;
    case LAB2_AT_MAPPED:
        return cudaHostAlloc((void **)p, bytes, cudaHostAllocMapped) == cudaSuccess;
    case LAB2_AT_REGISTERED:
        return registered(p, bytes);
    case LAB2_AT_UNREGISTERED:
        return registered(p, bytes) && cudaHostUnregister(*p) == cudaSuccess;
    case LAB2_AT_MANAGED_HOST:
        if (!managed(p, bytes))
            return false;
        memset(*p, 2, bytes);
        return true;
    case LAB2_AT_MANAGED_DEVICE:
        return managed_on_device(p, bytes);
    case LAB2_AT_MANAGED_FREED:
        return managed(p, bytes) && cudaFree(*p) == cudaSuccess;
    default:
        return true;
    }
}

static void give_back(char *p, const struct lab2_place *place)
{
    switch (place->memory) {
    case LAB2_AT_HEAP:
    case LAB2_AT_UNREGISTERED:
        free(p);
        break;
    case LAB2_AT_HOLE:
        munmap(p, place->bytes + 2 * um_page_bytes());
        break;
    case LAB2_AT_DEVICE:
    case LAB2_AT_MANAGED_HOST:
    case LAB2_AT_MANAGED_DEVICE:
        cudaFree(p);
        break;
    case LAB2_AT_PINNED:
    case LAB2_AT_MAPPED:
        cudaFreeHost(p);
        break;
    case LAB2_AT_REGISTERED:
        cudaHostUnregister(p);
        free(p);
        break;
    default:
        break;
    }
}

static int32_t ask(const struct lab2_place *place, question *question)
{
    char stack[LAB2_FIXED_BYTES] = {0}, *p = NULL;
    int32_t answer = LAB2_NOT_SET_UP;

    if (place->memory == LAB2_AT_STACK)
        p = stack;
    if (place->memory == LAB2_AT_GLOBAL)
        p = global;
    if (place->memory == LAB2_AT_LITERAL)
        p = (char *)(uintptr_t)literal;
    if (get(&p, place)) {
        const char *first = (const char *)((uintptr_t)p + (uintptr_t)place->offset);
        const size_t n = place->n;

        answer = 0;
        if (question)
            UM_STUDENT(answer = question(first, n), UM_BACK(&answer, sizeof answer));
    }
    give_back(p, place);
    if (answer == LAB2_NOT_SET_UP)
        (void)cudaGetLastError();
    return answer;
}

/* @return the error that is left at the end */
static int64_t ask_all(const struct um_request *request, question *question)
{
    const struct lab2_place *place = request->in;
    int32_t *answer = request->out;

    um_student_sees_no_inputs(); /* they say what the places are */
    if (request->number[0] != 0)
        (void)cudaMalloc(NULL, 16); /* cudaErrorInvalidValue */
    for (size_t i = 0; i < request->in_bytes / sizeof *place; i++) {
        answer[i] = ask(&place[i], question);
    }
    return cudaGetLastError();
}

static int32_t of_classify(const char *p, size_t n)
{
    (void)n;
    return (int32_t)student.classify(p);
}

static int32_t of_host_may_read(const char *p, size_t n)
{
    return student.host_may_read(p, n);
}

static int64_t call_classify(const struct um_request *request)
{
    return ask_all(request, of_classify);
}

static int64_t call_host_may_read(const struct um_request *request)
{
    return ask_all(request, of_host_may_read);
}

/* What the places cost by themselves. */
static int64_t call_nobody(const struct um_request *request)
{
    return ask_all(request, NULL);
}

UM_CALLS({"classify", call_classify}, {"host_may_read", call_host_may_read}, {"nobody", call_nobody});
