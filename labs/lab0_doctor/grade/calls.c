/**
 * @file calls.c
 * @brief Lab 0: turns the grader's requests into calls of exercise.c.
 *
 * grade/call_buffer.h says what a request is.
 */
#include <cuda_runtime_api.h>

#include "../exercise.h"
#include "grade/call_buffer.h"

#define UM_STUDENTS(FUNCTION) FUNCTION(allowed_kinds)
#include "grade/student.h"

static void ask_each(unsigned *kinds, const struct lab0_caps *caps, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        kinds[i] = student.allowed_kinds(&caps[i]);
    }
}

/* in: struct lab0_caps, one after another. out: an unsigned for each. */
static int64_t call_allowed_kinds(const struct um_request *request)
{
    UM_STUDENT(ask_each(request->out, request->in, request->in_bytes / sizeof(struct lab0_caps)),
               UM_BACK(request->out, request->out_bytes));
    return 0;
}

static int ask(enum cudaDeviceAttr attribute)
{
    int value = -1;

    return cudaDeviceGetAttribute(&value, attribute, 0) == cudaSuccess ? value : -1;
}

/* The machine that this runs on. */
static int64_t call_allowed_kinds_here(const struct um_request *request)
{
    const struct lab0_caps here = {
        .can_map_host_memory = ask(cudaDevAttrCanMapHostMemory),
        .host_register_supported = ask(cudaDevAttrHostRegisterSupported),
        .registered_at_same_address = ask(cudaDevAttrCanUseHostPointerForRegisteredMem),
        .managed_memory = ask(cudaDevAttrManagedMemory),
        .concurrent_managed_access = ask(cudaDevAttrConcurrentManagedAccess),
        .pageable_memory_access = ask(cudaDevAttrPageableMemoryAccess),
        .memory_pools_supported = ask(cudaDevAttrMemoryPoolsSupported),
    };

    unsigned kinds;

    (void)request;
    UM_STUDENT(kinds = student.allowed_kinds(&here), UM_BACK(&kinds, sizeof kinds));
    return kinds;
}

UM_CALLS({"allowed_kinds", call_allowed_kinds}, {"allowed_kinds_here", call_allowed_kinds_here});
