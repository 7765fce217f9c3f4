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

/* in: struct lab0_caps, one after another. out: an unsigned for each. */
static int64_t call_allowed_kinds(const struct um_request *request)
{
    const struct lab0_caps *caps = request->in;
    unsigned *kinds = request->out;

    for (size_t i = 0; i < request->in_bytes / sizeof *caps; i++) {
        kinds[i] = student.allowed_kinds(&caps[i]);
    }
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

    (void)request;
    return student.allowed_kinds(&here);
}

UM_CALLS({"allowed_kinds", call_allowed_kinds}, {"allowed_kinds_here", call_allowed_kinds_here});
