/**
 * @file memory.c
 * @brief Allocating and freeing: sizes, NULLs, foreign pointers, and what is free afterwards.
 */
#include <stdint.h>
#include <stdlib.h>

#include "behaviour.h"
#include "um_test.h"

#define MIB ((size_t)1 << 20)

static void after(void)
{
    (void)cudaGetLastError(); /* a refused call leaves its error behind */
}

static void cudaFree_of_a_stack_address_is_refused(void)
{
    int on_stack;

    UM_RETURNS("cudaFree: stack address", cudaFree(&on_stack));
    after();
}

static void cudaFree_of_mallocd_memory_is_refused(void)
{
    int *own = malloc(64);

    UM_RETURNS("cudaFree: malloc'd", cudaFree(own));
    after();
    free(own);
}

static void cudaFree_a_second_time_is_refused(void)
{
    int *d_x = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&d_x, 4096), cudaSuccess);
    UM_RETURNS("cudaFree: first time", cudaFree(d_x));
    UM_RETURNS("cudaFree: second time", cudaFree(d_x));
    after();
}

static void cudaFree_of_a_pinned_pointer_is_refused(void)
{
    int *pinned = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaMallocHost((void **)&pinned, 4096), cudaSuccess);
    UM_RETURNS("cudaFree: pinned pointer", cudaFree(pinned));
    after();
    UM_RETURNS("cudaFreeHost: after cudaFree refused it", cudaFreeHost(pinned));
    after();
}

static void cudaFree_of_an_interior_pointer_is_refused(void)
{
    char *d_x = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaMalloc((void **)&d_x, 4096), cudaSuccess);
    UM_RETURNS("cudaFree: interior pointer", cudaFree(d_x + 256));
    after();
    UM_RETURNS("cudaFree: after an interior pointer was refused", cudaFree(d_x));
    after();
}

static void freeing_NULL_does_nothing(void)
{
    UM_RETURNS("cudaFree(NULL)", cudaFree(NULL));
    UM_RETURNS("cudaFreeHost(NULL)", cudaFreeHost(NULL));
}

static void zero_bytes_give_a_NULL_pointer(void)
{
    void *p = &p;

    UM_RETURNS("cudaMalloc(&p, 0)", cudaMalloc(&p, 0));
    UM_BEHAVIOUR("cudaMalloc(&p, 0): p", "%s", !p ? "NULL" : "not NULL");
    p = &p;
    UM_RETURNS("cudaMallocManaged(&p, 0)", cudaMallocManaged(&p, 0, cudaMemAttachGlobal));
    UM_BEHAVIOUR("cudaMallocManaged(&p, 0): p", "%s", !p ? "NULL" : "not NULL");
    after();
    p = &p;
    UM_RETURNS("cudaMallocHost(&p, 0)", cudaMallocHost(&p, 0));
    UM_BEHAVIOUR("cudaMallocHost(&p, 0): p", "%s",
                 !p                ? "NULL"
                 : p == (void *)&p ? "as before"
                                   : "an address");
    after();
}

static void NULL_as_the_place_for_the_pointer_is_refused(void)
{
    UM_RETURNS("cudaMalloc(NULL, 16)", cudaMalloc(NULL, 16));
    UM_RETURNS("cudaMallocHost(NULL, 16)", cudaMallocHost(NULL, 16));
    UM_RETURNS("cudaHostAlloc(NULL, 16)", cudaHostAlloc(NULL, 16, cudaHostAllocDefault));
    UM_RETURNS("cudaMallocManaged(NULL, 16)", cudaMallocManaged(NULL, 16, cudaMemAttachGlobal));
    after();
}

