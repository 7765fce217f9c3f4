/**
 * @file context.c
 * @brief Contexts: the primary one, a program's own, the stack of each thread, limits.
 */
#include "behaviour.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Contexts are told apart by where they come from. */
static CUcontext first, second;

static const char *which(CUcontext context)
{
    return !context ? "none" : context == first ? "the first" : context == second ? "the second" : "another";
}

static void current(const char *name)
{
    CUcontext context = (CUcontext)(size_t)1;
    const CUresult result = cuCtxGetCurrent(&context);
    answer(name, "%s: %s", result_name(result), which(context));
}

static void without_a_context_most_is_refused(void)
{
    CUdeviceptr p = 0;
    CUstream stream;
    CUevent event;
    CUdevice device;
    CUcontext context;
    unsigned flags;
    size_t bytes;
    NEED(cuInit(0));
    first = second = NULL;
    current("no context: cuCtxGetCurrent");
    RETURNS("no context: cuCtxGetCurrent(NULL)", cuCtxGetCurrent(NULL));
    RETURNS("no context: cuMemAlloc", cuMemAlloc(&p, 16));
    RETURNS("no context: cuMemFree(0)", cuMemFree(0));
    RETURNS("no context: cuMemGetInfo", cuMemGetInfo(&bytes, &bytes));
    RETURNS("no context: cuMemAllocHost", cuMemAllocHost((void **)&p, 16));
    RETURNS("no context: cuMemAllocManaged", cuMemAllocManaged(&p, 16, CU_MEM_ATTACH_GLOBAL));
    RETURNS("no context: cuStreamCreate", cuStreamCreate(&stream, 0));
    RETURNS("no context: cuEventCreate", cuEventCreate(&event, 0));
    RETURNS("no context: cuCtxSynchronize", cuCtxSynchronize());
    RETURNS("no context: cuStreamSynchronize(0)", cuStreamSynchronize(0));
    RETURNS("no context: cuCtxGetDevice", cuCtxGetDevice(&device));
    RETURNS("no context: cuCtxGetFlags", cuCtxGetFlags(&flags));
    RETURNS("no context: cuCtxPopCurrent", cuCtxPopCurrent(&context));
    RETURNS("no context: cuCtxSetCurrent(NULL)", cuCtxSetCurrent(NULL));
    RETURNS("no context: cuMemcpyHtoD of 0 bytes", cuMemcpyHtoD(0, "", 0));
    RETURNS("no context: cuMemAlloc(NULL)", cuMemAlloc(NULL, 16));
    RETURNS("no context: cuCtxGetLimit", cuCtxGetLimit(&bytes, CU_LIMIT_STACK_SIZE));
}

static void a_context_is_current_where_it_was_made(void)
{
    NEED(cuInit(0));
    RETURNS("cuCtxCreate(NULL)", cuCtxCreate(NULL, NULL, 0, 0));
    RETURNS("cuCtxCreate: device 1000", cuCtxCreate(&first, NULL, 0, 1000));
    RETURNS("cuCtxCreate: device -1", cuCtxCreate(&first, NULL, 0, -1));
    RETURNS("cuCtxCreate: flags 0x100000", cuCtxCreate(&first, NULL, 0x100000, 0));
    RETURNS("cuCtxCreate: spin and yield",
            cuCtxCreate(&first, NULL, CU_CTX_SCHED_SPIN | CU_CTX_SCHED_YIELD, 0));
    RETURNS("cuCtxCreate", cuCtxCreate(&first, NULL, 0, 0));
    current("cuCtxCreate: current");
    RETURNS("cuCtxCreate: a second one", cuCtxCreate(&second, NULL, CU_CTX_SCHED_SPIN, 0));
    current("cuCtxCreate: a second one: current");
    RETURNS("cuCtxDestroy: the current one", cuCtxDestroy(second));
    current("cuCtxDestroy: then current");
    RETURNS("cuCtxDestroy(NULL)", cuCtxDestroy(NULL));
    RETURNS("cuCtxDestroy: the last one", cuCtxDestroy(first));
    current("cuCtxDestroy: then none");
}

