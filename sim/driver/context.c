/**
 * @file context.c
 * @brief Implementation of context.h, and cuInit() (CUDA Driver API: Initialization, Primary Context
 * Management, Context Management).
 */
#include "context.h"
#include "../base/python_place.h"
#include "../api/memory.h"
#include "../base/lock.h"
#include "../base/report.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct CUctx_st primaries[UMSIM_DEVICES_MAX]; /* their ids are below those of contexts that are made */
static struct CUctx_st *made;                        /* by cuCtxCreate(), the newest first */
static unsigned long long last_id = UMSIM_DEVICES_MAX;
static atomic_bool initialized;

/* A thread's contexts, and what it has said about its next call. Reached by a pointer: see launch.c. */
struct thread {
    CUcontext *stack;
    size_t count, capacity;
    bool per_thread;
};

static pthread_key_t key;

static void end_of_thread(void *mine)
{
    free(((struct thread *)mine)->stack);
    free(mine);
}

static void make_key(void)
{
    pthread_key_create(&key, end_of_thread);
}

static struct thread *thread(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    static __thread struct thread *mine __attribute__((tls_model("initial-exec")));
    if (mine)
        return mine;
    pthread_once(&once, make_key);
    mine = calloc(1, sizeof *mine);
    if (!mine || pthread_setspecific(key, mine) != 0)
        umsim_die("no memory for a thread's contexts");
    return mine;
}

CUcontext umsim_context_primary(unsigned device)
{
    struct CUctx_st *it = &primaries[device];
    it->id = device + 1;
    it->device = it->peers.device = device;
    return it;
}

bool umsim_context_is_primary(CUcontext context)
{
    return context >= primaries && context < primaries + UMSIM_DEVICES_MAX;
}

/* The current context has changed: the device goes with it, and whom it belongs to what is made now. */
static void follow(const struct thread *mine)
{
    const CUcontext top = mine->count ? mine->stack[mine->count - 1] : NULL;
    umsim_call_owner = top && !umsim_context_is_primary(top) ? top : NULL;
    if (top)
        umsim_device_set(top->device);
    else
        umsim_device_as_chosen();
}

static void push(struct thread *mine, CUcontext context)
{
    if (mine->count == mine->capacity) {
        mine->capacity = mine->capacity ? 2 * mine->capacity : 8;
        mine->stack = realloc(mine->stack, mine->capacity * sizeof *mine->stack);
        if (!mine->stack)
            umsim_die("no memory for a stack of %zu contexts", mine->capacity);
    }
    mine->stack[mine->count++] = context;
    follow(mine);
}

static void pop(struct thread *mine)
{
    mine->count -= mine->count > 0;
    follow(mine);
}

/* NULL takes the current one off. */
static void replace(struct thread *mine, CUcontext context)
{
    pop(mine);
    if (context)
        push(mine, context);
}

/* What the runtime's calls have asked for happens when a call of the driver's looks. */
static void let_runtime_choose(struct thread *mine)
{
    const enum umsim_primary wanted = umsim_primary_wanted();
    if (wanted == UMSIM_PRIMARY_NOT_WANTED || (wanted == UMSIM_PRIMARY_IF_NONE && mine->count))
        return;
    umsim_device_as_chosen();
    const CUcontext primary = umsim_context_primary(umsim_device());
    primary->destroyed = false;
    replace(mine, primary);
}

CUcontext umsim_context_current(void)
{
    struct thread *mine = thread();
    let_runtime_choose(mine);
    return mine->count ? mine->stack[mine->count - 1] : NULL;
}

static CUcontext find(CUcontext context)
{
    CUcontext it = umsim_context_is_primary(context) ? context : NULL;
    pthread_mutex_lock(&mutex);
    for (CUcontext other = made; other && !it; other = other->next)
        it = other == context ? other : NULL;
    pthread_mutex_unlock(&mutex);
    return it;
}

bool umsim_context_lives(CUcontext context)
{
    const CUcontext it = find(context);
    return it && !it->destroyed;
}

CUcontext umsim_context_of_owner(const void *owner, unsigned device)
{
    return owner ? (CUcontext)(uintptr_t)owner : umsim_context_primary(device);
}

unsigned umsim_context_device(CUcontext context)
{
    return umsim_context_lives(context) ? context->device : umsim_device();
}

