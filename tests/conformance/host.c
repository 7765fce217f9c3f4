/**
 * @file host.c
 * @brief Pinned and registered host memory: flags, addresses, registering twice, unaligned, overlapping.
 */
#include <stdlib.h>

#include "behaviour.h"
#include "um_test.h"

static void after(void)
{
    (void)cudaGetLastError();
}

static char *pages(size_t bytes)
{
    char *own = aligned_alloc(4096, bytes);

    CU_ASSERT_PTR_NOT_NULL_FATAL(own);
    return own;
}

static void registering_pinned_memory_is_refused(void)
{
    char *pinned = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaMallocHost((void **)&pinned, 8192), cudaSuccess);
    UM_RETURNS("cudaHostRegister: pinned memory", cudaHostRegister(pinned, 8192, cudaHostRegisterDefault));
    after();
    CU_ASSERT_EQUAL(cudaFreeHost(pinned), cudaSuccess);
}

static void an_unaligned_range_can_be_registered_and_none_that_overlaps_it(void)
{
    char *own = pages(65536);

    UM_RETURNS("cudaHostRegister: unaligned address",
               cudaHostRegister(own + 100, 10000, cudaHostRegisterDefault));
    UM_RETURNS("cudaHostRegister: overlapping a registration",
               cudaHostRegister(own + 5000, 20000, cudaHostRegisterDefault));
    UM_RETURNS("cudaHostRegister: the same again",
               cudaHostRegister(own + 100, 10000, cudaHostRegisterDefault));
    UM_RETURNS("cudaHostUnregister: unaligned address", cudaHostUnregister(own + 100));
    UM_RETURNS("cudaHostUnregister: second time", cudaHostUnregister(own + 100));
    after();
    free(own);
}

/* Different bytes, one page. */
static void other_bytes_of_a_registered_page_can_be_registered(void)
{
    char *own = pages(65536);

    CU_ASSERT_EQUAL(cudaHostRegister(own, 100, cudaHostRegisterDefault), cudaSuccess);
    UM_RETURNS("cudaHostRegister: other bytes of a registered page",
               cudaHostRegister(own + 200, 100, cudaHostRegisterDefault));
    (void)cudaHostUnregister(own + 200);
    after();
    CU_ASSERT_EQUAL(cudaHostUnregister(own), cudaSuccess);
    free(own);
}

static void unregistering_what_was_not_registered_is_refused(void)
{
    char *d_x = NULL, *own = pages(8192), *pinned = NULL;

    CU_ASSERT_EQUAL(cudaMalloc((void **)&d_x, 4096), cudaSuccess);
    CU_ASSERT_EQUAL(cudaMallocHost((void **)&pinned, 4096), cudaSuccess);
    UM_RETURNS("cudaHostUnregister: device pointer", cudaHostUnregister(d_x));
    UM_RETURNS("cudaHostUnregister: malloc'd, never registered", cudaHostUnregister(own));
    UM_RETURNS("cudaHostUnregister: cudaMallocHost'ed", cudaHostUnregister(pinned));
    UM_RETURNS("cudaHostUnregister(NULL)", cudaHostUnregister(NULL));
    after();
    CU_ASSERT_EQUAL(cudaFree(d_x), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFreeHost(pinned), cudaSuccess);
    free(own);
}

static void unregistering_by_an_interior_pointer_is_refused(void)
{
    char *own = pages(16384);

    CU_ASSERT_EQUAL_FATAL(cudaHostRegister(own, 16384, cudaHostRegisterDefault), cudaSuccess);
    UM_RETURNS("cudaHostUnregister: interior pointer", cudaHostUnregister(own + 4096));
    (void)cudaHostUnregister(own);
    after();
    free(own);
}