static void contexts_form_a_stack(void)
{
    CUcontext popped = NULL;
    first = in_a_context();
    second = NULL;
    RETURNS("cuCtxPopCurrent", cuCtxPopCurrent(&popped));
    answer("cuCtxPopCurrent: which", "%s", which(popped));
    current("cuCtxPopCurrent: then current");
    RETURNS("cuCtxPushCurrent", cuCtxPushCurrent(first));
    current("cuCtxPushCurrent: then current");
    RETURNS("cuCtxPushCurrent: the same again", cuCtxPushCurrent(first));
    RETURNS("cuCtxPopCurrent(NULL)", cuCtxPopCurrent(NULL));
    current("cuCtxPopCurrent(NULL): then current");
    RETURNS("cuCtxPushCurrent(NULL)", cuCtxPushCurrent(NULL));
    NEED(cuCtxCreate(&second, NULL, 0, 0));
    RETURNS("cuCtxSetCurrent: another", cuCtxSetCurrent(first));
    current("cuCtxSetCurrent: then current");
    NEED(cuCtxPopCurrent(&popped));
    current("cuCtxSetCurrent, cuCtxPopCurrent: then current");
    RETURNS("cuCtxSetCurrent(NULL)", cuCtxSetCurrent(NULL));
    current("cuCtxSetCurrent(NULL): then current");
    RETURNS("cuCtxPopCurrent: of none", cuCtxPopCurrent(&popped));
}

/* What was made in a context, where none is current any more. */
static void what_was_made_goes_without_a_context(void)
{
    CUdeviceptr p, managed;
    void *pinned, *registered;
    CUstream stream;
    CUevent event;
    CUcontext made = in_a_context();
    registered = aligned_alloc(4096, 4096);
    NEED(cuMemAlloc(&p, 16));
    NEED(cuMemAllocManaged(&managed, 16, CU_MEM_ATTACH_GLOBAL));
    NEED(cuMemAllocHost(&pinned, 16));
    NEED(cuMemHostRegister(registered, 4096, 0));
    NEED(cuStreamCreate(&stream, 0));
    NEED(cuEventCreate(&event, 0));
    NEED(cuCtxSetCurrent(NULL));
    RETURNS("none current: cuEventDestroy", cuEventDestroy(event));
    RETURNS("none current: cuStreamDestroy", cuStreamDestroy(stream));
    RETURNS("none current: cuMemHostUnregister", cuMemHostUnregister(registered));
    RETURNS("none current: cuMemFreeHost", cuMemFreeHost(pinned));
    RETURNS("none current: cuMemFree", cuMemFree(p));
    RETURNS("none current: cuMemFree of managed memory", cuMemFree(managed));
    NEED(cuCtxSetCurrent(made));
    free(registered);
}

static void *in_another_thread(void *unused)
{
    CUdeviceptr p;
    (void)unused;
    current("another thread: cuCtxGetCurrent");
    RETURNS("another thread: cuMemAlloc", cuMemAlloc(&p, 16));
    RETURNS("another thread: cuCtxSetCurrent", cuCtxSetCurrent(first));
    RETURNS("another thread: cuMemAlloc in it", cuMemAlloc(&p, 16));
    RETURNS("another thread: cuMemFree", cuMemFree(p));
    return NULL;
}

static void each_thread_has_its_own_stack(void)
{
    pthread_t thread;
    first = in_a_context();
    pthread_create(&thread, NULL, in_another_thread, NULL);
    pthread_join(thread, NULL);
    current("another thread: has ended");
}

static void *destroy_it(void *unused)
{
    (void)unused;
    RETURNS("cuCtxDestroy: current in another thread", cuCtxDestroy(first));
    return NULL;
}