bool umsim_driver_is_initialized(void)
{
    return atomic_load(&initialized) || umsim_runtime_is_called();
}

/* ---- every call ---- */

void umsim_driver_per_thread(void)
{
    thread()->per_thread = true;
}

CUresult umsim_driver_enter(struct umsim_driver_frame *frame, enum umsim_driver_needs needs)
{
    struct thread *mine = thread();
    frame->per_thread = mine->per_thread;
    mine->per_thread = false;
    if (needs != UMSIM_NEEDS_NOTHING && !umsim_driver_is_initialized())
        return CUDA_ERROR_NOT_INITIALIZED;
    const CUcontext current = umsim_context_current();
    if (needs == UMSIM_NEEDS_CONTEXT && !current)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (needs == UMSIM_NEEDS_CONTEXT && current->destroyed)
        return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    frame->outer = umsim_foreign_call;
    frame->entered = true;
    if (!umsim_foreign_call)
        umsim_python_call = umsim_python_place();
    umsim_foreign_call = &frame->call;
    return CUDA_SUCCESS;
}

void umsim_driver_leave(struct umsim_driver_frame *frame)
{
    if (frame->entered)
        umsim_foreign_call = frame->outer;
}

/* The simulated machine is made now: its device is asked about next. */
CUresult cuInit(unsigned int Flags)
{
    UMSIM_DRIVER(cuInit, UMSIM_NEEDS_NOTHING);
    int count;
    if (Flags)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult error = umsim_result(cudaGetDeviceCount(&count));
    if (!error)
        atomic_store(&initialized, true);
    return error;
}

/* ---- contexts of the program's ---- */

static CUresult create(CUcontext *pctx, const CUctxCreateParams *params, unsigned flags, CUdevice dev)
{
    if (!pctx || !umsim_context_are_flags(flags))
        return CUDA_ERROR_INVALID_VALUE;
    if (!umsim_is_device(dev))
        return CUDA_ERROR_INVALID_DEVICE;
    if (params && (params->numExecAffinityParams || params->cigParams))
        return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
    const CUresult error = umsim_result(cudaFree(NULL)); /* the device starts now */
    CUcontext it = error ? NULL : calloc(1, sizeof *it);
    if (!it)
        return error ? error : CUDA_ERROR_OUT_OF_MEMORY;
    pthread_mutex_lock(&mutex);
    *it =
        (struct CUctx_st){.id = ++last_id, .device = (unsigned)dev, .flags = flags, .users = 1, .next = made};
    it->peers.owner = it;
    it->peers.device = (unsigned)dev;
    made = it;
    pthread_mutex_unlock(&mutex);
    umsim_context_current(); /* what the runtime has asked for comes below it */
    push(thread(), it);
    *pctx = it;
    return CUDA_SUCCESS;
}

CUresult cuCtxCreate(CUcontext *pctx, CUctxCreateParams *ctxCreateParams, unsigned int flags, CUdevice dev)
{
    UMSIM_DRIVER(cuCtxCreate, UMSIM_NEEDS_INIT);
    return create(pctx, ctxCreateParams, flags, dev);
}

/* The forms before CUDA 12.5 and 11.4. */
CUresult cuCtxCreate_v3(CUcontext *pctx, CUexecAffinityParam *paramsArray, int numParams, unsigned int flags,
                        CUdevice dev)
{
    UMSIM_DRIVER(cuCtxCreate, UMSIM_NEEDS_INIT);
    const CUctxCreateParams params = {paramsArray, numParams, NULL};
    return create(pctx, &params, flags, dev);
}

CUresult cuCtxCreate_v2(CUcontext *pctx, unsigned int flags, CUdevice dev)
{
    UMSIM_DRIVER(cuCtxCreate, UMSIM_NEEDS_INIT);
    return create(pctx, NULL, flags, dev);
}

static void take_off(CUcontext context)
{
    struct thread *mine = thread();
    if (mine->count && mine->stack[mine->count - 1] == context)
        pop(mine);
}

static CUresult destroy(CUcontext context)
{
    if (umsim_context_is_primary(context) || !umsim_context_lives(context))
        return context ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE;
    UMSIM_AS_DEVICE(context->device);
    context->destroyed = true;
    umsim_lock();
    umsim_release_owned(context);
    umsim_unlock();
    umsim_context_without_peers(context);
    take_off(context);
    return CUDA_SUCCESS;
}

