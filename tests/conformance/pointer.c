/**
 * @file pointer.c
 * @brief cudaPointerGetAttributes: every kind of pointer.
 */
#include <stdlib.h>
#include <string.h>

#include "behaviour.h"
#include "launchers.h"
#include "um_test.h"

/** How a pointer in an answer relates to the one asked about: answers carry no addresses. */
static const char *which(const void *answer, const void *asked)
{
    if (!answer)
        return !asked ? "NULL (as asked)" : "NULL";
    return answer == asked ? "the pointer" : "another";
}

/* One answer for the whole structure. */
static void attributes_of(const char *name, const void *p)
{
    struct cudaPointerAttributes a;
    cudaError_t error;

    memset(&a, 0x5a, sizeof a);
    error = cudaPointerGetAttributes(&a, p);
    UM_BEHAVIOUR(name, "%s: type %d, device %d, devicePointer %s, hostPointer %s", cudaGetErrorName(error),
                 (int)a.type, a.device, which(a.devicePointer, p), which(a.hostPointer, p));
}

static void memory_that_CUDA_does_not_know_is_told_as_such(void)
{
    int on_stack = 0, *own = calloc(1, 4096);

    attributes_of("cudaPointerGetAttributes: malloc'd", own);
    attributes_of("cudaPointerGetAttributes: stack", &on_stack);
    attributes_of("cudaPointerGetAttributes: NULL", NULL);
    attributes_of("cudaPointerGetAttributes: function", (const void *)(size_t)attributes_of);
    free(own);
}

static void device_memory_is_told_as_such(void)
{
    char *d_x = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&d_x, 4096), cudaSuccess);
    attributes_of("cudaPointerGetAttributes: cudaMalloc'd", d_x);
    attributes_of("cudaPointerGetAttributes: cudaMalloc'd, interior", d_x + 100);
    attributes_of("cudaPointerGetAttributes: cudaMalloc'd, last byte", d_x + 4095);
    CU_ASSERT_EQUAL(cudaFree(d_x), cudaSuccess);
}

/* A whole chunk, and nothing near it: hardware gives its addresses back. */
static void freed_device_memory_is_not_known_any_more(void)
{
    const size_t bytes = (size_t)64 << 20;
    char *d_x = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&d_x, bytes), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFree(d_x), cudaSuccess);
    attributes_of("cudaPointerGetAttributes: cudaMalloc'd and freed", d_x);
}

static void pinned_memory_is_told_as_such(void)
{
    char *plain = NULL, *mapped = NULL, *combined = NULL, *portable = NULL;

    CU_ASSERT_EQUAL(cudaMallocHost((void **)&plain, 4096), cudaSuccess);
    CU_ASSERT_EQUAL(cudaHostAlloc((void **)&mapped, 4096, cudaHostAllocMapped), cudaSuccess);
    CU_ASSERT_EQUAL(cudaHostAlloc((void **)&combined, 4096, cudaHostAllocWriteCombined), cudaSuccess);
    CU_ASSERT_EQUAL(cudaHostAlloc((void **)&portable, 4096, cudaHostAllocPortable), cudaSuccess);
    attributes_of("cudaPointerGetAttributes: cudaMallocHost'ed", plain);
    attributes_of("cudaPointerGetAttributes: cudaMallocHost'ed, interior", plain + 100);
    attributes_of("cudaPointerGetAttributes: cudaHostAlloc(Mapped)", mapped);
    attributes_of("cudaPointerGetAttributes: cudaHostAlloc(WriteCombined)", combined);
    attributes_of("cudaPointerGetAttributes: cudaHostAlloc(Portable)", portable);
    CU_ASSERT_EQUAL(cudaFreeHost(plain), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFreeHost(mapped), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFreeHost(combined), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFreeHost(portable), cudaSuccess);
}

static void freed_pinned_memory_is_not_known_any_more(void)
{
    char *x = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaMallocHost((void **)&x, (size_t)64 << 20), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFreeHost(x), cudaSuccess);
    attributes_of("cudaPointerGetAttributes: cudaMallocHost'ed and freed", x);
}

static void registered_memory_is_told_as_such(void)
{
    char *own = aligned_alloc(4096, 16384);

    CU_ASSERT_EQUAL_FATAL(cudaHostRegister(own, 16384, cudaHostRegisterDefault), cudaSuccess);
    attributes_of("cudaPointerGetAttributes: registered", own);
    attributes_of("cudaPointerGetAttributes: registered, interior", own + 100);
    CU_ASSERT_EQUAL(cudaHostUnregister(own), cudaSuccess);
    attributes_of("cudaPointerGetAttributes: unregistered again", own);
    free(own);
}

static void managed_memory_is_told_as_such(void)
{
    char *x = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaMallocManaged((void **)&x, 65536, cudaMemAttachGlobal), cudaSuccess);
    attributes_of("cudaPointerGetAttributes: managed", x);
    attributes_of("cudaPointerGetAttributes: managed, interior", x + 100);
    CU_ASSERT_EQUAL(cudaFree(x), cudaSuccess);
}

static void device_variables_are_told_as_such(void)
{
    void *device_variable = NULL, *constant_variable = NULL;

    CU_ASSERT_EQUAL(cudaGetSymbolAddress(&device_variable, conf_device_symbol()), cudaSuccess);
    CU_ASSERT_EQUAL(cudaGetSymbolAddress(&constant_variable, conf_constant_symbol()), cudaSuccess);
    attributes_of("cudaPointerGetAttributes: __device__ variable", device_variable);
    attributes_of("cudaPointerGetAttributes: __constant__ variable", constant_variable);
    attributes_of("cudaPointerGetAttributes: __managed__ variable", conf_managed_variable());
}

static void a_question_without_a_place_for_the_answer_is_refused(void)
{
    UM_RETURNS("cudaPointerGetAttributes(NULL, ...)", cudaPointerGetAttributes(NULL, NULL));
    (void)cudaGetLastError();
}

UM_TESTS("cudaPointerGetAttributes",
         {"memory that CUDA does not know is told as such", memory_that_CUDA_does_not_know_is_told_as_such},
         {"device memory is told as such", device_memory_is_told_as_such},
         {"freed device memory is not known any more", freed_device_memory_is_not_known_any_more},
         {"pinned memory is told as such", pinned_memory_is_told_as_such},
         {"freed pinned memory is not known any more", freed_pinned_memory_is_not_known_any_more},
         {"registered memory is told as such", registered_memory_is_told_as_such},
         {"managed memory is told as such", managed_memory_is_told_as_such},
         {"device variables are told as such", device_variables_are_told_as_such},
         {"a question without a place for the answer is refused",
          a_question_without_a_place_for_the_answer_is_refused});