static void some_memory_can_be_registered_and_some_cannot(void)
{
    char *own = pages(8192), *d_x = NULL, *managed = NULL;

    CU_ASSERT_EQUAL(cudaMalloc((void **)&d_x, 4096), cudaSuccess);
    CU_ASSERT_EQUAL(cudaMallocManaged((void **)&managed, 4096, cudaMemAttachGlobal), cudaSuccess);
    UM_RETURNS("cudaHostRegister(NULL, ...)", cudaHostRegister(NULL, 4096, cudaHostRegisterDefault));
    UM_RETURNS("cudaHostRegister: 0 bytes", cudaHostRegister(own, 0, cudaHostRegisterDefault));
    UM_RETURNS("cudaHostRegister: flags 0x100", cudaHostRegister(own, 8192, 0x100));
    UM_RETURNS("cudaHostRegister: device pointer", cudaHostRegister(d_x, 4096, cudaHostRegisterDefault));
    UM_RETURNS("cudaHostRegister: managed pointer", cudaHostRegister(managed, 4096, cudaHostRegisterDefault));
    after();
    CU_ASSERT_EQUAL(cudaFree(d_x), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFree(managed), cudaSuccess);
    free(own);
}

static void cudaFreeHost_of_registered_memory_is_refused(void)
{
    char *own = pages(8192);

    CU_ASSERT_EQUAL_FATAL(cudaHostRegister(own, 8192, cudaHostRegisterDefault), cudaSuccess);
    UM_RETURNS("cudaFreeHost: registered memory", cudaFreeHost(own));
    after();
    UM_RETURNS("cudaHostUnregister: after cudaFreeHost refused it", cudaHostUnregister(own));
    after();
    free(own);
}

static void kernels_have_addresses_of_pinned_memory(void)
{
    char *pinned = NULL, *own = pages(8192), *d_x = NULL, *mapped = NULL;

    CU_ASSERT_EQUAL(cudaMallocHost((void **)&pinned, 4096), cudaSuccess);
    CU_ASSERT_EQUAL(cudaMalloc((void **)&d_x, 4096), cudaSuccess);
    UM_RETURNS("cudaHostGetDevicePointer: cudaMallocHost'ed",
               cudaHostGetDevicePointer((void **)&mapped, pinned, 0));
    UM_BEHAVIOUR("cudaHostGetDevicePointer: cudaMallocHost'ed: the same address", "%d", mapped == pinned);
    UM_RETURNS("cudaHostGetDevicePointer: interior pointer",
               cudaHostGetDevicePointer((void **)&mapped, pinned + 100, 0));
    UM_BEHAVIOUR("cudaHostGetDevicePointer: interior pointer: the same address", "%d",
                 mapped == pinned + 100);
    UM_RETURNS("cudaHostGetDevicePointer: malloc'd", cudaHostGetDevicePointer((void **)&mapped, own, 0));
    UM_RETURNS("cudaHostGetDevicePointer: device pointer",
               cudaHostGetDevicePointer((void **)&mapped, d_x, 0));
    UM_RETURNS("cudaHostGetDevicePointer: flags 1", cudaHostGetDevicePointer((void **)&mapped, pinned, 1));
    UM_RETURNS("cudaHostGetDevicePointer(NULL, ...)", cudaHostGetDevicePointer(NULL, pinned, 0));
    after();
    CU_ASSERT_EQUAL(cudaFreeHost(pinned), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFree(d_x), cudaSuccess);
    free(own);
}

static void flags_of(const char *name, void *p)
{
    unsigned flags = 0;
    cudaError_t error = cudaHostGetFlags(&flags, p);

    UM_BEHAVIOUR(name, "%s: %#x", cudaGetErrorName(error), flags);
    after();
}

static void flags_of_pinned_memory_are_told(void)
{
    static const struct {
        const char *name;
        unsigned flags;
    } kinds[] = {{"cudaHostGetFlags: cudaHostAlloc(Default)", cudaHostAllocDefault},
                 {"cudaHostGetFlags: cudaHostAlloc(Portable)", cudaHostAllocPortable},
                 {"cudaHostGetFlags: cudaHostAlloc(Mapped)", cudaHostAllocMapped},
                 {"cudaHostGetFlags: cudaHostAlloc(WriteCombined)", cudaHostAllocWriteCombined}};
    void *p = NULL;

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        CU_ASSERT_EQUAL_FATAL(cudaHostAlloc(&p, 4096, kinds[i].flags), cudaSuccess);
        flags_of(kinds[i].name, p);
        CU_ASSERT_EQUAL(cudaFreeHost(p), cudaSuccess);
    }
    CU_ASSERT_EQUAL_FATAL(cudaMallocHost(&p, 4096), cudaSuccess);
    flags_of("cudaHostGetFlags: cudaMallocHost'ed", p);
    flags_of("cudaHostGetFlags: cudaMallocHost'ed, interior", (char *)p + 64);
    UM_RETURNS("cudaHostGetFlags(NULL, ...)", cudaHostGetFlags(NULL, p));
    after();
    CU_ASSERT_EQUAL(cudaFreeHost(p), cudaSuccess);
}

