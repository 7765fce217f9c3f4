/**
 * @file two.c
 * @brief Two devices: whose context is current, whose memory it is, and who reaches it. Run where a program
 * sees two devices, and nothing else is then (main.c).
 */
#include "behaviour.h"

#include <pthread.h>
#include <string.h>

enum { WORDS = 1024, BYTES = 4 * WORDS };

/* A context of the program's own on each device; the first one's is current. */
static CUcontext own[2];

static void in_two_contexts(void)
{
    NEED(cuInit(0));
    for (int device = 1; device >= 0; device--)
        NEED(cuCtxCreate(&own[device], NULL, 0, device));
}

static void with(int device)
{
    NEED(cuCtxSetCurrent(own[device]));
}

static const char *which(CUcontext context)
{
    return !context ? "none" : context == own[0] ? "0's" : context == own[1] ? "1's" : "another";
}

static void current(const char *name)
{
    CUcontext context = NULL;
    CUdevice device = -1;
    const CUresult result = cuCtxGetCurrent(&context);
    const CUresult of = cuCtxGetDevice(&device);
    answer(name, "%s: %s, %s: %d", result_name(result), which(context), result_name(of), device);
}

/* A device's memory, all bytes 1. */
static CUdeviceptr ones(int device)
{
    CUdeviceptr p;
    with(device);
    NEED(cuMemAlloc(&p, BYTES));
    NEED(cuMemsetD8(p, 1, BYTES));
    NEED(cuCtxSynchronize());
    with(0);
    return p;
}

static int first_word(CUdeviceptr p)
{
    int word = -1;
    return cuMemcpyDtoH(&word, p, sizeof word) == CUDA_SUCCESS ? word : -1;
}

/* ---- devices ---- */

static void devices_are_two(void)
{
    CUdevice device = -1;
    CUuuid of_0, of_1;
    char bus_0[32], bus_1[32];
    int count = 0, can = -1;
    size_t total = 0;
    NEED(cuInit(0));
    NEED(cuDeviceGetCount(&count));
    answer("two: count", "%d", count);
    RETURNS("two: cuDeviceGet(1)", cuDeviceGet(&device, 1));
    answer("two: its number", "%d", device);
    RETURNS("two: cuDeviceGet(2)", cuDeviceGet(&device, 2));
    NEED(cuDeviceGetUuid(&of_0, 0));
    NEED(cuDeviceGetUuid(&of_1, 1));
    answer("two: names by which they are told apart", "%d", memcmp(&of_0, &of_1, sizeof of_0) != 0);
    NEED(cuDeviceGetPCIBusId(bus_0, 32, 0));
    NEED(cuDeviceGetPCIBusId(bus_1, 32, 1));
    answer("two: places on the bus differ", "%d", strcmp(bus_0, bus_1) != 0);
    NEED(cuDeviceGetByPCIBusId(&device, bus_1));
    answer("two: 1 by its place", "%d", device);
    RETURNS("two: memory of 1", cuDeviceTotalMem(&total, 1));
    RETURNS("two: memory of 2", cuDeviceTotalMem(&total, 2));
    RETURNS("two: can 0 reach 1", cuDeviceCanAccessPeer(&can, 0, 1));
    answer("two: it can", "%d", can);
    RETURNS("two: can 0 reach 0", cuDeviceCanAccessPeer(&can, 0, 0));
    answer("two: it cannot", "%d", can);
    RETURNS("two: can 0 reach 2", cuDeviceCanAccessPeer(&can, 0, 2));
    RETURNS("two: can -1 reach 0", cuDeviceCanAccessPeer(&can, -1, 0));
}

