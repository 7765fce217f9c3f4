/**
 * @file memory.c
 * @brief Memory of the device's, of the host's, managed, of pools.
 */
#include "behaviour.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void device_memory_comes_and_goes(void)
{
    CUdeviceptr p = 77, other;
    in_a_context();
    RETURNS("cuMemAlloc: 0 bytes", cuMemAlloc(&p, 0));
    RETURNS("cuMemAlloc(NULL)", cuMemAlloc(NULL, 16));
    RETURNS("cuMemAlloc: 2^60 bytes", cuMemAlloc(&p, (size_t)1 << 60));
    RETURNS("cuMemAlloc", cuMemAlloc(&p, 100));
    answer("cuMemAlloc: 256 aligned", "%d", p % 256 == 0);
    RETURNS("cuMemFree: interior", cuMemFree(p + 4));
    RETURNS("cuMemFree", cuMemFree(p));
    RETURNS("cuMemFree: twice", cuMemFree(p));
    RETURNS("cuMemFree: 0", cuMemFree(0));
    RETURNS("cuMemFree: of the host", cuMemFree((CUdeviceptr)(size_t)&other));
}

static void rows_have_a_pitch(void)
{
    CUdeviceptr p;
    size_t pitch = 0;
    in_a_context();
    RETURNS("cuMemAllocPitch: 100 x 10, 4", cuMemAllocPitch(&p, &pitch, 100, 10, 4));
    answer("cuMemAllocPitch: 100 x 10, 4: pitch", "%zu", pitch);
    RETURNS("cuMemAllocPitch: elements of 8", cuMemAllocPitch(&p, &pitch, 100, 10, 8));
    RETURNS("cuMemAllocPitch: elements of 16", cuMemAllocPitch(&p, &pitch, 1000, 10, 16));
    answer("cuMemAllocPitch: 1000: pitch", "%zu", pitch);
    RETURNS("cuMemAllocPitch: elements of 3", cuMemAllocPitch(&p, &pitch, 100, 10, 3));
    RETURNS("cuMemAllocPitch: elements of 1", cuMemAllocPitch(&p, &pitch, 100, 10, 1));
    RETURNS("cuMemAllocPitch: width 0", cuMemAllocPitch(&p, &pitch, 0, 10, 4));
    RETURNS("cuMemAllocPitch: height 0", cuMemAllocPitch(&p, &pitch, 100, 0, 4));
    RETURNS("cuMemAllocPitch(NULL)", cuMemAllocPitch(NULL, &pitch, 100, 10, 4));
    RETURNS("cuMemAllocPitch: no pitch", cuMemAllocPitch(&p, NULL, 100, 10, 4));
}

static void range(const char *name, CUdeviceptr asked, CUdeviceptr base_is)
{
    CUdeviceptr base = 0;
    size_t bytes = 0;
    const CUresult result = cuMemGetAddressRange(&base, &bytes, asked);
    answer(name, "%s: base %s, %zu bytes", result_name(result), base == base_is ? "as allocated" : "other",
           bytes);
}

static void an_allocation_knows_its_range(void)
{
    CUdeviceptr p, managed, base;
    void *pinned;
    int own;
    in_a_context();
    NEED(cuMemAlloc(&p, 1000));
    NEED(cuMemAllocHost(&pinned, 1000));
    NEED(cuMemAllocManaged(&managed, 1000, CU_MEM_ATTACH_GLOBAL));
    range("cuMemGetAddressRange: start", p, p);
    range("cuMemGetAddressRange: interior", p + 500, p);
    range("cuMemGetAddressRange: last byte", p + 999, p);
    range("cuMemGetAddressRange: pinned", (CUdeviceptr)(size_t)pinned, (CUdeviceptr)(size_t)pinned);
    range("cuMemGetAddressRange: managed", managed, managed);
    range("cuMemGetAddressRange: stack", (CUdeviceptr)(size_t)&own, 0);
    range("cuMemGetAddressRange: 0", 0, 0);
    RETURNS("cuMemGetAddressRange: no size", cuMemGetAddressRange(&base, NULL, p));
    RETURNS("cuMemGetAddressRange: no base", cuMemGetAddressRange(NULL, &(size_t){0}, p));
    RETURNS("cuMemGetAddressRange(NULL, NULL)", cuMemGetAddressRange(NULL, NULL, p));
}

