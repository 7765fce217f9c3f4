/**
 * @file pool.c
 * @brief Stream-ordered allocation: cudaMallocAsync, cudaFreeAsync, memory pools.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "behaviour.h"
#include "launchers.h"
#include "um_test.h"

#define MIB ((size_t)1 << 20)

static void after(void)
{
    (void)cudaGetLastError(); /* a refused call leaves its error behind */
}

static cudaMemPool_t default_pool(void)
{
    cudaMemPool_t pool = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
    return pool;
}

static uint64_t pool_says(cudaMemPool_t pool, enum cudaMemPoolAttr attribute)
{
    uint64_t value = 0;

    CU_ASSERT_EQUAL(cudaMemPoolGetAttribute(pool, attribute, &value), cudaSuccess);
    return value;
}

static struct cudaMemPoolProps device_pool(void)
{
    struct cudaMemPoolProps wanted;

    memset(&wanted, 0, sizeof wanted);
    wanted.allocType = cudaMemAllocationTypePinned;
    wanted.location.type = cudaMemLocationTypeDevice;
    return wanted;
}

static cudaMemPool_t new_pool(void)
{
    const struct cudaMemPoolProps wanted = device_pool();
    cudaMemPool_t pool = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaMemPoolCreate(&pool, &wanted), cudaSuccess);
    return pool;
}

static cudaStream_t new_stream(void)
{
    cudaStream_t stream = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaStreamCreate(&stream), cudaSuccess);
    return stream;
}

static void bytes_get_there_and_back(void)
{
    cudaStream_t stream = new_stream();
    unsigned char *device = NULL, host[1000], back[1000];

    memset(back, 0, sizeof back);
    for (size_t i = 0; i < sizeof host; i++)
        host[i] = (unsigned char)(i * 7);
    UM_RETURNS("cudaMallocAsync", cudaMallocAsync((void **)&device, sizeof host, stream));
    UM_RETURNS("cudaMallocAsync: cudaMemcpyAsync to it",
               cudaMemcpyAsync(device, host, sizeof host, cudaMemcpyHostToDevice, stream));
    UM_RETURNS("cudaMallocAsync: cudaMemcpyAsync from it",
               cudaMemcpyAsync(back, device, sizeof back, cudaMemcpyDeviceToHost, stream));
    UM_RETURNS("cudaFreeAsync", cudaFreeAsync(device, stream));
    UM_RETURNS("cudaFreeAsync: synchronise", cudaStreamSynchronize(stream));
    UM_EQUAL(memcmp(host, back, sizeof host), 0);
    CU_ASSERT_EQUAL(cudaStreamDestroy(stream), cudaSuccess);
}

static void a_kernel_uses_it(void)
{
    cudaStream_t stream = new_stream();
    int *device = NULL, got = 0;

    CU_ASSERT_EQUAL_FATAL(cudaMallocAsync((void **)&device, sizeof *device, stream), cudaSuccess);
    CU_ASSERT_EQUAL(conf_write(device, 42, stream), cudaSuccess);
    CU_ASSERT_EQUAL(cudaMemcpyAsync(&got, device, sizeof got, cudaMemcpyDeviceToHost, stream), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFreeAsync(device, stream), cudaSuccess);
    UM_RETURNS("cudaMallocAsync: a kernel in the same stream: synchronise", cudaStreamSynchronize(stream));
    UM_EQUAL(got, 42);
    CU_ASSERT_EQUAL(cudaStreamDestroy(stream), cudaSuccess);
}

static void mistakes_in_allocating_are_refused(void)
{
    void *p = &p;

    UM_RETURNS("cudaMallocAsync: 0 bytes", cudaMallocAsync(&p, 0, 0));
    UM_BEHAVIOUR("cudaMallocAsync: 0 bytes: p", "%s", !p ? "NULL" : "not NULL");
    UM_RETURNS("cudaMallocAsync: NULL", cudaMallocAsync(NULL, 16, 0));
    UM_RETURNS("cudaMallocAsync: 2^50 bytes", cudaMallocAsync(&p, (size_t)1 << 50, 0));
    UM_RETURNS("cudaMallocFromPoolAsync: no pool", cudaMallocFromPoolAsync(&p, 16, NULL, 0));
    UM_RETURNS("cudaMallocFromPoolAsync: NULL", cudaMallocFromPoolAsync(NULL, 16, default_pool(), 0));
    after();
}