static void what_lies_between(void)
{
    int value = -1;
    NEED(cuInit(0));
    RETURNS("two: P2P performance rank",
            cuDeviceGetP2PAttribute(&value, CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK, 0, 1));
    answer("two: P2P performance rank is", "%d", value);
    RETURNS("two: P2P access",
            cuDeviceGetP2PAttribute(&value, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 1));
    answer("two: P2P access is", "%d", value);
    RETURNS("two: P2P atomics",
            cuDeviceGetP2PAttribute(&value, CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED, 1, 0));
    answer("two: P2P atomics is", "%d", value);
    RETURNS("two: P2P arrays",
            cuDeviceGetP2PAttribute(&value, CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED, 0, 1));
    answer("two: P2P arrays is", "%d", value);
    RETURNS("two: P2P of itself",
            cuDeviceGetP2PAttribute(&value, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 1, 1));
    RETURNS("two: P2P of device 2",
            cuDeviceGetP2PAttribute(&value, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 2));
    RETURNS("two: P2P attribute 0", cuDeviceGetP2PAttribute(&value, (CUdevice_P2PAttribute)0, 0, 1));
    RETURNS("two: P2P attribute 99", cuDeviceGetP2PAttribute(&value, (CUdevice_P2PAttribute)99, 0, 1));
    RETURNS("two: P2P into NULL",
            cuDeviceGetP2PAttribute(NULL, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 1));
}

/* ---- contexts ---- */

static void each_device_has_a_primary_context(void)
{
    CUcontext again = NULL;
    unsigned flags = 0;
    int active = -1;
    NEED(cuInit(0));
    NEED(cuDevicePrimaryCtxGetState(0, &flags, &active));
    answer("two: primary of 0 at first", "%d", active);
    RETURNS("two: retain 1's", cuDevicePrimaryCtxRetain(&own[1], 1));
    NEED(cuDevicePrimaryCtxGetState(0, &flags, &active));
    answer("two: primary of 0 then", "%d", active);
    NEED(cuDevicePrimaryCtxGetState(1, &flags, &active));
    answer("two: primary of 1 then", "%d", active);
    RETURNS("two: retain 0's", cuDevicePrimaryCtxRetain(&own[0], 0));
    answer("two: primary contexts differ", "%d", own[0] != own[1]);
    NEED(cuDevicePrimaryCtxRetain(&again, 1));
    answer("two: 1's again is the same", "%d", again == own[1]);
    RETURNS("two: flags of 1's", cuDevicePrimaryCtxSetFlags(1, CU_CTX_SCHED_YIELD));
    NEED(cuDevicePrimaryCtxGetState(0, &flags, &active));
    answer("two: flags of 0's then", "%u", flags);
    NEED(cuDevicePrimaryCtxGetState(1, &flags, &active));
    answer("two: flags of 1's then", "%u", flags);
    current("two: none current");
    RETURNS("two: 1's is set", cuCtxSetCurrent(own[1]));
    current("two: 1's current");
    RETURNS("two: release 1's", cuDevicePrimaryCtxRelease(1));
    RETURNS("two: release 1's again", cuDevicePrimaryCtxRelease(1));
    RETURNS("two: release 1's a third time", cuDevicePrimaryCtxRelease(1));
    NEED(cuDevicePrimaryCtxGetState(1, &flags, &active));
    answer("two: primary of 1 released", "%d", active);
    NEED(cuDevicePrimaryCtxGetState(0, &flags, &active));
    answer("two: primary of 0 still", "%d", active);
    RETURNS("two: retain 2's", cuDevicePrimaryCtxRetain(&again, 2));
    RETURNS("two: reset 2's", cuDevicePrimaryCtxReset(2));
}

static void resetting_one_leaves_the_other(void)
{
    CUdeviceptr of_0, of_1;
    NEED(cuInit(0));
    NEED(cuDevicePrimaryCtxRetain(&own[0], 0));
    NEED(cuDevicePrimaryCtxRetain(&own[1], 1));
    of_0 = ones(0);
    of_1 = ones(1);
    RETURNS("two: reset 1's", cuDevicePrimaryCtxReset(1));
    answer("two: 0's memory after it", "%d", first_word(of_0));
    RETURNS("two: 1's memory after it", cuMemsetD8(of_1, 0, BYTES));
    RETURNS("two: 0's context goes on", cuCtxSynchronize());
    RETURNS("two: 1's context, set", cuCtxSetCurrent(own[1]));
    RETURNS("two: 1's context, used", cuCtxSynchronize());
}