static void pinned_memory_is_the_hosts(void)
{
    void *p = NULL;
    CUdeviceptr device = 0;
    unsigned flags = 77;
    int own;
    in_a_context();
    RETURNS("cuMemAllocHost: 0 bytes", cuMemAllocHost(&p, 0));
    RETURNS("cuMemAllocHost(NULL)", cuMemAllocHost(NULL, 16));
    RETURNS("cuMemAllocHost", cuMemAllocHost(&p, 4096));
    memset(p, 1, 4096);
    RETURNS("cuMemHostGetFlags: of cuMemAllocHost", cuMemHostGetFlags(&flags, p));
    answer("cuMemHostGetFlags: of cuMemAllocHost: which", "0x%x", flags);
    RETURNS("cuMemHostGetDevicePointer", cuMemHostGetDevicePointer(&device, p, 0));
    answer("cuMemHostGetDevicePointer: the same", "%d", device == (CUdeviceptr)(size_t)p);
    RETURNS("cuMemHostGetDevicePointer: flags 1", cuMemHostGetDevicePointer(&device, p, 1));
    RETURNS("cuMemHostGetDevicePointer: stack", cuMemHostGetDevicePointer(&device, &own, 0));
    RETURNS("cuMemHostGetDevicePointer(NULL)", cuMemHostGetDevicePointer(NULL, p, 0));
    RETURNS("cuMemFree: of pinned memory", cuMemFree((CUdeviceptr)(size_t)p));
    RETURNS("cuMemFreeHost: interior", cuMemFreeHost((char *)p + 8));
    RETURNS("cuMemFreeHost", cuMemFreeHost(p));
    RETURNS("cuMemFreeHost: twice", cuMemFreeHost(p));
    RETURNS("cuMemFreeHost(NULL)", cuMemFreeHost(NULL));
    RETURNS("cuMemFreeHost: stack", cuMemFreeHost(&own));
    RETURNS("cuMemHostAlloc: 0 bytes", cuMemHostAlloc(&p, 0, 0));
    RETURNS("cuMemHostAlloc: flags 8", cuMemHostAlloc(&p, 16, 8));
    RETURNS("cuMemHostAlloc: portable", cuMemHostAlloc(&p, 16, CU_MEMHOSTALLOC_PORTABLE));
    NEED(cuMemHostGetFlags(&flags, p));
    answer("cuMemHostGetFlags: of portable", "0x%x", flags);
    RETURNS("cuMemHostAlloc: write-combined", cuMemHostAlloc(&p, 16, CU_MEMHOSTALLOC_WRITECOMBINED));
    NEED(cuMemHostGetFlags(&flags, p));
    answer("cuMemHostGetFlags: of write-combined", "0x%x", flags);
    RETURNS("cuMemHostGetFlags: stack", cuMemHostGetFlags(&flags, &own));
    RETURNS("cuMemHostGetFlags(NULL)", cuMemHostGetFlags(NULL, p));
}