static void a_destroyed_context_stays_current_elsewhere(void)
{
    pthread_t thread;
    CUdeviceptr p;
    first = in_a_context();
    pthread_create(&thread, NULL, destroy_it, NULL);
    pthread_join(thread, NULL);
    RETURNS("destroyed elsewhere: cuMemAlloc", cuMemAlloc(&p, 16));
    RETURNS("destroyed elsewhere: cuCtxSynchronize", cuCtxSynchronize());
}

static void a_context_tells_of_itself(void)
{
    CUdevice device = -1;
    unsigned flags = 77, version = 0;
    unsigned long long id = 0, other = 0;
    first = in_a_context();
    RETURNS("cuCtxGetDevice", cuCtxGetDevice(&device));
    answer("cuCtxGetDevice: which", "%d", device);
    RETURNS("cuCtxGetDevice(NULL)", cuCtxGetDevice(NULL));
    RETURNS("cuCtxGetFlags", cuCtxGetFlags(&flags));
    answer("cuCtxGetFlags: of 0", "0x%x", flags);
    RETURNS("cuCtxGetFlags(NULL)", cuCtxGetFlags(NULL));
    RETURNS("cuCtxGetId", cuCtxGetId(first, &id));
    RETURNS("cuCtxGetId: NULL context", cuCtxGetId(NULL, &other));
    answer("cuCtxGetId: NULL context: the current one's", "%d", id == other);
    RETURNS("cuCtxGetId(NULL)", cuCtxGetId(first, NULL));
    RETURNS("cuCtxGetApiVersion", cuCtxGetApiVersion(first, &version));
    answer("cuCtxGetApiVersion: which", "%u", version);
    RETURNS("cuCtxGetApiVersion(NULL)", cuCtxGetApiVersion(first, NULL));
    NEED(cuCtxCreate(&second, NULL, CU_CTX_SCHED_BLOCKING_SYNC, 0));
    NEED(cuCtxGetFlags(&flags));
    answer("cuCtxGetFlags: of blocking sync", "0x%x", flags);
    NEED(cuCtxGetId(second, &other));
    answer("cuCtxGetId: another context's", "%d", id != other);
    RETURNS("cuCtxSetFlags: spin", cuCtxSetFlags(CU_CTX_SCHED_SPIN));
    NEED(cuCtxGetFlags(&flags));
    answer("cuCtxGetFlags: after cuCtxSetFlags: spin", "0x%x", flags);
    RETURNS("cuCtxSetFlags: 0x100000", cuCtxSetFlags(0x100000));
}

static void attaching_counts_users(void)
{
    CUcontext attached = NULL;
    first = in_a_context();
    second = NULL;
    RETURNS("cuCtxAttach", cuCtxAttach(&attached, 0));
    answer("cuCtxAttach: which", "%s", which(attached));
    RETURNS("cuCtxAttach: flags 1", cuCtxAttach(&attached, 1));
    RETURNS("cuCtxDetach", cuCtxDetach(first));
    current("cuCtxDetach: one is left");
    RETURNS("cuCtxDetach: the last", cuCtxDetach(first));
    current("cuCtxDetach: none is left");
}

static void hints_are_kept(void)
{
    CUfunc_cache cache = (CUfunc_cache)9;
    int least = 9, greatest = 9;
    in_a_context();
    RETURNS("cuCtxGetCacheConfig", cuCtxGetCacheConfig(&cache));
    answer("cuCtxGetCacheConfig: at first", "%d", (int)cache);
    RETURNS("cuCtxSetCacheConfig: L1", cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1));
    NEED(cuCtxGetCacheConfig(&cache));
    answer("cuCtxGetCacheConfig: after L1", "%d", (int)cache);
    RETURNS("cuCtxSetCacheConfig: 9", cuCtxSetCacheConfig((CUfunc_cache)9));
    RETURNS("cuCtxGetCacheConfig(NULL)", cuCtxGetCacheConfig(NULL));
    RETURNS("cuCtxGetStreamPriorityRange", cuCtxGetStreamPriorityRange(&least, &greatest));
    answer("cuCtxGetStreamPriorityRange: which", "%d to %d", least, greatest);
    RETURNS("cuCtxGetStreamPriorityRange(NULL, NULL)", cuCtxGetStreamPriorityRange(NULL, NULL));
    RETURNS("cuCtxResetPersistingL2Cache", cuCtxResetPersistingL2Cache());
}