static void contexts_of_both_form_one_stack(void)
{
    CUcontext popped = NULL;
    CUdevice device = -1;
    unsigned long long id_0 = 0, id_1 = 0;
    in_two_contexts();
    current("two: the last one made is current");
    NEED(cuCtxPopCurrent(&popped));
    answer("two: popped", "%s", which(popped));
    current("two: below it");
    RETURNS("two: pushed", cuCtxPushCurrent(own[0]));
    current("two: pushed: current");
    RETURNS("two: cuCtxGetDevice_v2 of 1's", cuCtxGetDevice_v2(&device, own[1]));
    answer("two: cuCtxGetDevice_v2", "%d", device);
    NEED(cuCtxGetId(own[0], &id_0));
    NEED(cuCtxGetId(own[1], &id_1));
    answer("two: ids differ", "%d", id_0 != id_1);
    RETURNS("two: destroy 1's, not current", cuCtxDestroy(own[1]));
    current("two: destroyed another: current");
    RETURNS("two: set the destroyed one", cuCtxSetCurrent(own[1]));
}

static void a_context_has_limits_of_its_own(void)
{
    size_t of_0 = 0, of_1 = 0;
    CUfunc_cache cache_0 = 0, cache_1 = 0;
    in_two_contexts();
    NEED(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
    NEED(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1));
    NEED(cuCtxGetLimit(&of_0, CU_LIMIT_STACK_SIZE));
    NEED(cuCtxGetCacheConfig(&cache_0));
    with(1);
    NEED(cuCtxGetLimit(&of_1, CU_LIMIT_STACK_SIZE));
    NEED(cuCtxGetCacheConfig(&cache_1));
    answer("two: stack sizes", "%zu %zu", of_0, of_1);
    answer("two: preferred caches", "%d %d", (int)cache_0, (int)cache_1);
}

static void *new_thread(void *unused)
{
    CUdeviceptr p;
    current("two: a new thread's");
    RETURNS("two: a new thread allocates", cuMemAlloc(&p, 16));
    with(1);
    current("two: a new thread's, set to 1's");
    return unused;
}

static void threads_choose_for_themselves(void)
{
    pthread_t thread;
    in_two_contexts();
    pthread_create(&thread, NULL, new_thread, NULL);
    pthread_join(thread, NULL);
    current("two: the first thread's, still");
}

/* ---- memory ---- */

static void memory_belongs_to_its_context(void)
{
    CUcontext context = NULL;
    int device = -1;
    size_t free_before = 0, free_after = 0, total;
    CUdeviceptr p, big, base = 0;
    in_two_contexts();
    p = ones(1);
    NEED(cuPointerGetAttribute(&context, CU_POINTER_ATTRIBUTE_CONTEXT, p));
    NEED(cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, p));
    answer("two: memory of 1: context, device", "%s %d", which(context), device);
    RETURNS("two: its range, 0 current", cuMemGetAddressRange(&base, &total, p));
    RETURNS("two: its device pointer, 0 current",
            cuPointerGetAttribute(&base, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, p));
    answer("two: it is the same", "%d", base == p);
    NEED(cuCtxEnablePeerAccess(own[1], 0));
    RETURNS("two: its range, with access", cuMemGetAddressRange(&base, &total, p));
    RETURNS("two: its device pointer, with access",
            cuPointerGetAttribute(&base, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, p));
    answer("two: it is the same, with access", "%d", base == p);
    RETURNS("two: 1's memory filled with access", cuMemsetD8(p, 1, BYTES));
    NEED(cuCtxDisablePeerAccess(own[1]));
    NEED(cuMemGetInfo(&free_before, &total));
    with(1);
    NEED(cuMemAlloc(&big, 64 << 20));
    with(0);
    NEED(cuMemGetInfo(&free_after, &total));
    answer("two: 0's free memory fell by", "%zu", free_before - free_after);
    answer("two: 1's memory read with 0 current", "%d", first_word(p));
    RETURNS("two: 1's memory filled with 0 current", cuMemsetD8(p, 2, BYTES));
    answer("two: 1's memory then", "%d", first_word(p));
    RETURNS("two: 1's memory freed with 0 current", cuMemFree(p));
    RETURNS("two: 1's memory freed twice", cuMemFree(p));
    NEED(cuCtxDestroy(own[1]));
    RETURNS("two: memory of a destroyed context", cuMemFree(big));
}