static void more_than_there_is_cannot_be_had(void)
{
    void *p = &p;

    UM_RETURNS("cudaMalloc: 2^50 bytes", cudaMalloc(&p, (size_t)1 << 50));
    UM_BEHAVIOUR("cudaMalloc: 2^50 bytes: p", "%s",
                 !p                ? "NULL"
                 : p == (void *)&p ? "as before"
                                   : "an address");
    UM_RETURNS("cudaMalloc: 2^50 bytes: cudaGetLastError", cudaGetLastError());
    UM_RETURNS("cudaMalloc: 2^50 bytes: cudaGetLastError again", cudaGetLastError());
    UM_RETURNS("cudaMalloc: SIZE_MAX bytes", cudaMalloc(&p, SIZE_MAX));
    after();
    UM_RETURNS("cudaMalloc: 4096 bytes, after a refusal", cudaMalloc(&p, 4096));
    CU_ASSERT_EQUAL(cudaFree(p), cudaSuccess);
}

static void cudaFreeHost_of_what_it_did_not_allocate_is_refused(void)
{
    int *own = malloc(64), *d_x = NULL, *managed = NULL;

    CU_ASSERT_EQUAL(cudaMalloc((void **)&d_x, 4096), cudaSuccess);
    CU_ASSERT_EQUAL(cudaMallocManaged((void **)&managed, 4096, cudaMemAttachGlobal), cudaSuccess);
    UM_RETURNS("cudaFreeHost: malloc'd", cudaFreeHost(own));
    UM_RETURNS("cudaFreeHost: device pointer", cudaFreeHost(d_x));
    UM_RETURNS("cudaFreeHost: managed pointer", cudaFreeHost(managed));
    after();
    CU_ASSERT_EQUAL(cudaFree(d_x), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFree(managed), cudaSuccess);
    free(own);
}

static void cudaFreeHost_of_an_interior_pointer_is_refused_and_a_second(void)
{
    char *pinned = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaMallocHost((void **)&pinned, 8192), cudaSuccess);
    UM_RETURNS("cudaFreeHost: interior pointer", cudaFreeHost(pinned + 4096));
    after();
    UM_RETURNS("cudaFreeHost: first time", cudaFreeHost(pinned));
    UM_RETURNS("cudaFreeHost: second time", cudaFreeHost(pinned));
    after();
}

static void device_memory_is_aligned(void)
{
    void *a = NULL, *b = NULL;

    CU_ASSERT_EQUAL(cudaMalloc(&a, 1), cudaSuccess);
    CU_ASSERT_EQUAL(cudaMalloc(&b, 1), cudaSuccess);
    UM_BEHAVIOUR("cudaMalloc: 1 byte, twice: both at a multiple of 256", "%d",
                 (uintptr_t)a % 256 == 0 && (uintptr_t)b % 256 == 0);
    UM_BEHAVIOUR("cudaMalloc: 1 byte, twice: different addresses", "%d", a != b);
    CU_ASSERT_EQUAL(cudaFree(a), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFree(b), cudaSuccess);
}

static void pitched_memory_has_rows_at_a_pitch(void)
{
    void *p = NULL;
    size_t pitch = 0;

    UM_RETURNS("cudaMallocPitch: 100 x 10", cudaMallocPitch(&p, &pitch, 100, 10));
    UM_BEHAVIOUR("cudaMallocPitch: 100 bytes wide: pitch", "%zu", pitch);
    CU_ASSERT_EQUAL(cudaFree(p), cudaSuccess);
    UM_RETURNS("cudaMallocPitch: 513 x 10", cudaMallocPitch(&p, &pitch, 513, 10));
    UM_BEHAVIOUR("cudaMallocPitch: 513 bytes wide: pitch", "%zu", pitch);
    CU_ASSERT_EQUAL(cudaFree(p), cudaSuccess);
    UM_RETURNS("cudaMallocPitch(NULL, ...)", cudaMallocPitch(NULL, &pitch, 100, 10));
    UM_RETURNS("cudaMallocPitch(..., NULL, ...)", cudaMallocPitch(&p, NULL, 100, 10));
    after();
}

