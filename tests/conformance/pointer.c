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

static void unknown(void)
{
    int on_stack = 0, *own = calloc(1, 4096);

    attributes_of("cudaPointerGetAttributes: malloc'd", own);
    attributes_of("cudaPointerGetAttributes: stack", &on_stack);
    attributes_of("cudaPointerGetAttributes: NULL", NULL);
    attributes_of("cudaPointerGetAttributes: function", (const void *)(size_t)attributes_of);
    free(own);
}

static void device(void)
{
    char *d_x = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&d_x, 4096), cudaSuccess);
    attributes_of("cudaPointerGetAttributes: cudaMalloc'd", d_x);
    attributes_of("cudaPointerGetAttributes: cudaMalloc'd, interior", d_x + 100);
    attributes_of("cudaPointerGetAttributes: cudaMalloc'd, last byte", d_x + 4095);
    CU_ASSERT_EQUAL(cudaFree(d_x), cudaSuccess);
}

/* A whole chunk, and nothing near it: hardware gives its addresses back. */
static void freed(void)
{
    const size_t bytes = (size_t)64 << 20;
    char *d_x = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&d_x, bytes), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFree(d_x), cudaSuccess);
    attributes_of("cudaPointerGetAttributes: cudaMalloc'd and freed", d_x);
}

static void pinned(void)
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

static void freed_pinned(void)
{
    char *x = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaMallocHost((void **)&x, (size_t)64 << 20), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFreeHost(x), cudaSuccess);
    attributes_of("cudaPointerGetAttributes: cudaMallocHost'ed and freed", x);
}

static void registered(void)
{
    char *own = aligned_alloc(4096, 16384);

    CU_ASSERT_EQUAL_FATAL(cudaHostRegister(own, 16384, cudaHostRegisterDefault), cudaSuccess);
    attributes_of("cudaPointerGetAttributes: registered", own);
    attributes_of("cudaPointerGetAttributes: registered, interior", own + 100);
    CU_ASSERT_EQUAL(cudaHostUnregister(own), cudaSuccess);
    attributes_of("cudaPointerGetAttributes: unregistered again", own);
    free(own);
}

static void managed(void)
{
    char *x = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaMallocManaged((void **)&x, 65536, cudaMemAttachGlobal), cudaSuccess);
    attributes_of("cudaPointerGetAttributes: managed", x);
    attributes_of("cudaPointerGetAttributes: managed, interior", x + 100);
    CU_ASSERT_EQUAL(cudaFree(x), cudaSuccess);
}

static void variables(void)
{
    void *device_variable = NULL, *constant_variable = NULL;

    CU_ASSERT_EQUAL(cudaGetSymbolAddress(&device_variable, conf_device_symbol()), cudaSuccess);
    CU_ASSERT_EQUAL(cudaGetSymbolAddress(&constant_variable, conf_constant_symbol()), cudaSuccess);
    attributes_of("cudaPointerGetAttributes: __device__ variable", device_variable);
    attributes_of("cudaPointerGetAttributes: __constant__ variable", constant_variable);
    attributes_of("cudaPointerGetAttributes: __managed__ variable", conf_managed_variable());
}

static void nowhere_to_put_it(void)
{
    UM_RETURNS("cudaPointerGetAttributes(NULL, ...)", cudaPointerGetAttributes(NULL, NULL));
    (void)cudaGetLastError();
}

UM_TESTS("cudaPointerGetAttributes", {"memory that CUDA does not know", unknown}, {"device memory", device},
         {"freed device memory", freed}, {"pinned memory", pinned}, {"freed pinned memory", freed_pinned},
         {"registered memory", registered}, {"managed memory", managed}, {"device variables", variables},
         {"without a place for the answer", nowhere_to_put_it});