static void copies_between_contexts(void)
{
    CUdeviceptr of_0, of_1;
    in_two_contexts();
    of_0 = ones(0);
    of_1 = ones(1);
    NEED(cuMemsetD8(of_0, 7, BYTES));
    RETURNS("two: cuMemcpyDtoD", cuMemcpyDtoD(of_1, of_0, BYTES / 2));
    answer("two: cuMemcpyDtoD copied", "%x", first_word(of_1));
    NEED(cuMemsetD8(of_0, 8, BYTES));
    RETURNS("two: cuMemcpy", cuMemcpy(of_1, of_0, BYTES / 2));
    answer("two: cuMemcpy copied", "%x", first_word(of_1));
    NEED(cuMemsetD8(of_0, 9, BYTES));
    RETURNS("two: cuMemcpyPeer", cuMemcpyPeer(of_1, own[1], of_0, own[0], BYTES));
    answer("two: cuMemcpyPeer copied", "%x", first_word(of_1));
    NEED(cuMemsetD8(of_0, 10, BYTES));
    RETURNS("two: cuMemcpyPeerAsync", cuMemcpyPeerAsync(of_1, own[1], of_0, own[0], BYTES, 0));
    RETURNS("two: cuMemcpyPeerAsync ends", cuStreamSynchronize(0));
    answer("two: cuMemcpyPeerAsync copied", "%x", first_word(of_1));
    RETURNS("two: cuMemcpyPeer, contexts exchanged", cuMemcpyPeer(of_1, own[0], of_0, own[1], BYTES));
    RETURNS("two: cuMemcpyPeer, no context", cuMemcpyPeer(of_1, NULL, of_0, own[0], BYTES));
    RETURNS("two: cuMemcpyPeer, of no bytes", cuMemcpyPeer(of_1, own[1], of_0, own[0], 0));
    RETURNS("two: cuMemcpyPeer, too many bytes", cuMemcpyPeer(of_1, own[1], of_0, own[0], (size_t)1 << 40));
    NEED(cuCtxSetCurrent(NULL));
    RETURNS("two: cuMemcpyPeer with none current", cuMemcpyPeer(of_1, own[1], of_0, own[0], BYTES));
}

static void three_dimensions_between_contexts(void)
{
    CUDA_MEMCPY3D_PEER copy;
    in_two_contexts();
    memset(&copy, 0, sizeof copy);
    copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = ones(0);
    copy.dstDevice = ones(1);
    copy.srcContext = own[0];
    copy.dstContext = own[1];
    copy.srcPitch = copy.dstPitch = 64;
    copy.srcHeight = copy.dstHeight = 4;
    copy.WidthInBytes = 32;
    copy.Height = 4;
    copy.Depth = 2;
    NEED(cuMemsetD8(copy.srcDevice, 5, BYTES));
    RETURNS("two: cuMemcpy3DPeer", cuMemcpy3DPeer(&copy));
    answer("two: cuMemcpy3DPeer copied", "%x, beside it %x", first_word(copy.dstDevice),
           first_word(copy.dstDevice + 32));
    NEED(cuMemsetD8(copy.srcDevice, 6, BYTES));
    RETURNS("two: cuMemcpy3DPeerAsync", cuMemcpy3DPeerAsync(&copy, 0));
    NEED(cuCtxSynchronize());
    answer("two: cuMemcpy3DPeerAsync copied", "%x", first_word(copy.dstDevice));
    copy.dstContext = NULL;
    RETURNS("two: cuMemcpy3DPeer, no context", cuMemcpy3DPeer(&copy));
}