static void the_hosts_memory_can_be_registered(void)
{
    char *own = aligned_alloc(4096, 16384);
    CUdeviceptr device;
    unsigned flags = 77;
    in_a_context();
    memset(own, 0, 16384);
    RETURNS("cuMemHostRegister(NULL)", cuMemHostRegister(NULL, 16, 0));
    RETURNS("cuMemHostRegister: 0 bytes", cuMemHostRegister(own, 0, 0));
    RETURNS("cuMemHostRegister: flags 0x40", cuMemHostRegister(own, 8192, 0x40));
    RETURNS("cuMemHostUnregister: not registered", cuMemHostUnregister(own));
    RETURNS("cuMemHostRegister", cuMemHostRegister(own, 8192, 0));
    RETURNS("cuMemHostRegister: twice", cuMemHostRegister(own, 8192, 0));
    RETURNS("cuMemHostRegister: overlapping", cuMemHostRegister(own + 4096, 8192, 0));
    RETURNS("cuMemHostGetFlags: of registered", cuMemHostGetFlags(&flags, own));
    answer("cuMemHostGetFlags: of registered: which", "0x%x", flags);
    RETURNS("cuMemHostGetDevicePointer: registered", cuMemHostGetDevicePointer(&device, own, 0));
    RETURNS("cuMemFreeHost: of registered memory", cuMemFreeHost(own));
    RETURNS("cuMemHostUnregister: interior", cuMemHostUnregister(own + 4096));
    RETURNS("cuMemHostUnregister", cuMemHostUnregister(own));
    RETURNS("cuMemHostUnregister: twice", cuMemHostUnregister(own));
    RETURNS("cuMemHostUnregister(NULL)", cuMemHostUnregister(NULL));
}

static void managed_memory_has_flags(void)
{
    CUdeviceptr p = 0;
    in_a_context();
    RETURNS("cuMemAllocManaged: 0 bytes", cuMemAllocManaged(&p, 0, CU_MEM_ATTACH_GLOBAL));
    RETURNS("cuMemAllocManaged(NULL)", cuMemAllocManaged(NULL, 16, CU_MEM_ATTACH_GLOBAL));
    RETURNS("cuMemAllocManaged: flags 0", cuMemAllocManaged(&p, 16, 0));
    RETURNS("cuMemAllocManaged: single", cuMemAllocManaged(&p, 16, CU_MEM_ATTACH_SINGLE));
    RETURNS("cuMemAllocManaged: host", cuMemAllocManaged(&p, 16, CU_MEM_ATTACH_HOST));
    RETURNS("cuMemAllocManaged", cuMemAllocManaged(&p, 1 << 20, CU_MEM_ATTACH_GLOBAL));
    *(int *)(size_t)p = 5;
    answer("cuMemAllocManaged: the host reads", "%d", *(int *)(size_t)p);
    RETURNS("cuStreamAttachMemAsync: global", cuStreamAttachMemAsync(0, p, 0, CU_MEM_ATTACH_GLOBAL));
    RETURNS("cuMemFree: managed", cuMemFree(p));
}

