/**
 * @file pool.c
 * @brief Stream-ordered allocation (CUDA Runtime API, Stream Ordered Memory Allocator).
 *
 * An allocation exists at once, and ends when its stream gets to cudaFreeAsync(). What a pool has taken from
 * the device (`reserved`) is only a number: it grows by whole chunks, and at a synchronisation it falls to
 * what is in use, or to the release threshold. Memory that is freed in stream order counts as free for the
 * pool's next allocation, in whichever stream. The rules and the chunk are an H200's (driver 580, CUDA 13.0).
 *
 * Two things are not modelled. Memory freed in one stream may be reused in another before the two are ordered
 * (the reuse attributes are kept and reported). And a synchronisation costs no time for the release itself.
 */
#include "graph_memory.h"
#include "memory.h"
#include "pool.h"
#include "../record/counters.h"
#include "../space/managed.h"
#include "../base/foreign_call.h"
#include "../base/machine.h"
#include "../base/sticky.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK ((size_t)32 << 20)

static struct umsim_pool default_pool[UMSIM_DEVICES_MAX];
static struct umsim_pool *current[UMSIM_DEVICES_MAX]; /* of each device */
static uint64_t settled; /* number of the program's synchronisations when reserved memory was last settled */

/* The first of all pools: the devices' default ones come first. */
static struct umsim_pool *first_pool(void)
{
    for (unsigned device = umsim_devices; device-- > 0 && !current[device];) {
        current[device] = &default_pool[device];
        default_pool[device] = (struct umsim_pool){.most = SIZE_MAX, .reuse = {1, 1, 1}, .device = device};
        if (device + 1 < umsim_devices)
            default_pool[device].next = &default_pool[device + 1];
    }
    return &default_pool[0];
}

static bool is_default(const struct umsim_pool *pool)
{
    return pool == &default_pool[pool->device];
}

/* ---- reserved memory ---- */

static size_t whole_chunks(size_t bytes)
{
    return bytes > SIZE_MAX - CHUNK ? SIZE_MAX / CHUNK * CHUNK : (bytes + CHUNK - 1) / CHUNK * CHUNK;
}

/* Gives back what exceeds both `keep` and what is in use. */
static void shrink(struct umsim_pool *pool, size_t keep)
{
    size_t kept = whole_chunks(keep > pool->need ? keep : pool->need);
    if (pool->reserved <= kept)
        return;
    pool->reserved = kept;
    umsim_device_bytes_changed(pool->device);
}

/* Frees destroyed pools that have no allocation left. */
static void sweep(void)
{
    for (struct umsim_pool **link = &first_pool()->next; *link;) {
        struct umsim_pool *pool = *link;
        if (pool->destroyed && pool->pages == 0) {
            *link = pool->next;
            free(pool);
        } else {
            link = &pool->next;
        }
    }
}

/* Applies to the pools what the synchronisations since the last time have released. */
static void settle(void)
{
    uint64_t synchronizations = __atomic_load_n(&umsim_counters.synchronizations, __ATOMIC_RELAXED);
    if (settled == synchronizations)
        return;
    settled = synchronizations;
    for (struct umsim_pool *pool = first_pool(); pool; pool = pool->next)
        shrink(pool, pool->threshold);
    sweep();
}

size_t umsim_pools_held(unsigned device)
{
    size_t held = 0;
    settle();
    for (struct umsim_pool *pool = first_pool(); pool; pool = pool->next)
        held += pool->device == device && pool->reserved > pool->pages ? pool->reserved - pool->pages : 0;
    return held;
}

/* From here on the pool counts the memory as free, though its pages may still exist. */
static void no_longer_used(const struct umsim_alloc *allocation)
{
    allocation->pool->used -= allocation->bytes;
    allocation->pool->need -= allocation->reserved;
}

void umsim_pool_forget(struct umsim_alloc *allocation)
{
    if (!allocation->pool)
        return;
    if (!allocation->free_queued)
        no_longer_used(allocation);
    allocation->pool->pages -= allocation->reserved;
    allocation->pool = NULL;
}

void umsim_pools_trim(void)
{
    for (struct umsim_pool *pool = first_pool(); pool; pool = pool->next)
        if (pool->device == umsim_device())
            shrink(pool, 0);
}

/* ---- handles ---- */