static void mistakes_in_freeing_are_refused(void)
{
    char *p = NULL, *own = malloc(64);
    int on_stack;

    CU_ASSERT_EQUAL_FATAL(cudaMallocAsync((void **)&p, 4096, 0), cudaSuccess);
    UM_RETURNS("cudaFreeAsync: NULL", cudaFreeAsync(NULL, 0));
    UM_RETURNS("cudaFreeAsync: stack address", cudaFreeAsync(&on_stack, 0));
    UM_RETURNS("cudaFreeAsync: malloc'd", cudaFreeAsync(own, 0));
    UM_RETURNS("cudaFreeAsync: interior pointer", cudaFreeAsync(p + 16, 0));
    UM_RETURNS("cudaFreeAsync: first time", cudaFreeAsync(p, 0));
    UM_RETURNS("cudaFreeAsync: second time", cudaFreeAsync(p, 0));
    UM_RETURNS("cudaFree: after cudaFreeAsync", cudaFree(p));
    after();
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    UM_RETURNS("cudaFreeAsync: once it is gone", cudaFreeAsync(p, 0));
    after();
    free(own);
}

static void cudaFree_takes_a_pools_memory_cudaFreeAsync_no_other_kind(void)
{
    void *device = NULL, *pinned = NULL, *managed = NULL, *pool = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaMalloc(&device, 1000), cudaSuccess);
    CU_ASSERT_EQUAL_FATAL(cudaMallocHost(&pinned, 1000), cudaSuccess);
    CU_ASSERT_EQUAL_FATAL(cudaMallocManaged(&managed, 1000, cudaMemAttachGlobal), cudaSuccess);
    CU_ASSERT_EQUAL_FATAL(cudaMallocAsync(&pool, 1000, 0), cudaSuccess);
    UM_RETURNS("cudaFreeAsync: cudaMalloc'd", cudaFreeAsync(device, 0));
    UM_RETURNS("cudaFreeAsync: pinned pointer", cudaFreeAsync(pinned, 0));
    UM_RETURNS("cudaFreeAsync: managed", cudaFreeAsync(managed, 0));
    UM_RETURNS("cudaFree: from cudaMallocAsync", cudaFree(pool));
    after();
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    UM_RETURNS("cudaFree: cudaMalloc'd, after cudaFreeAsync", cudaFree(device));
    after();
    CU_ASSERT_EQUAL(cudaFreeHost(pinned), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFree(managed), cudaSuccess);
}

static void its_pointer_is_a_device_pointer(void)
{
    struct cudaPointerAttributes attributes;
    void *p = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaMallocAsync(&p, 1000, 0), cudaSuccess);
    UM_RETURNS("cudaPointerGetAttributes: cudaMallocAsync'd", cudaPointerGetAttributes(&attributes, p));
    UM_BEHAVIOUR("cudaPointerGetAttributes: cudaMallocAsync'd: answer", "type %d device %d %s, host %s",
                 (int)attributes.type, attributes.device,
                 attributes.devicePointer == p ? "itself" : "another",
                 !attributes.hostPointer ? "NULL" : "not NULL");
    UM_RETURNS("cudaMemset: all of a cudaMallocAsync'd", cudaMemset(p, 1, 1000));
    UM_RETURNS("cudaMemset: past the end of a cudaMallocAsync'd", cudaMemset(p, 1, 1001));
    after();
    CU_ASSERT_EQUAL(cudaFreeAsync(p, 0), cudaSuccess);
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
}