static void advice_is_for_managed_memory(void)
{
    const CUmemLocation gpu = {CU_MEM_LOCATION_TYPE_DEVICE, 0}, host = {CU_MEM_LOCATION_TYPE_HOST, 0},
                        none = {CU_MEM_LOCATION_TYPE_INVALID, 0}, far = {CU_MEM_LOCATION_TYPE_DEVICE, 1000};
    CUdeviceptr p, device;
    int value = -77, values[2] = {-77, -77};
    in_a_context();
    NEED(cuMemAllocManaged(&p, 1 << 20, CU_MEM_ATTACH_GLOBAL));
    NEED(cuMemAlloc(&device, 4096));
    RETURNS("cuMemAdvise: read mostly", cuMemAdvise(p, 1 << 20, CU_MEM_ADVISE_SET_READ_MOSTLY, none));
    RETURNS("cuMemAdvise: 0 bytes", cuMemAdvise(p, 0, CU_MEM_ADVISE_SET_READ_MOSTLY, none));
    RETURNS("cuMemAdvise: too many bytes", cuMemAdvise(p, 1 << 24, CU_MEM_ADVISE_SET_READ_MOSTLY, none));
    RETURNS("cuMemAdvise: advice 0", cuMemAdvise(p, 4096, (CUmem_advise)0, gpu));
    RETURNS("cuMemAdvise: device memory", cuMemAdvise(device, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, none));
    RETURNS("cuMemAdvise: prefers the host",
            cuMemAdvise(p, 1 << 20, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, host));
    RETURNS("cuMemAdvise: prefers nowhere",
            cuMemAdvise(p, 1 << 20, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, none));
    RETURNS("cuMemAdvise: prefers device 1000",
            cuMemAdvise(p, 1 << 20, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, far));
    RETURNS("cuMemAdvise: accessed by the device",
            cuMemAdvise(p, 1 << 20, CU_MEM_ADVISE_SET_ACCESSED_BY, gpu));
    RETURNS("cuMemRangeGetAttribute: read mostly",
            cuMemRangeGetAttribute(&value, sizeof value, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, p, 1 << 20));
    answer("cuMemRangeGetAttribute: read mostly: which", "%d", value);
    RETURNS(
        "cuMemRangeGetAttribute: preferred location",
        cuMemRangeGetAttribute(&value, sizeof value, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, p, 1 << 20));
    answer("cuMemRangeGetAttribute: preferred location: which", "%d", value);
    RETURNS("cuMemRangeGetAttribute: accessed by, two",
            cuMemRangeGetAttribute(values, sizeof values, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, p, 1 << 20));
    answer("cuMemRangeGetAttribute: accessed by, two: which", "%d %d", values[0], values[1]);
    RETURNS("cuMemRangeGetAttribute: 2 bytes",
            cuMemRangeGetAttribute(&value, 2, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, p, 1 << 20));
    RETURNS("cuMemRangeGetAttribute(NULL)",
            cuMemRangeGetAttribute(NULL, sizeof value, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, p, 1 << 20));
    RETURNS("cuMemRangeGetAttribute: attribute 0",
            cuMemRangeGetAttribute(&value, sizeof value, (CUmem_range_attribute)0, p, 1 << 20));
    RETURNS("cuMemPrefetchAsync: to the device", cuMemPrefetchAsync(p, 1 << 20, gpu, 0, 0));
    RETURNS("cuMemPrefetchAsync: to the host", cuMemPrefetchAsync(p, 1 << 20, host, 0, 0));
    RETURNS("cuMemPrefetchAsync: flags 1", cuMemPrefetchAsync(p, 1 << 20, gpu, 1, 0));
    RETURNS("cuMemPrefetchAsync: device 1000", cuMemPrefetchAsync(p, 1 << 20, far, 0, 0));
    RETURNS("cuMemPrefetchAsync: nowhere", cuMemPrefetchAsync(p, 1 << 20, none, 0, 0));
    RETURNS("cuMemPrefetchAsync: device memory", cuMemPrefetchAsync(device, 4096, gpu, 0, 0));
    RETURNS("cuMemPrefetchAsync: 0 bytes", cuMemPrefetchAsync(p, 0, gpu, 0, 0));
    NEED(cuCtxSynchronize());
    NEED(cuMemRangeGetAttribute(&value, sizeof value, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, p,
                                1 << 20));
    answer("cuMemRangeGetAttribute: last prefetch", "%d", value);
}