static void limits_are_the_runtimes(void)
{
    size_t bytes = 0;
    in_a_context();
    RETURNS("cuCtxGetLimit: stack", cuCtxGetLimit(&bytes, CU_LIMIT_STACK_SIZE));
    answer("cuCtxGetLimit: stack: bytes", "%zu", bytes);
    RETURNS("cuCtxGetLimit: heap", cuCtxGetLimit(&bytes, CU_LIMIT_MALLOC_HEAP_SIZE));
    answer("cuCtxGetLimit: heap: bytes", "%zu", bytes);
    RETURNS("cuCtxGetLimit(NULL)", cuCtxGetLimit(NULL, CU_LIMIT_STACK_SIZE));
    RETURNS("cuCtxGetLimit: 1000", cuCtxGetLimit(&bytes, (CUlimit)1000));
    RETURNS("cuCtxSetLimit: stack 4096", cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
    NEED(cuCtxGetLimit(&bytes, CU_LIMIT_STACK_SIZE));
    answer("cuCtxSetLimit: stack 4096: then", "%zu", bytes);
    RETURNS("cuCtxSetLimit: 1000", cuCtxSetLimit((CUlimit)1000, 1));
}

static void the_primary_context_is_kept_and_released(void)
{
    CUcontext again = NULL;
    unsigned flags = 77;
    int active = 77;
    NEED(cuInit(0));
    RETURNS("cuDevicePrimaryCtxGetState", cuDevicePrimaryCtxGetState(0, &flags, &active));
    answer("cuDevicePrimaryCtxGetState: at first", "flags 0x%x, active %d", flags, active);
    RETURNS("cuDevicePrimaryCtxRetain(NULL)", cuDevicePrimaryCtxRetain(NULL, 0));
    RETURNS("cuDevicePrimaryCtxRetain: device 1000", cuDevicePrimaryCtxRetain(&first, 1000));
    RETURNS("cuDevicePrimaryCtxRelease: not kept", cuDevicePrimaryCtxRelease(0));
    RETURNS("cuDevicePrimaryCtxRetain", cuDevicePrimaryCtxRetain(&first, 0));
    second = NULL;
    current("cuDevicePrimaryCtxRetain: current");
    NEED(cuDevicePrimaryCtxGetState(0, &flags, &active));
    answer("cuDevicePrimaryCtxGetState: kept", "flags 0x%x, active %d", flags, active);
    RETURNS("cuDevicePrimaryCtxRetain: again", cuDevicePrimaryCtxRetain(&again, 0));
    answer("cuDevicePrimaryCtxRetain: again: which", "%s", which(again));
    RETURNS("cuCtxDestroy: the primary one", cuCtxDestroy(first));
    RETURNS("cuDevicePrimaryCtxSetFlags: spin, while kept", cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_SPIN));
    RETURNS("cuDevicePrimaryCtxSetFlags: 0x100000", cuDevicePrimaryCtxSetFlags(0, 0x100000));
    NEED(cuDevicePrimaryCtxGetState(0, &flags, &active));
    answer("cuDevicePrimaryCtxGetState: after spin", "flags 0x%x, active %d", flags, active);
    RETURNS("cuDevicePrimaryCtxRelease: one of two", cuDevicePrimaryCtxRelease(0));
    NEED(cuDevicePrimaryCtxGetState(0, &flags, &active));
    answer("cuDevicePrimaryCtxGetState: one is left", "active %d", active);
    RETURNS("cuDevicePrimaryCtxRelease: the last", cuDevicePrimaryCtxRelease(0));
    NEED(cuDevicePrimaryCtxGetState(0, &flags, &active));
    answer("cuDevicePrimaryCtxGetState: none is left", "active %d", active);
    RETURNS("cuDevicePrimaryCtxRelease: once too often", cuDevicePrimaryCtxRelease(0));
    RETURNS("cuDevicePrimaryCtxReset", cuDevicePrimaryCtxReset(0));
    RETURNS("cuDevicePrimaryCtxGetState: device 1000", cuDevicePrimaryCtxGetState(1000, &flags, &active));
}