/* Large enough for chunks of its own; other programs on the same device could disturb this. */
static void free_and_total_memory_are_told(void)
{
    size_t before = 0, during = 0, afterwards = 0, total = 0;
    void *p = NULL;

    UM_RETURNS("cudaMemGetInfo", cudaMemGetInfo(&before, &total));
    CU_ASSERT_EQUAL_FATAL(cudaMalloc(&p, 64 * MIB), cudaSuccess);
    CU_ASSERT_EQUAL(cudaMemGetInfo(&during, &total), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFree(p), cudaSuccess);
    CU_ASSERT_EQUAL(cudaMemGetInfo(&afterwards, &total), cudaSuccess);
    UM_BEHAVIOUR("cudaMemGetInfo: free is not more than total", "%d", before <= total);
    UM_BEHAVIOUR("cudaMemGetInfo: 64 MiB by cudaMalloc take at least 64 MiB", "%d",
                 before >= during + 64 * MIB);
    UM_BEHAVIOUR("cudaMemGetInfo: cudaFree gives at least 64 MiB back", "%d",
                 afterwards >= during + 64 * MIB);
}

static void cudaMemGetInfo_looks_for_a_place_for_its_answer(void)
{
    size_t value = 0;

    UM_RETURNS("cudaMemGetInfo(NULL, &total)", cudaMemGetInfo(NULL, &value));
    UM_RETURNS("cudaMemGetInfo(&free, NULL)", cudaMemGetInfo(&value, NULL));
    after();
}

static void flags_of_managed_memory_are_taken_or_refused(void)
{
    void *p = NULL;

    UM_RETURNS("cudaMallocManaged: flags AttachHost", cudaMallocManaged(&p, 4096, cudaMemAttachHost));
    CU_ASSERT_EQUAL(cudaFree(p), cudaSuccess);
    UM_RETURNS("cudaMallocManaged: flags AttachSingle", cudaMallocManaged(&p, 4096, cudaMemAttachSingle));
    UM_RETURNS("cudaMallocManaged: flags 0", cudaMallocManaged(&p, 4096, 0));
    UM_RETURNS("cudaMallocManaged: flags AttachGlobal and AttachHost",
               cudaMallocManaged(&p, 4096, cudaMemAttachGlobal | cudaMemAttachHost));
    UM_RETURNS("cudaMallocManaged: flags 0x100", cudaMallocManaged(&p, 4096, 0x100));
    after();
}

UM_TESTS("allocation", {"cudaFree of a stack address is refused", cudaFree_of_a_stack_address_is_refused},
         {"cudaFree of malloc'd memory is refused", cudaFree_of_mallocd_memory_is_refused},
         {"cudaFree a second time is refused", cudaFree_a_second_time_is_refused},
         {"cudaFree of a pinned pointer is refused", cudaFree_of_a_pinned_pointer_is_refused},
         {"cudaFree of an interior pointer is refused", cudaFree_of_an_interior_pointer_is_refused},
         {"freeing NULL does nothing", freeing_NULL_does_nothing},
         {"zero bytes give a NULL pointer", zero_bytes_give_a_NULL_pointer},
         {"NULL as the place for the pointer is refused", NULL_as_the_place_for_the_pointer_is_refused},
         {"more than there is cannot be had", more_than_there_is_cannot_be_had},
         {"cudaFreeHost of what it did not allocate is refused",
          cudaFreeHost_of_what_it_did_not_allocate_is_refused},
         {"cudaFreeHost of an interior pointer is refused, and a second time",
          cudaFreeHost_of_an_interior_pointer_is_refused_and_a_second},
         {"device memory is aligned", device_memory_is_aligned},
         {"pitched memory has rows at a pitch", pitched_memory_has_rows_at_a_pitch},
         {"free and total memory are told", free_and_total_memory_are_told},
         {"cudaMemGetInfo looks for a place for its answer", cudaMemGetInfo_looks_for_a_place_for_its_answer},
         {"flags of managed memory are taken or refused", flags_of_managed_memory_are_taken_or_refused});
