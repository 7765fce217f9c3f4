/**
 * @file pool_access.c
 * @brief Which devices may reach the memory of a pool (CUDA Runtime API, Stream Ordered Memory Allocator).
 *
 * cudaDeviceEnablePeerAccess() says nothing about it, as on two H200s.
 */
#include "pool.h"
#include "runtime.h"
#include "../base/machine.h"
#include "../space/views.h"

/* The device itself can always read and write its pools. */
static cudaError_t check_access(const struct umsim_pool *pool, const struct cudaMemAccessDesc *wanted)
{
    if (wanted->location.type != cudaMemLocationTypeDevice)
        return cudaErrorNotSupported;
    if (!umsim_is_device(wanted->location.id))
        return cudaErrorInvalidDevice;
    const bool own = (unsigned)wanted->location.id == pool->device;
    switch (wanted->flags) {
    case cudaMemAccessFlagsProtReadWrite:
        return own || umsim_machine.peers.access ? cudaSuccess : cudaErrorInvalidDevice;
    case cudaMemAccessFlagsProtRead:
        return cudaErrorNotSupported;
    case cudaMemAccessFlagsProtNone:
        return own ? cudaErrorInvalidDevice : cudaSuccess;
    default:
        return cudaErrorInvalidValue;
    }
}

static void list_anew(struct umsim_alloc *allocation, void *pool)
{
    if (allocation->pool != pool)
        return;
    allocation->listed = ((struct umsim_pool *)pool)->access;
    umsim_registry_reach(allocation);
}

/* Memory that the pool has given out already follows, too. */
static void set_access(struct umsim_pool *pool, const struct cudaMemAccessDesc *wanted)
{
    const unsigned bit = 1U << wanted->location.id;
    if ((unsigned)wanted->location.id == pool->device)
        return;
    if (wanted->flags == cudaMemAccessFlagsProtNone) {
        umsim_wait_for_devices();
        umsim_stale_device();
    }
    pool->access = wanted->flags == cudaMemAccessFlagsProtNone ? pool->access & ~bit : pool->access | bit;
    umsim_registry_each(list_anew, pool);
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t memPool, const struct cudaMemAccessDesc *descList,
                                 size_t count)
{
    UMSIM_ENTER(cudaMemPoolSetAccess, memPool, descList, count);
    struct umsim_pool *pool = umsim_pool_of(memPool);
    cudaError_t error = pool && (descList || !count) ? cudaSuccess : cudaErrorInvalidValue;
    umsim_spend(UMSIM_CALL_LOOKUP);
    for (size_t i = 0; i < count && !error; i++)
        error = check_access(pool, &descList[i]);
    for (size_t i = 0; i < count && !error; i++)
        set_access(pool, &descList[i]);
    return umsim_leave(error);
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t memPool,
                                 struct cudaMemLocation *location)
{
    UMSIM_ENTER(cudaMemPoolGetAccess, flags, memPool, location);
    const struct umsim_pool *pool = umsim_pool_of(memPool);
    umsim_spend(UMSIM_CALL_LOOKUP);
    const bool is_host = location && location->type == cudaMemLocationTypeHost;
    if (!pool || !flags || !location ||
        (!is_host && (location->type != cudaMemLocationTypeDevice || !umsim_is_device(location->id))))
        return umsim_leave(cudaErrorInvalidValue);
    *flags = cudaMemAccessFlagsProtNone;
    if (is_host)
        return umsim_leave(cudaSuccess);
    const unsigned device = (unsigned)location->id;
    if (device == pool->device || pool->access >> device & 1)
        *flags = cudaMemAccessFlagsProtReadWrite;
    return umsim_leave(cudaSuccess);
}