static void used_counts_the_bytes_asked_for(void)
{
    cudaMemPool_t pool = new_pool();
    void *p = NULL, *q = NULL;

    UM_EQUAL(pool_says(pool, cudaMemPoolAttrUsedMemCurrent), 0);
    CU_ASSERT_EQUAL_FATAL(cudaMallocFromPoolAsync(&p, 1000, pool, 0), cudaSuccess);
    CU_ASSERT_EQUAL_FATAL(cudaMallocFromPoolAsync(&q, 1, pool, 0), cudaSuccess);
    UM_BEHAVIOUR("pool: 1000 bytes and 1: used", "%llu",
                 (unsigned long long)pool_says(pool, cudaMemPoolAttrUsedMemCurrent));
    CU_ASSERT_TRUE(pool_says(pool, cudaMemPoolAttrReservedMemCurrent) >= 1001);
    CU_ASSERT_EQUAL(cudaFreeAsync(q, 0), cudaSuccess);
    UM_BEHAVIOUR("pool: 1000 bytes and 1, 1 freed: used", "%llu",
                 (unsigned long long)pool_says(pool, cudaMemPoolAttrUsedMemCurrent));
    UM_BEHAVIOUR("pool: 1000 bytes and 1, 1 freed: most used", "%llu",
                 (unsigned long long)pool_says(pool, cudaMemPoolAttrUsedMemHigh));
    CU_ASSERT_EQUAL(cudaFreeAsync(p, 0), cudaSuccess);
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    CU_ASSERT_EQUAL(cudaMemPoolDestroy(pool), cudaSuccess);
}

/* A free counts at its call, though the stream is not there yet. */
static void a_free_counts_at_its_call(void)
{
    cudaStream_t stream = new_stream();
    cudaMemPool_t pool = new_pool();
    int *flag = NULL, *out = NULL;
    void *p = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaMallocHost((void **)&flag, sizeof *flag), cudaSuccess);
    CU_ASSERT_EQUAL_FATAL(cudaMallocHost((void **)&out, sizeof *out), cudaSuccess);
    CU_ASSERT_EQUAL_FATAL(cudaMallocFromPoolAsync(&p, MIB, pool, stream), cudaSuccess);
    *(volatile int *)flag = 0;
    CU_ASSERT_EQUAL(conf_wait_for_flag(flag, out, 1, stream), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFreeAsync(p, stream), cudaSuccess);
    UM_BEHAVIOUR("pool: freed behind a running kernel: used", "%llu",
                 (unsigned long long)pool_says(pool, cudaMemPoolAttrUsedMemCurrent));
    *(volatile int *)flag = 1;
    CU_ASSERT_EQUAL(cudaStreamSynchronize(stream), cudaSuccess);
    CU_ASSERT_EQUAL(cudaMemPoolDestroy(pool), cudaSuccess);
    CU_ASSERT_EQUAL(cudaStreamDestroy(stream), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFreeHost(flag), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFreeHost(out), cudaSuccess);
}

static void say_reserved(const char *name, cudaMemPool_t pool)
{
    UM_BEHAVIOUR(name, "%llu MiB",
                 (unsigned long long)pool_says(pool, cudaMemPoolAttrReservedMemCurrent) / MIB);
}

static void allocate_free_synchronise(cudaMemPool_t pool, size_t bytes)
{
    void *p = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaMallocFromPoolAsync(&p, bytes, pool, 0), cudaSuccess);
    CU_ASSERT_EQUAL(cudaFreeAsync(p, 0), cudaSuccess);
    CU_ASSERT_EQUAL(cudaStreamSynchronize(0), cudaSuccess);
}

static void memory_goes_back_at_a_synchronisation(void)
{
    cudaMemPool_t pool = new_pool();
    void *p = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaMallocFromPoolAsync(&p, 33 * MIB, pool, 0), cudaSuccess);
    say_reserved("pool: 33 MiB: reserved", pool);
    CU_ASSERT_EQUAL(cudaFreeAsync(p, 0), cudaSuccess);
    say_reserved("pool: 33 MiB freed: reserved", pool);
    CU_ASSERT_EQUAL(cudaStreamSynchronize(0), cudaSuccess);
    say_reserved("pool: 33 MiB freed, synchronised: reserved", pool);
    UM_BEHAVIOUR("pool: 33 MiB freed, synchronised: most reserved", "%llu MiB",
                 (unsigned long long)pool_says(pool, cudaMemPoolAttrReservedMemHigh) / MIB);
    CU_ASSERT_EQUAL(cudaMemPoolDestroy(pool), cudaSuccess);
}