CUresult cuCtxDestroy(CUcontext ctx)
{
    UMSIM_DRIVER(cuCtxDestroy, UMSIM_NEEDS_INIT);
    return destroy(ctx);
}

CUresult cuCtxAttach(CUcontext *pctx, unsigned int flags)
{
    UMSIM_DRIVER(cuCtxAttach, UMSIM_NEEDS_CONTEXT);
    if (!pctx || flags)
        return CUDA_ERROR_INVALID_VALUE;
    *pctx = umsim_context_current();
    (*pctx)->users++;
    return CUDA_SUCCESS;
}

CUresult cuCtxDetach(CUcontext ctx)
{
    UMSIM_DRIVER(cuCtxDetach, UMSIM_NEEDS_CONTEXT);
    if (ctx != umsim_context_current())
        return CUDA_ERROR_INVALID_CONTEXT;
    return umsim_context_is_primary(ctx) || --ctx->users ? CUDA_SUCCESS : destroy(ctx);
}

/* ---- which one is current ---- */

CUresult cuCtxPushCurrent(CUcontext ctx)
{
    UMSIM_DRIVER(cuCtxPushCurrent, UMSIM_NEEDS_INIT);
    if (!find(ctx))
        return ctx ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE;
    push(thread(), ctx);
    return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent(CUcontext *pctx)
{
    UMSIM_DRIVER(cuCtxPopCurrent, UMSIM_NEEDS_INIT);
    const CUcontext current = umsim_context_current();
    if (!current)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (pctx)
        *pctx = current;
    pop(thread());
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext ctx)
{
    UMSIM_DRIVER(cuCtxSetCurrent, UMSIM_NEEDS_INIT);
    if (ctx && !find(ctx))
        return CUDA_ERROR_INVALID_CONTEXT;
    replace(thread(), ctx);
    return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *pctx)
{
    UMSIM_DRIVER(cuCtxGetCurrent, UMSIM_NEEDS_INIT);
    if (!pctx)
        return CUDA_ERROR_INVALID_VALUE;
    *pctx = umsim_context_current();
    return CUDA_SUCCESS;
}

/* ---- what a context knows of itself ---- */

CUresult cuCtxGetFlags(unsigned int *flags)
{
    UMSIM_DRIVER(cuCtxGetFlags, UMSIM_NEEDS_CONTEXT);
    if (!flags)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = umsim_context_current()->flags;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetFlags(unsigned int flags)
{
    UMSIM_DRIVER(cuCtxSetFlags, UMSIM_NEEDS_CONTEXT);
    if (!umsim_context_are_flags(flags))
        return CUDA_ERROR_INVALID_VALUE;
    umsim_context_current()->flags = flags;
    return CUDA_SUCCESS;
}

/* NULL is the current one. */
static CUcontext or_current(CUcontext ctx)
{
    return ctx ? ctx : umsim_context_current();
}

CUresult cuCtxGetId(CUcontext ctx, unsigned long long *ctxId)
{
    UMSIM_DRIVER(cuCtxGetId, UMSIM_NEEDS_INIT);
    if (!ctxId)
        return CUDA_ERROR_INVALID_VALUE;
    const CUcontext it = or_current(ctx);
    if (!umsim_context_lives(it))
        return it ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_ERROR_INVALID_CONTEXT;
    *ctxId = it->id;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext ctx, unsigned int *version)
{
    UMSIM_DRIVER(cuCtxGetApiVersion, UMSIM_NEEDS_INIT);
    if (!version || !umsim_context_lives(or_current(ctx)))
        return version ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE;
    *version = 3020; /* since then there is one kind of context */
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device)
{
    UMSIM_DRIVER(cuCtxGetDevice, UMSIM_NEEDS_CONTEXT);
    return device ? umsim_result(cudaGetDevice(device)) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuCtxGetDevice_v2(CUdevice *device, CUcontext ctx)
{
    UMSIM_DRIVER(cuCtxGetDevice, UMSIM_NEEDS_INIT);
    const CUcontext it = or_current(ctx);
    if (!device || !umsim_context_lives(it))
        return device ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE;
    *device = (CUdevice)it->device;
    return CUDA_SUCCESS;
}
