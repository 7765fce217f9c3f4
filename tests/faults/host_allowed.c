/**
 * @file host_allowed.c
 * @brief The other side of the lesson: pinned, mapped, write-combined, registered and managed memory do not
 * fault.
 *
 * For each kind, on one address: the host writes, a kernel adds, the host reads. No fault reaches the program
 * (for managed memory the pages move, and nobody notices).
 */
#include "child.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "kernels.h"
#include "um_check.h"
#include "um_fault.h"
#include "um_test.h"

#define BYTES ((size_t)1 << 20)
/** An int somewhere inside, not at the start of a page. */
#define INTERIOR 54321
#define VALUE 7

enum kind { PINNED, MAPPED, WRITE_COMBINED, REGISTERED, MANAGED, MANAGED_ON_DEVICE, KINDS };

/** What came of one kind of memory. */
struct allowed {
    bool read, write, read_after; /**< by the host, before and after the kernel */
    int after;
    cudaError_t kernel, synchronize;
};

static int *allocate(enum kind kind)
{
    int *p = NULL;

    switch (kind) {
    case PINNED:
        CHILD_NEED(cudaMallocHost((void **)&p, BYTES));
        break;
    case MAPPED:
        CHILD_NEED(cudaHostAlloc((void **)&p, BYTES, cudaHostAllocMapped));
        break;
    case WRITE_COMBINED:
        CHILD_NEED(cudaHostAlloc((void **)&p, BYTES, cudaHostAllocMapped | cudaHostAllocWriteCombined));
        break;
    case REGISTERED:
        p = aligned_alloc(4096, BYTES);
        CHILD_ASSERT(p);
        CHILD_NEED(cudaHostRegister(p, BYTES, cudaHostRegisterMapped));
        break;
    default:
        CHILD_NEED(cudaMallocManaged((void **)&p, BYTES, cudaMemAttachGlobal));
    }
    return p;
}

static int *device_view(enum kind kind, int *p)
{
    int *d_p = p;

    if (kind == PINNED || kind == MAPPED || kind == WRITE_COMBINED || kind == REGISTERED)
        CHILD_NEED(cudaHostGetDevicePointer((void **)&d_p, p, 0));
    return d_p;
}

static void try_kind(enum kind kind, struct allowed *seen)
{
    int *p = allocate(kind), *d_p = device_view(kind, p);

    if (kind == MANAGED_ON_DEVICE) {
        /* The device has touched it first: the host's first access has to bring it over. */
        CHILD_NEED(cudaMemset(d_p, 0, BYTES));
        CHILD_NEED(cudaDeviceSynchronize());
    }
    seen->read = um_probe_read(&p[INTERIOR], NULL);
    seen->write = um_probe_write(&p[INTERIOR], NULL);
    p[INTERIOR] = VALUE;
    seen->kernel = um_add_one(&d_p[INTERIOR], 1, 0);
    seen->synchronize = cudaDeviceSynchronize();
    seen->read_after = um_probe_read(&p[INTERIOR], NULL);
    seen->after = p[INTERIOR];
}

static void try_all(void *area)
{
    const struct device_facts facts = *device_facts(); /* asked before the fork */
    struct allowed *seen = area;

    try_kind(PINNED, &seen[PINNED]);
    if (facts.can_map_host)
        try_kind(MAPPED, &seen[MAPPED]);
    if (facts.can_map_host)
        try_kind(WRITE_COMBINED, &seen[WRITE_COMBINED]);
    if (facts.host_register)
        try_kind(REGISTERED, &seen[REGISTERED]);
    if (facts.managed)
        try_kind(MANAGED, &seen[MANAGED]);
    if (facts.managed)
        try_kind(MANAGED_ON_DEVICE, &seen[MANAGED_ON_DEVICE]);
}