static void the_release_threshold_keeps_memory(void)
{
    cudaMemPool_t pool = new_pool();
    uint64_t threshold = UINT64_MAX;

    UM_EQUAL(pool_says(pool, cudaMemPoolAttrReleaseThreshold), 0);
    UM_RETURNS("cudaMemPoolSetAttribute: threshold",
               cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    UM_EQUAL(pool_says(pool, cudaMemPoolAttrReleaseThreshold), UINT64_MAX);
    allocate_free_synchronise(pool, 256 * MIB);
    say_reserved("pool: threshold without end, 256 MiB freed, synchronised: reserved", pool);
    UM_RETURNS("cudaMemPoolTrimTo: 100 MiB", cudaMemPoolTrimTo(pool, 100 * MIB));
    say_reserved("cudaMemPoolTrimTo: 100 MiB: reserved", pool);
    UM_RETURNS("cudaMemPoolTrimTo: 0", cudaMemPoolTrimTo(pool, 0));
    say_reserved("cudaMemPoolTrimTo: 0: reserved", pool);
    threshold = 64 * MIB;
    CU_ASSERT_EQUAL(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold), cudaSuccess);
    allocate_free_synchronise(pool, 256 * MIB);
    say_reserved("pool: threshold 64 MiB, 256 MiB freed, synchronised: reserved", pool);
    UM_RETURNS("cudaMemPoolTrimTo: NULL", cudaMemPoolTrimTo(NULL, 0));
    after();
    CU_ASSERT_EQUAL(cudaMemPoolDestroy(pool), cudaSuccess);
}

static void trimming_leaves_what_is_in_use(void)
{
    cudaMemPool_t pool = new_pool();
    char *p = NULL, byte = 5, back = 0;

    CU_ASSERT_EQUAL_FATAL(cudaMallocFromPoolAsync((void **)&p, 40 * MIB, pool, 0), cudaSuccess);
    CU_ASSERT_EQUAL(cudaMemcpy(p + 40 * MIB - 1, &byte, 1, cudaMemcpyHostToDevice), cudaSuccess);
    CU_ASSERT_EQUAL(cudaMemPoolTrimTo(pool, 0), cudaSuccess);
    say_reserved("cudaMemPoolTrimTo: 0 with 40 MiB in use: reserved", pool);
    CU_ASSERT_EQUAL(cudaMemcpy(&back, p + 40 * MIB - 1, 1, cudaMemcpyDeviceToHost), cudaSuccess);
    UM_EQUAL(back, 5);
    CU_ASSERT_EQUAL(cudaFreeAsync(p, 0), cudaSuccess);
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    CU_ASSERT_EQUAL(cudaMemPoolDestroy(pool), cudaSuccess);
}

static void attributes_of_a_pool_are_read_and_set(void)
{
    cudaMemPool_t pool = new_pool();
    uint64_t zero = 0, one = 1;
    int reuse = -1, seven = 7;

    allocate_free_synchronise(pool, MIB);
    UM_RETURNS("cudaMemPoolSetAttribute: most used, 0",
               cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero));
    UM_EQUAL(pool_says(pool, cudaMemPoolAttrUsedMemHigh), 0);
    UM_RETURNS("cudaMemPoolSetAttribute: most used, 1",
               cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &one));
    UM_RETURNS("cudaMemPoolSetAttribute: most reserved, 0",
               cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &zero));
    UM_RETURNS("cudaMemPoolSetAttribute: used",
               cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &zero));
    UM_RETURNS("cudaMemPoolSetAttribute: attribute 99",
               cudaMemPoolSetAttribute(pool, (enum cudaMemPoolAttr)99, &zero));
    UM_RETURNS("cudaMemPoolSetAttribute: no pool",
               cudaMemPoolSetAttribute(NULL, cudaMemPoolAttrReleaseThreshold, &zero));
    UM_RETURNS("cudaMemPoolGetAttribute: attribute 99",
               cudaMemPoolGetAttribute(pool, (enum cudaMemPoolAttr)99, &zero));
    UM_RETURNS("cudaMemPoolGetAttribute: NULL",
               cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, NULL));
    UM_RETURNS("cudaMemPoolGetAttribute: no pool",
               cudaMemPoolGetAttribute(NULL, cudaMemPoolAttrReleaseThreshold, &zero));
    after();
    UM_RETURNS("cudaMemPoolSetAttribute: reuse 7",
               cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &seven));
    CU_ASSERT_EQUAL(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse), cudaSuccess);
    UM_BEHAVIOUR("cudaMemPoolSetAttribute: reuse 7: then", "%d", reuse);
    CU_ASSERT_EQUAL(cudaMemPoolDestroy(pool), cudaSuccess);
}