struct umsim_pool *umsim_pool_of(cudaMemPool_t handle)
{
    for (struct umsim_pool *pool = first_pool(); pool; pool = pool->next)
        if (pool == (struct umsim_pool *)handle)
            return pool->destroyed ? NULL : pool;
    return NULL;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *memPool, int device)
{
    UMSIM_ENTER_AS(cudaDeviceGetDefaultMemPool, UMSIM_ANSWERS_ALWAYS, memPool, device);
    if (!memPool || !umsim_is_device(device))
        return umsim_leave(memPool ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    first_pool();
    *memPool = (cudaMemPool_t)&default_pool[device];
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *memPool, int device)
{
    UMSIM_ENTER_AS(cudaDeviceGetMemPool, UMSIM_ANSWERS_ALWAYS, memPool, device);
    if (!memPool || !umsim_is_device(device))
        return umsim_leave(cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    first_pool();
    *memPool = (cudaMemPool_t)current[device];
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t memPool)
{
    UMSIM_ENTER(cudaDeviceSetMemPool, device, memPool);
    struct umsim_pool *pool = umsim_pool_of(memPool);
    if (!pool || !umsim_is_device(device) || pool->device != (unsigned)device)
        return umsim_leave(cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    current[device] = pool;
    return umsim_leave(cudaSuccess);
}

/* Only pools of device memory that are not shared with other processes; an H200 has others too. */
static cudaError_t check_properties(const struct cudaMemPoolProps *wanted)
{
    const unsigned shared = cudaMemHandleTypePosixFileDescriptor | cudaMemHandleTypeFabric;
    const struct cudaMemLocation where = wanted->location;
    for (size_t i = 0; i < sizeof wanted->reserved; i++)
        if (wanted->reserved[i])
            return cudaErrorInvalidValue;
    if (wanted->handleTypes & ~shared)
        return cudaErrorInvalidValue;
    if (wanted->allocType != cudaMemAllocationTypePinned)
        return wanted->allocType == cudaMemAllocationTypeManaged ? cudaErrorNotSupported
                                                                 : cudaErrorInvalidValue;
    if (where.type == cudaMemLocationTypeInvalid || where.type > cudaMemLocationTypeHostNumaCurrent)
        return cudaErrorInvalidValue;
    if (where.type != cudaMemLocationTypeDevice || wanted->handleTypes || wanted->usage)
        return cudaErrorNotSupported;
    return umsim_is_device(where.id) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *memPool, const struct cudaMemPoolProps *poolProps)
{
    UMSIM_ENTER(cudaMemPoolCreate, memPool, poolProps);
    cudaError_t error = memPool && poolProps ? check_properties(poolProps) : cudaErrorInvalidValue;
    if (error)
        return umsim_leave(error);
    struct umsim_pool *pool = malloc(sizeof *pool);
    if (!pool)
        return umsim_leave(cudaErrorMemoryAllocation);
    umsim_spend(UMSIM_CALL_LOOKUP);
    *pool = (struct umsim_pool){.reuse = {1, 1, 1}, .next = first_pool()->next};
    pool->device = (unsigned)poolProps->location.id;
    pool->most = poolProps->maxSize ? whole_chunks(poolProps->maxSize) : SIZE_MAX;
    first_pool()->next = pool;
    *memPool = (cudaMemPool_t)pool;
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t memPool)
{
    UMSIM_ENTER(cudaMemPoolDestroy, memPool);
    struct umsim_pool *pool = umsim_pool_of(memPool);
    if (!pool || is_default(pool))
        return umsim_leave(cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    if (pool == current[pool->device])
        current[pool->device] = &default_pool[pool->device];
    pool->destroyed = true;
    pool->threshold = 0;
    shrink(pool, 0);
    sweep();
    return umsim_leave(cudaSuccess);
}

/* ---- attributes ---- */

static bool is_reuse(enum cudaMemPoolAttr attr)
{
    return attr >= cudaMemPoolReuseFollowEventDependencies &&
           attr <= cudaMemPoolReuseAllowInternalDependencies;
}

static cudaError_t get_bytes(const struct umsim_pool *pool, enum cudaMemPoolAttr attr, uint64_t *value)
{
    switch (attr) {
    case cudaMemPoolAttrReleaseThreshold:
        *value = pool->threshold;
        return cudaSuccess;
    case cudaMemPoolAttrReservedMemCurrent:
        *value = pool->reserved;
        return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
        *value = pool->reserved_high;
        return cudaSuccess;
    case cudaMemPoolAttrUsedMemCurrent:
        *value = pool->used;
        return cudaSuccess;
    case cudaMemPoolAttrUsedMemHigh:
        *value = pool->used_high;
        return cudaSuccess;
    default:
        return cudaErrorInvalidValue;
    }
}

/* High-water marks can only be set to 0; they then start again from the current value. */
static cudaError_t set_bytes(struct umsim_pool *pool, enum cudaMemPoolAttr attr, uint64_t value)
{
    if (attr == cudaMemPoolAttrReleaseThreshold)
        pool->threshold = value;
    else if (attr == cudaMemPoolAttrReservedMemHigh && value == 0)
        pool->reserved_high = pool->reserved;
    else if (attr == cudaMemPoolAttrUsedMemHigh && value == 0)
        pool->used_high = pool->used;
    else
        return cudaErrorInvalidValue;
    return cudaSuccess;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void *value)
{
    UMSIM_ENTER_AS(cudaMemPoolGetAttribute, UMSIM_ANSWERS_ALWAYS, memPool, attr, value);
    struct umsim_pool *pool = umsim_pool_of(memPool);
    if (!pool || !value)
        return umsim_leave(cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    settle();
    if (!is_reuse(attr))
        return umsim_leave(get_bytes(pool, attr, value));
    *(int *)value = pool->reuse[attr - cudaMemPoolReuseFollowEventDependencies];
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void *value)
{
    UMSIM_ENTER(cudaMemPoolSetAttribute, memPool, attr, value);
    struct umsim_pool *pool = umsim_pool_of(memPool);
    if (!pool || !value)
        return umsim_leave(cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    settle();
    if (is_reuse(attr)) {
        pool->reuse[attr - cudaMemPoolReuseFollowEventDependencies] = *(int *)value != 0;
        return umsim_leave(cudaSuccess);
    }
    bool known = attr >= cudaMemPoolAttrReleaseThreshold && attr <= cudaMemPoolAttrUsedMemHigh;
    return umsim_leave(known ? set_bytes(pool, attr, *(uint64_t *)value) : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t memPool, size_t minBytesToKeep)
{
    UMSIM_ENTER(cudaMemPoolTrimTo, memPool, minBytesToKeep);
    struct umsim_pool *pool = umsim_pool_of(memPool);
    if (!pool)
        return umsim_leave(cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    settle();
    shrink(pool, minBytesToKeep);
    return umsim_leave(cudaSuccess);
}

/* ---- allocating ---- */

/* Each chunk that a pool has to take first costs what cudaMalloc() of that size costs (assumed). */
static void grow(struct umsim_pool *pool, size_t need)
{
    size_t wanted = whole_chunks(need);
    for (; pool->reserved < wanted; pool->reserved += CHUNK)
        umsim_spend_allocation(UMSIM_MALLOC, CHUNK);
    if (pool->reserved > pool->reserved_high)
        pool->reserved_high = pool->reserved;
}

/* What the pool itself holds does not stand in the way of its own allocation. */
static cudaError_t take_pages(struct umsim_pool *pool, size_t bytes, const char *call, const void *caller,
                              struct umsim_alloc **allocation)
{
    const size_t reserved = pool->reserved;
    const unsigned device = umsim_device();
    pool->reserved = 0;
    umsim_device_set(pool->device);
    cudaError_t error = umsim_device_allocate(bytes, call, caller, allocation);
    umsim_device_set(device);
    pool->reserved = reserved;
    return error;
}

static cudaError_t take(struct umsim_pool *pool, void **p, size_t bytes, const char *call, const void *caller)
{
    struct umsim_alloc *allocation;
    if (bytes > pool->most - pool->need)
        return cudaErrorMemoryAllocation;
    cudaError_t error = take_pages(pool, bytes, call, caller, &allocation);
    if (error)
        return error;
    allocation->pool = pool;
    allocation->listed = pool->access;
    umsim_registry_reach(allocation);
    pool->used += bytes;
    pool->need += allocation->reserved;
    pool->pages += allocation->reserved;
    if (pool->used > pool->used_high)
        pool->used_high = pool->used;
    grow(pool, pool->need);
    umsim_spend_allocation(UMSIM_MALLOC_ASYNC, bytes);
    umsim_device_bytes_changed(pool->device);
    *p = allocation->base;
    return cudaSuccess;
}

/* The pool that is current on the stream's device. */
static struct umsim_pool *current_of(const struct umsim_stream *stream)
{
    first_pool();
    return current[stream ? stream->device : 0];
}

/* Memory whose cudaFreeAsync() has not run yet is still occupied here, although the pool counts it as free.
 * So where the device is full, everything that was issued is run first. The caller's clock does not wait for
 * it. */
static cudaError_t allocate(cudaMemPool_t handle, void **p, size_t bytes, cudaStream_t stream,
                            const char *call, const void *caller)
{
    for (bool again = false;; again = true) {
        struct umsim_stream *known = umsim_stream_of(stream);
        struct umsim_pool *pool = handle ? umsim_pool_of(handle) : current_of(known);
        if (!p || !pool)
            return cudaErrorInvalidValue;
        cudaError_t error = known ? umsim_admit(known, false) : cudaErrorInvalidResourceHandle;
        if (error)
            return error;
        if (bytes == 0) {
            *p = NULL;
            return cudaSuccess;
        }
        if (known->capture)
            return umsim_capture_alloc(known, pool, p, bytes, call, caller);
        settle();
        error = take(pool, p, bytes, call, caller);
        bool may_fit =
            bytes <= (size_t)umsim_machine_of(pool->device)->capacity.free_at_start && bytes <= pool->most;
        if (error != cudaErrorMemoryAllocation || again || !may_fit || !umsim_queue_pending())
            return error;
        umsim_queue_finish_all();
        if (umsim_sticky_error())
            return umsim_sticky_error();
    }
}

cudaError_t cudaMallocAsync(void **devPtr, size_t size, cudaStream_t hStream)
{
    UMSIM_ENTER(cudaMallocAsync, devPtr, size, hStream);
    return umsim_leave(allocate(NULL, devPtr, size, hStream, "cudaMallocAsync", __builtin_return_address(0)));
}

cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream)
{
    UMSIM_ENTER(cudaMallocFromPoolAsync, ptr, size, memPool, stream);
    return umsim_leave(!memPool ? cudaErrorInvalidValue
                                : allocate(memPool, ptr, size, stream, "cudaMallocFromPoolAsync",
                                           __builtin_return_address(0)));
}

/* ---- freeing ---- */

struct free_op {
    struct umsim_op op;
    void *base; /* not the entry itself: a reset may remove that before */
};

static void run_free(struct umsim_op *op)
{
    void *base = ((struct free_op *)op)->base;
    struct umsim_alloc *allocation = umsim_registry_find(base);
    op->engine = UMSIM_ENGINE_NONE;
    if (!allocation || allocation->base != base || !allocation->free_queued)
        return;
    umsim_pool_forget(allocation);
    umsim_device_release(allocation);
}

/* Memory of cudaMalloc() can be freed in stream order too; managed memory cannot. */
static cudaError_t check_free(const struct umsim_alloc *allocation, const void *p)
{
    if (!allocation || allocation->base != p || allocation->free_queued)
        return cudaErrorInvalidValue;
    if (allocation->memory == UMSIM_MANAGED)
        return cudaErrorNotSupported;
    return allocation->memory == UMSIM_DEVICE ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaFreeAsync(void *devPtr, cudaStream_t hStream)
{
    UMSIM_ENTER(cudaFreeAsync, devPtr, hStream);
    struct umsim_stream *stream = umsim_stream_of(hStream);
    cudaError_t error = stream ? umsim_admit(stream, false) : cudaErrorInvalidResourceHandle;
    if (error)
        return umsim_leave(error);
    if (!devPtr)
        return umsim_leave(cudaSuccess);
    if (stream->capture)
        return umsim_leave(umsim_capture_free(stream, devPtr));
    settle();
    struct umsim_alloc *allocation = umsim_registry_find(devPtr);
    error = check_free(allocation, devPtr);
    if (error || allocation->of_graph)
        return umsim_leave(error ? error : umsim_graph_memory_free(allocation, stream));
    struct free_op *it = umsim_op_make(sizeof *it, "free");
    if (!it)
        return umsim_leave(cudaErrorMemoryAllocation);
    it->op.run = run_free;
    it->base = devPtr;
    if (allocation->pool)
        no_longer_used(allocation);
    allocation->free_queued = true;
    allocation->freed_call = "cudaFreeAsync";
    allocation->freed_caller = umsim_call_place(__builtin_return_address(0));
    umsim_spend_allocation(UMSIM_FREE_ASYNC, allocation->bytes);
    umsim_op_issue(&it->op, stream);
    return umsim_leave(cudaSuccess);
}