static void a_reset_takes_memory_back(void)
{
    CUdeviceptr p = 0;
    NEED(cuInit(0));
    NEED(cuDevicePrimaryCtxRetain(&first, 0));
    NEED(cuCtxSetCurrent(first));
    NEED(cuMemAlloc(&p, 1 << 20));
    RETURNS("cuDevicePrimaryCtxReset: while current", cuDevicePrimaryCtxReset(0));
    RETURNS("cuDevicePrimaryCtxReset: then cuMemAlloc", cuMemAlloc(&p, 16));
}

/* How much is free again, to 64 MiB: contexts themselves take memory. */
static void destroying_frees_what_was_allocated(void)
{
    const size_t bytes = (size_t)512 << 20;
    size_t before = 0, while_it = 0, after = 0, total;
    CUdeviceptr p, kept;
    first = in_a_context();
    NEED(cuMemGetInfo(&before, &total));
    NEED(cuCtxCreate(&second, NULL, 0, 0));
    NEED(cuMemAlloc(&p, bytes));
    NEED(cuCtxPopCurrent(NULL));
    NEED(cuMemAlloc(&kept, bytes));
    NEED(cuMemGetInfo(&while_it, &total));
    answer("cuCtxDestroy: memory before it", "%d", before - while_it >= 2 * bytes);
    NEED(cuCtxDestroy(second));
    NEED(cuMemGetInfo(&after, &total));
    answer("cuCtxDestroy: its memory is free", "%d", after - while_it >= bytes);
    answer("cuCtxDestroy: other memory is not", "%d", before - after >= bytes);
    RETURNS("cuCtxDestroy: cuMemFree of other memory", cuMemFree(kept));
}

static void synchronizing_names_a_context(void)
{
    first = in_a_context();
    RETURNS("cuCtxSynchronize", cuCtxSynchronize());
    RETURNS("cuMemGetInfo(NULL, NULL)", cuMemGetInfo(NULL, NULL));
    RETURNS("cuCtxEnablePeerAccess: itself", cuCtxEnablePeerAccess(first, 0));
    RETURNS("cuCtxEnablePeerAccess: flags 1", cuCtxEnablePeerAccess(first, 1));
    RETURNS("cuCtxDisablePeerAccess: itself", cuCtxDisablePeerAccess(first));
}

#define RUN(name)                                                                                            \
    {                                                                                                        \
#name, name                                                                                          \
    }
const struct behaviour context_behaviours[] = {RUN(without_a_context_most_is_refused),
                                               RUN(a_context_is_current_where_it_was_made),
                                               RUN(contexts_form_a_stack),
                                               RUN(what_was_made_goes_without_a_context),
                                               RUN(each_thread_has_its_own_stack),
                                               RUN(a_destroyed_context_stays_current_elsewhere),
                                               RUN(a_context_tells_of_itself),
                                               RUN(attaching_counts_users),
                                               RUN(hints_are_kept),
                                               RUN(limits_are_the_runtimes),
                                               RUN(the_primary_context_is_kept_and_released),
                                               RUN(a_reset_takes_memory_back),
                                               RUN(destroying_frees_what_was_allocated),
                                               RUN(synchronizing_names_a_context),
                                               {NULL, NULL}};