static void the_devices_pool_can_be_another(void)
{
    cudaMemPool_t pool = new_pool(), got = NULL, before = NULL;
    void *p = NULL;

    UM_RETURNS("cudaDeviceGetDefaultMemPool: NULL", cudaDeviceGetDefaultMemPool(NULL, 0));
    UM_RETURNS("cudaDeviceGetDefaultMemPool: device 99", cudaDeviceGetDefaultMemPool(&got, 99));
    UM_RETURNS("cudaDeviceGetMemPool: NULL", cudaDeviceGetMemPool(NULL, 0));
    UM_RETURNS("cudaDeviceGetMemPool: device 99", cudaDeviceGetMemPool(&got, 99));
    UM_RETURNS("cudaDeviceSetMemPool: NULL", cudaDeviceSetMemPool(0, NULL));
    UM_RETURNS("cudaDeviceSetMemPool: device 99", cudaDeviceSetMemPool(99, pool));
    after();
    CU_ASSERT_EQUAL(cudaDeviceGetMemPool(&before, 0), cudaSuccess);
    CU_ASSERT_PTR_EQUAL(before, default_pool());
    UM_RETURNS("cudaDeviceSetMemPool", cudaDeviceSetMemPool(0, pool));
    CU_ASSERT_EQUAL(cudaDeviceGetMemPool(&got, 0), cudaSuccess);
    CU_ASSERT_PTR_EQUAL(got, pool);
    CU_ASSERT_EQUAL_FATAL(cudaMallocAsync(&p, MIB, 0), cudaSuccess);
    UM_EQUAL(pool_says(pool, cudaMemPoolAttrUsedMemCurrent), MIB);
    UM_RETURNS("cudaMemPoolDestroy: in use", cudaMemPoolDestroy(pool));
    CU_ASSERT_EQUAL(cudaDeviceGetMemPool(&got, 0), cudaSuccess);
    UM_BEHAVIOUR("cudaMemPoolDestroy: the device's pool afterwards", "%s",
                 got == default_pool() ? "the default one" : "another");
    UM_RETURNS("cudaFreeAsync: its pool destroyed", cudaFreeAsync(p, 0));
    CU_ASSERT_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
}

static void some_pools_cannot_be_made_or_destroyed(void)
{
    struct cudaMemPoolProps wanted;
    cudaMemPool_t pool = NULL;

    memset(&wanted, 0, sizeof wanted);
    UM_RETURNS("cudaMemPoolCreate: nothing but zeros", cudaMemPoolCreate(&pool, &wanted));
    wanted = device_pool();
    UM_RETURNS("cudaMemPoolCreate: NULL", cudaMemPoolCreate(NULL, &wanted));
    UM_RETURNS("cudaMemPoolCreate: properties NULL", cudaMemPoolCreate(&pool, NULL));
    wanted.location.id = 99;
    UM_RETURNS("cudaMemPoolCreate: device 99", cudaMemPoolCreate(&pool, &wanted));
    wanted = device_pool();
    wanted.location.type = cudaMemLocationTypeInvalid;
    UM_RETURNS("cudaMemPoolCreate: no place", cudaMemPoolCreate(&pool, &wanted));
    wanted = device_pool();
    wanted.allocType = (enum cudaMemAllocationType)9;
    UM_RETURNS("cudaMemPoolCreate: type 9", cudaMemPoolCreate(&pool, &wanted));
    wanted = device_pool();
    wanted.handleTypes = cudaMemHandleTypeWin32;
    UM_RETURNS("cudaMemPoolCreate: Windows handles", cudaMemPoolCreate(&pool, &wanted));
    wanted = device_pool();
    wanted.reserved[3] = 1;
    UM_RETURNS("cudaMemPoolCreate: reserved bytes set", cudaMemPoolCreate(&pool, &wanted));
    UM_RETURNS("cudaMemPoolDestroy: NULL", cudaMemPoolDestroy(NULL));
    UM_RETURNS("cudaMemPoolDestroy: the default pool", cudaMemPoolDestroy(default_pool()));
    after();
}