static void managed_memory_goes_to_either(void)
{
    CUdeviceptr p;
    CUcontext context = NULL;
    CUmemLocation location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 1};
    int device = -1, last = -1;
    in_two_contexts();
    NEED(cuMemAllocManaged(&p, 1 << 20, CU_MEM_ATTACH_GLOBAL));
    NEED(cuMemsetD8(p, 1, 1 << 20));
    NEED(cuCtxSynchronize());
    RETURNS("two: prefetch to 1", cuMemPrefetchAsync(p, 1 << 20, location, 0, 0));
    NEED(cuCtxSynchronize());
    NEED(cuMemRangeGetAttribute(&last, sizeof last, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, p,
                                1 << 20));
    answer("two: last prefetch", "%d", last);
    NEED(cuPointerGetAttribute(&context, CU_POINTER_ATTRIBUTE_CONTEXT, p));
    NEED(cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, p));
    answer("two: managed: context, device", "%s %d", which(context), device);
    RETURNS("two: advice: prefers 1",
            cuMemAdvise(p, 1 << 20, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, location));
    location.id = 2;
    RETURNS("two: advice: prefers 2",
            cuMemAdvise(p, 1 << 20, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, location));
}

static void each_device_has_a_pool(void)
{
    CUmemoryPool of_0 = NULL, of_1 = NULL, now = NULL;
    CUdeviceptr p;
    CUmemLocation location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0};
    CUmemAccessDesc access = {.location = location, .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUmemAccess_flags flags = 0;
    int device = -1;
    in_two_contexts();
    NEED(cuDeviceGetDefaultMemPool(&of_0, 0));
    RETURNS("two: default pool of 1", cuDeviceGetDefaultMemPool(&of_1, 1));
    answer("two: default pools differ", "%d", of_0 != of_1);
    RETURNS("two: pool of 0 for 1", cuDeviceSetMemPool(1, of_0));
    NEED(cuDeviceGetMemPool(&now, 1));
    answer("two: 1's pool is its own", "%d", now == of_1);
    NEED(cuMemPoolGetAccess(&flags, of_1, &location));
    answer("two: 0's access to 1's pool", "%d", (int)flags);
    RETURNS("two: 0 gets access to 1's pool", cuMemPoolSetAccess(of_1, &access, 1));
    NEED(cuMemPoolGetAccess(&flags, of_1, &location));
    answer("two: 0's access then", "%d", (int)flags);
    RETURNS("two: from 1's pool, 0 current", cuMemAllocFromPoolAsync(&p, BYTES, of_1, 0));
    NEED(cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, p));
    answer("two: from 1's pool: device", "%d", device);
    RETURNS("two: from 1's pool: filled by 0", cuMemsetD8Async(p, 3, BYTES, 0));
    NEED(cuCtxSynchronize());
    answer("two: from 1's pool: read", "%x", first_word(p));
}

const struct behaviour two_behaviours[] = {
    {"two_devices_are_two", devices_are_two},
    {"two_what_lies_between", what_lies_between},
    {"two_each_device_has_a_primary_context", each_device_has_a_primary_context},
    {"two_resetting_one_leaves_the_other", resetting_one_leaves_the_other},
    {"two_contexts_of_both_form_one_stack", contexts_of_both_form_one_stack},
    {"two_a_context_has_limits_of_its_own", a_context_has_limits_of_its_own},
    {"two_threads_choose_for_themselves", threads_choose_for_themselves},
    {"two_memory_belongs_to_its_context", memory_belongs_to_its_context},
    {"two_copies_between_contexts", copies_between_contexts},
    {"two_three_dimensions_between_contexts", three_dimensions_between_contexts},
    {"two_managed_memory_goes_to_either", managed_memory_goes_to_either},
    {"two_each_device_has_a_pool", each_device_has_a_pool},
    {NULL, NULL},
};