static void other_memory_has_no_flags(void)
{
    char *own = pages(8192), *d_x = NULL;

    CU_ASSERT_EQUAL(cudaMalloc((void **)&d_x, 4096), cudaSuccess);
    UM_RETURNS("cudaHostGetFlags: malloc'd", cudaHostGetFlags(&(unsigned){0}, own));
    UM_RETURNS("cudaHostGetFlags: device pointer", cudaHostGetFlags(&(unsigned){0}, d_x));
    after();
    CU_ASSERT_EQUAL(cudaHostRegister(own, 8192, cudaHostRegisterDefault), cudaSuccess);
    flags_of("cudaHostGetFlags: cudaHostRegister(Default)", own);
    CU_ASSERT_EQUAL(cudaHostUnregister(own), cudaSuccess);
    CU_ASSERT_EQUAL(cudaHostRegister(own, 8192, cudaHostRegisterPortable | cudaHostRegisterMapped),
                    cudaSuccess);
    flags_of("cudaHostGetFlags: cudaHostRegister(Portable | Mapped)", own);
    CU_ASSERT_EQUAL(cudaHostUnregister(own), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFree(d_x), cudaSuccess);
    free(own);
}

static void flags_that_there_are_not_are_refused(void)
{
    void *p = NULL;

    UM_RETURNS("cudaHostAlloc: flags 0x8", cudaHostAlloc(&p, 4096, 0x8));
    UM_RETURNS("cudaHostAlloc: flags 0x100", cudaHostAlloc(&p, 4096, 0x100));
    after();
}

static void registering_changes_no_byte(void)
{
    enum { N = 8192 };
    char *own = pages(N);
    long wrong = 0;

    for (int i = 0; i < N; i++)
        own[i] = (char)(i * 7);
    CU_ASSERT_EQUAL(cudaHostRegister(own, N, cudaHostRegisterDefault), cudaSuccess);
    for (int i = 0; i < N; i++)
        wrong += own[i] != (char)(i * 7);
    UM_BEHAVIOUR("cudaHostRegister: bytes that changed", "%ld", wrong);
    CU_ASSERT_EQUAL(cudaHostUnregister(own), cudaSuccess);
    for (int i = 0; i < N; i++)
        wrong += own[i] != (char)(i * 7);
    UM_BEHAVIOUR("cudaHostUnregister: bytes that changed", "%ld", wrong);
    free(own);
}

UM_TESTS("pinned memory", {"registering pinned memory is refused", registering_pinned_memory_is_refused},
         {"an unaligned range can be registered, and none that overlaps it",
          an_unaligned_range_can_be_registered_and_none_that_overlaps_it},
         {"other bytes of a registered page can be registered",
          other_bytes_of_a_registered_page_can_be_registered},
         {"unregistering what was not registered is refused",
          unregistering_what_was_not_registered_is_refused},
         {"unregistering by an interior pointer is refused", unregistering_by_an_interior_pointer_is_refused},
         {"some memory can be registered, and some cannot", some_memory_can_be_registered_and_some_cannot},
         {"cudaFreeHost of registered memory is refused", cudaFreeHost_of_registered_memory_is_refused},
         {"kernels have addresses of pinned memory", kernels_have_addresses_of_pinned_memory},
         {"flags of pinned memory are told", flags_of_pinned_memory_are_told},
         {"other memory has no flags", other_memory_has_no_flags},
         {"flags that there are not are refused", flags_that_there_are_not_are_refused},
         {"registering changes no byte", registering_changes_no_byte});