static void should_be_allowed(enum kind kind, int device_can)
{
    static struct allowed seen[KINDS];
    static struct child child;
    static bool ran;

    (void)device_facts();
    if (!ran)
        child_run(try_all, seen, sizeof seen, &child);
    ran = true;
    if (!child_ended_well(&child))
        return;
    if (!device_can)
        UM_SKIP("this device's attributes say that it has no such memory");
    CU_ASSERT_TRUE(seen[kind].read);
    CU_ASSERT_TRUE(seen[kind].write);
    UM_EQUAL(seen[kind].kernel, cudaSuccess);
    UM_EQUAL(seen[kind].synchronize, cudaSuccess);
    CU_ASSERT_TRUE(seen[kind].read_after);
    UM_EQUAL(seen[kind].after, VALUE + 1);
}

/** Larger than anything that a process maps for itself in passing. */
#define LATE_BYTES ((size_t)64 << 20)
#define PAGE 4096

/* Memory that the host mapped when CUDA had long been started, registered: every page of it is the same to
 * both. */
static void register_late(void *area)
{
    const size_t floats = LATE_BYTES / sizeof(float), stride = PAGE / sizeof(float);
    size_t *wrong = area;
    float *h_x, *d_x = NULL;

    CHILD_NEED(cudaFree(NULL));
    h_x = mmap(NULL, LATE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHILD_ASSERT(h_x != MAP_FAILED);
    CHILD_NEED(cudaHostRegister(h_x, LATE_BYTES, cudaHostRegisterMapped));
    CHILD_NEED(cudaHostGetDevicePointer((void **)&d_x, h_x, 0));
    for (size_t i = 0; i < floats; i += stride) {
        h_x[i] = VALUE;
    }
    CHILD_NEED(um_strided_touch(d_x, floats, stride, 0));
    CHILD_NEED(cudaDeviceSynchronize());
    *wrong = 0;
    for (size_t i = 0; i < floats; i += stride) {
        *wrong += h_x[i] != VALUE + 1;
    }
    CHILD_NEED(cudaHostUnregister(h_x));
    *wrong += h_x[0] != VALUE + 1;
}

static void registered_memory_that_was_mapped_after_CUDAs_start_every_page(void)
{
    size_t wrong = 1;
    static struct child child;

    if (!device_facts()->host_register)
        UM_SKIP("hostRegisterSupported is 0 on this device");
    child_run(register_late, &wrong, sizeof wrong, &child);
    if (child_ended_well(&child))
        UM_EQUAL(wrong, 0);
}

static void pinned_memory_host_and_kernel_use_the_same_address(void)
{
    should_be_allowed(PINNED, 1);
}

static void mapped_memory_host_and_kernel_use_the_same_bytes(void)
{
    should_be_allowed(MAPPED, device_facts()->can_map_host);
}

static void write_combined_memory_host_and_kernel_use_the_same_bytes(void)
{
    should_be_allowed(WRITE_COMBINED, device_facts()->can_map_host);
}

static void registered_memory_host_and_kernel_use_the_same_bytes(void)
{
    should_be_allowed(REGISTERED, device_facts()->host_register);
}

static void managed_memory_host_and_kernel_use_the_same_address(void)
{
    should_be_allowed(MANAGED, device_facts()->managed);
}

static void managed_memory_that_the_device_touched_first_opens_to_the_host(void)
{
    should_be_allowed(MANAGED_ON_DEVICE, device_facts()->managed);
}

UM_TESTS("host allowed",
         {"pinned memory: host and kernel use the same address",
          pinned_memory_host_and_kernel_use_the_same_address},
         {"mapped memory: host and kernel use the same bytes",
          mapped_memory_host_and_kernel_use_the_same_bytes},
         {"write-combined memory: host and kernel use the same bytes",
          write_combined_memory_host_and_kernel_use_the_same_bytes},
         {"registered memory: host and kernel use the same bytes",
          registered_memory_host_and_kernel_use_the_same_bytes},
         {"registered memory that was mapped after CUDA's start: every page",
          registered_memory_that_was_mapped_after_CUDAs_start_every_page},
         {"managed memory: host and kernel use the same address",
          managed_memory_host_and_kernel_use_the_same_address},
         {"managed memory that the device touched first opens to the host",
          managed_memory_that_the_device_touched_first_opens_to_the_host});