/* No more is asked of such a pool: allocations from it ended driver 580 in some runs (SIGFPE, SIGSEGV). */
static void a_pool_with_a_largest_size_keeps_to_it(void)
{
    struct cudaMemPoolProps wanted = device_pool();
    cudaMemPool_t pool = NULL;

    wanted.maxSize = 64 * MIB;
    UM_RETURNS("cudaMemPoolCreate: at most 64 MiB", cudaMemPoolCreate(&pool, &wanted));
    CU_ASSERT_EQUAL(cudaMemPoolDestroy(pool), cudaSuccess);
}

static void access_to_a_pool_is_the_devices_own(void)
{
    struct cudaMemAccessDesc who = {{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite};
    cudaMemPool_t pool = new_pool();

    UM_RETURNS("cudaMemPoolSetAccess: the device itself", cudaMemPoolSetAccess(pool, &who, 1));
    who.flags = cudaMemAccessFlagsProtRead;
    UM_RETURNS("cudaMemPoolSetAccess: only reading", cudaMemPoolSetAccess(pool, &who, 1));
    who.flags = cudaMemAccessFlagsProtNone;
    UM_RETURNS("cudaMemPoolSetAccess: nothing", cudaMemPoolSetAccess(pool, &who, 1));
    who.flags = (enum cudaMemAccessFlags)9;
    UM_RETURNS("cudaMemPoolSetAccess: flags 9", cudaMemPoolSetAccess(pool, &who, 1));
    who.flags = cudaMemAccessFlagsProtReadWrite;
    who.location.id = 99;
    UM_RETURNS("cudaMemPoolSetAccess: device 99", cudaMemPoolSetAccess(pool, &who, 1));
    UM_RETURNS("cudaMemPoolSetAccess: nobody", cudaMemPoolSetAccess(pool, &who, 0));
    UM_RETURNS("cudaMemPoolSetAccess: no pool", cudaMemPoolSetAccess(NULL, &who, 1));
    after();
    CU_ASSERT_EQUAL(cudaMemPoolDestroy(pool), cudaSuccess);
}

/*
 * What is freed in stream order can be had again at once: many times the device's memory go through one
 * stream.
 */
static void what_is_freed_can_be_had_again_at_once(void)
{
    cudaStream_t stream = new_stream();
    size_t free_bytes = 0, total = 0, bytes;
    cudaError_t error = cudaSuccess;
    int rounds = 0;

    CU_ASSERT_EQUAL_FATAL(cudaMemGetInfo(&free_bytes, &total), cudaSuccess);
    bytes = free_bytes / 4;
    for (; rounds < 12 && error == cudaSuccess; rounds++) {
        void *p = NULL;

        error = cudaMallocAsync(&p, bytes, stream);
        if (error == cudaSuccess)
            error = cudaFreeAsync(p, stream);
    }
    UM_RETURNS("cudaMallocAsync: three times the device's memory, one quarter after another", error);
    UM_EQUAL(rounds, 12);
    UM_RETURNS("cudaMallocAsync: ... synchronise", cudaStreamSynchronize(stream));
    CU_ASSERT_EQUAL(cudaStreamDestroy(stream), cudaSuccess);
}

/* cudaMalloc gets what a pool only keeps. */
static void what_a_pool_keeps_cudaMalloc_can_have(void)
{
    cudaMemPool_t pool = new_pool();
    uint64_t threshold = UINT64_MAX;
    size_t free_bytes = 0, total = 0;
    void *p = NULL;

    CU_ASSERT_EQUAL_FATAL(cudaMemGetInfo(&free_bytes, &total), cudaSuccess);
    CU_ASSERT_EQUAL(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold), cudaSuccess);
    allocate_free_synchronise(pool, free_bytes / 4 * 3);
    CU_ASSERT_TRUE(pool_says(pool, cudaMemPoolAttrReservedMemCurrent) >= free_bytes / 4 * 3);
    UM_RETURNS("cudaMalloc: half of the memory, three quarters of it kept by a pool",
               cudaMalloc(&p, free_bytes / 2));
    UM_BEHAVIOUR("cudaMalloc: ... the pool then keeps", "%s",
                 pool_says(pool, cudaMemPoolAttrReservedMemCurrent) <= free_bytes / 2 ? "less" : "as much");
    after();
    (void)cudaFree(p);
    after();
    CU_ASSERT_EQUAL(cudaMemPoolDestroy(pool), cudaSuccess);
}