static void pools_give_memory_in_order(void)
{
    CUmemoryPool pool = NULL, current = NULL, own = NULL;
    CUmemPoolProps properties;
    CUdeviceptr p = 0;
    cuuint64_t bytes = 77;
    int reuse = 77;
    in_a_context();
    RETURNS("cuDeviceGetDefaultMemPool", cuDeviceGetDefaultMemPool(&pool, 0));
    RETURNS("cuDeviceGetDefaultMemPool(NULL)", cuDeviceGetDefaultMemPool(NULL, 0));
    RETURNS("cuDeviceGetDefaultMemPool: device 1000", cuDeviceGetDefaultMemPool(&current, 1000));
    RETURNS("cuDeviceGetMemPool", cuDeviceGetMemPool(&current, 0));
    answer("cuDeviceGetMemPool: the default one", "%d", pool == current);
    RETURNS("cuMemAllocAsync: 0 bytes", cuMemAllocAsync(&p, 0, 0));
    RETURNS("cuMemAllocAsync(NULL)", cuMemAllocAsync(NULL, 16, 0));
    RETURNS("cuMemAllocAsync", cuMemAllocAsync(&p, 4096, 0));
    RETURNS("cuMemPoolGetAttribute: threshold",
            cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &bytes));
    answer("cuMemPoolGetAttribute: threshold: bytes", "%llu", (unsigned long long)bytes);
    RETURNS("cuMemPoolGetAttribute: used",
            cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &bytes));
    answer("cuMemPoolGetAttribute: used: bytes", "%llu", (unsigned long long)bytes);
    RETURNS("cuMemPoolGetAttribute: reuse",
            cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES, &reuse));
    answer("cuMemPoolGetAttribute: reuse: which", "%d", reuse);
    RETURNS("cuMemPoolGetAttribute: 0", cuMemPoolGetAttribute(pool, (CUmemPool_attribute)0, &bytes));
    RETURNS("cuMemPoolGetAttribute: no value",
            cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, NULL));
    bytes = 1 << 20;
    RETURNS("cuMemPoolSetAttribute: threshold",
            cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &bytes));
    RETURNS("cuMemPoolSetAttribute: used",
            cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &bytes));
    RETURNS("cuMemFreeAsync", cuMemFreeAsync(p, 0));
    RETURNS("cuMemFreeAsync: 0", cuMemFreeAsync(0, 0));
    RETURNS("cuMemPoolTrimTo", cuMemPoolTrimTo(pool, 0));
    memset(&properties, 0, sizeof properties);
    RETURNS("cuMemPoolCreate: nothing set", cuMemPoolCreate(&own, &properties));
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    RETURNS("cuMemPoolCreate", cuMemPoolCreate(&own, &properties));
    RETURNS("cuMemPoolCreate(NULL)", cuMemPoolCreate(NULL, &properties));
    RETURNS("cuMemPoolCreate: no properties", cuMemPoolCreate(&own, NULL));
    p = 77;
    RETURNS("cuMemAllocFromPoolAsync: 0 bytes", cuMemAllocFromPoolAsync(&p, 0, pool, 0));
    answer("cuMemAllocFromPoolAsync: 0 bytes: where", "%llx", (unsigned long long)p);
    RETURNS("cuMemAllocFromPoolAsync", cuMemAllocFromPoolAsync(&p, 4096, own, 0));
    RETURNS("cuDeviceSetMemPool", cuDeviceSetMemPool(0, own));
    RETURNS("cuMemFree: of a pool's memory", cuMemFree(p));
    RETURNS("cuMemPoolDestroy", cuMemPoolDestroy(own));
    RETURNS("cuMemPoolDestroy: the default one", cuMemPoolDestroy(pool));
}

static void pools_are_accessed_by_the_device(void)
{
    CUmemoryPool pool;
    CUmemAccess_flags flags = (CUmemAccess_flags)77;
    CUmemLocation gpu = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    CUmemAccessDesc desc = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    in_a_context();
    NEED(cuDeviceGetDefaultMemPool(&pool, 0));
    RETURNS("cuMemPoolGetAccess", cuMemPoolGetAccess(&flags, pool, &gpu));
    answer("cuMemPoolGetAccess: which", "%d", (int)flags);
    RETURNS("cuMemPoolGetAccess(NULL)", cuMemPoolGetAccess(NULL, pool, &gpu));
    RETURNS("cuMemPoolSetAccess", cuMemPoolSetAccess(pool, &desc, 1));
    RETURNS("cuMemPoolSetAccess: 0 of them", cuMemPoolSetAccess(pool, NULL, 0));
    desc.flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    RETURNS("cuMemPoolSetAccess: none", cuMemPoolSetAccess(pool, &desc, 1));
}

#define RUN(name)                                                                                            \
    {                                                                                                        \
#name, name                                                                                          \
    }
const struct behaviour memory_behaviours[] = {
    RUN(device_memory_comes_and_goes),       RUN(rows_have_a_pitch),
    RUN(an_allocation_knows_its_range),      RUN(pinned_memory_is_the_hosts),
    RUN(the_hosts_memory_can_be_registered), RUN(managed_memory_has_flags),
    RUN(advice_is_for_managed_memory),       RUN(pools_give_memory_in_order),
    RUN(pools_are_accessed_by_the_device),   {NULL, NULL}};