static void what_a_pool_keeps_is_not_free(void)
{
    cudaMemPool_t pool = new_pool();
    uint64_t threshold = UINT64_MAX;
    size_t before = 0, then = 0, total = 0;

    CU_ASSERT_EQUAL(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold), cudaSuccess);
    CU_ASSERT_EQUAL_FATAL(cudaDeviceSynchronize(), cudaSuccess);
    CU_ASSERT_EQUAL_FATAL(cudaMemGetInfo(&before, &total), cudaSuccess);
    allocate_free_synchronise(pool, 256 * MIB);
    CU_ASSERT_EQUAL_FATAL(cudaMemGetInfo(&then, &total), cudaSuccess);
    UM_BEHAVIOUR("cudaMemGetInfo: a pool keeps 256 MiB: less free by", "%zu MiB", (before - then) / MIB);
    CU_ASSERT_EQUAL(cudaMemPoolTrimTo(pool, 0), cudaSuccess);
    CU_ASSERT_EQUAL_FATAL(cudaMemGetInfo(&then, &total), cudaSuccess);
    UM_BEHAVIOUR("cudaMemGetInfo: ... and after cudaMemPoolTrimTo", "%zu MiB", (before - then) / MIB);
    CU_ASSERT_EQUAL(cudaMemPoolDestroy(pool), cudaSuccess);
}

UM_TESTS("stream-ordered memory", {"bytes get there and back", bytes_get_there_and_back},
         {"a kernel uses it", a_kernel_uses_it},
         {"mistakes in allocating are refused", mistakes_in_allocating_are_refused},
         {"mistakes in freeing are refused", mistakes_in_freeing_are_refused},
         {"cudaFree takes a pool's memory, cudaFreeAsync no other kind",
          cudaFree_takes_a_pools_memory_cudaFreeAsync_no_other_kind},
         {"its pointer is a device pointer", its_pointer_is_a_device_pointer},
         {"what is freed can be had again at once", what_is_freed_can_be_had_again_at_once});

UM_TESTS("memory pools", {"used counts the bytes asked for", used_counts_the_bytes_asked_for},
         {"a free counts at its call", a_free_counts_at_its_call},
         {"memory goes back at a synchronisation", memory_goes_back_at_a_synchronisation},
         {"the release threshold keeps memory", the_release_threshold_keeps_memory},
         {"trimming leaves what is in use", trimming_leaves_what_is_in_use},
         {"attributes of a pool are read and set", attributes_of_a_pool_are_read_and_set},
         {"the device's pool can be another", the_devices_pool_can_be_another},
         {"some pools cannot be made, or destroyed", some_pools_cannot_be_made_or_destroyed},
         {"a pool with a largest size keeps to it", a_pool_with_a_largest_size_keeps_to_it},
         {"access to a pool is the device's own", access_to_a_pool_is_the_devices_own},
         {"what a pool keeps is not free", what_a_pool_keeps_is_not_free},
         {"what a pool keeps, cudaMalloc can have", what_a_pool_keeps_cudaMalloc_can_have});
