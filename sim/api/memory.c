/**
 * @file memory.c
 * @brief cudaMalloc and related calls (CUDA Runtime API, Memory Management).
 */
#include "capacity.h"
#include "memory.h"
#include "array.h"
#include "device.h"
#include "graph_memory.h"
#include "ipc.h"
#include "pool.h"
#include "../record/counters.h"
#include "../space/views.h"
#include "../space/managed.h"
#include "../base/machine.h"
#include "../base/sticky.h"

static size_t without(size_t bytes, size_t taken)
{
    return taken < bytes ? bytes - taken : 0;
}

size_t umsim_device_bytes_unclaimed(unsigned device)
{
    return without((size_t)umsim_machine_of(device)->capacity.free_at_start,
                   umsim_device_bytes_used(device) + umsim_pools_held(device) +
                       umsim_graph_memory_held(device));
}

void umsim_device_bytes_changed(unsigned device)
{
    umsim_managed_set_device_memory(device, umsim_device_bytes_unclaimed(device));
}

size_t umsim_device_bytes_free(unsigned device)
{
    const bool can_evict = umsim_machine.attributes.concurrent_managed_access;
    return without(umsim_device_bytes_unclaimed(device), can_evict ? 0 : umsim_managed_device_bytes(device));
}

cudaError_t umsim_device_allocate(size_t bytes, const char *call, const void *caller,
                                  struct umsim_alloc **out)
{
    if (bytes > umsim_device_bytes_free(umsim_device()))
        umsim_pools_trim();
    if (bytes > umsim_device_bytes_free(umsim_device()))
        return cudaErrorMemoryAllocation;
    *out = umsim_allocate(UMSIM_DEVICE, bytes, call, caller);
    if (!*out)
        return cudaErrorMemoryAllocation;
    umsim_device_bytes_changed((*out)->device);
    return cudaSuccess;
}

void umsim_device_release(struct umsim_alloc *allocation)
{
    const unsigned device = allocation->device;
    umsim_pool_forget(allocation);
    umsim_ipc_forget(allocation);
    umsim_array_forget(allocation);
    umsim_graph_memory_forget(allocation);
    umsim_release(allocation);
    umsim_device_bytes_changed(device);
    umsim_stale_device();
}

/* Each device with peer access has the allocation mapped, and unmapped. */
static void spend_mapping(enum umsim_allocation_call call, size_t bytes, unsigned device)
{
    umsim_clock_advance(umsim_peers_of(device) * umsim_cost_peer_mapping(&umsim_machine.peers, call, bytes));
}

static cudaError_t device_malloc(void **p, size_t bytes, const char *call, const void *caller)
{
    struct umsim_alloc *allocation;
    if (!p)
        return cudaErrorInvalidValue;
    umsim_spend_chunked(UMSIM_MALLOC, bytes, &umsim_device_chunks);
    spend_mapping(UMSIM_MALLOC, bytes, umsim_device());
    *p = NULL;
    if (bytes == 0)
        return cudaSuccess;
    cudaError_t error = umsim_device_allocate(bytes, call, caller, &allocation);
    if (!error)
        *p = allocation->base;
    return error;
}

cudaError_t cudaMalloc(void **devPtr, size_t size)
{
    UMSIM_ENTER(cudaMalloc, devPtr, size);
    return umsim_leave(device_malloc(devPtr, size, "cudaMalloc", __builtin_return_address(0)));
}

/* `width` at the next multiple of the texture alignment. @return whether there is such a number */
static bool pitch_of(size_t width, size_t *pitch)
{
    const size_t unit = (size_t)umsim_machine_of(umsim_device())->attributes.texture_alignment;
    const bool overflows = __builtin_add_overflow(width, unit - 1, pitch);
    *pitch = *pitch / unit * unit;
    return !overflows;
}

cudaError_t cudaMallocPitch(void **devPtr, size_t *pitch, size_t width, size_t height)
{
    UMSIM_ENTER(cudaMallocPitch, devPtr, pitch, width, height);
    if (!devPtr || !pitch)
        return umsim_leave(cudaErrorInvalidValue);
    size_t bytes;
    if (!pitch_of(width, pitch) || __builtin_mul_overflow(*pitch, height, &bytes))
        return umsim_leave(cudaErrorMemoryAllocation);
    return umsim_leave(device_malloc(devPtr, bytes, "cudaMallocPitch", __builtin_return_address(0)));
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitchedDevPtr, struct cudaExtent extent)
{
    UMSIM_ENTER(cudaMalloc3D, pitchedDevPtr, extent);
    size_t pitch, rows, bytes;
    if (!pitchedDevPtr)
        return umsim_leave(cudaErrorInvalidValue);
    if (!pitch_of(extent.width, &pitch) || __builtin_mul_overflow(extent.height, extent.depth, &rows) ||
        __builtin_mul_overflow(pitch, rows, &bytes))
        return umsim_leave(cudaErrorMemoryAllocation);
    *pitchedDevPtr = (struct cudaPitchedPtr){NULL, pitch, extent.width, extent.height};
    return umsim_leave(
        device_malloc(&pitchedDevPtr->ptr, bytes, "cudaMalloc3D", __builtin_return_address(0)));
}

/* cudaFree waits for the device whose memory it is; other ones work on, even if they may reach it, as on two
 * H200s. What they were given to do has run here, too. */
static cudaError_t free_allocation(void *p)
{
    struct umsim_alloc *allocation = umsim_registry_find(p);
    if (!allocation || allocation->base != p || allocation->free_queued || allocation->borrowed ||
        (allocation->memory != UMSIM_DEVICE && allocation->memory != UMSIM_MANAGED))
        return cudaErrorInvalidValue;
    if (allocation->of_graph && !umsim_graph_memory_is_taken(allocation->of_graph))
        return cudaErrorInvalidValue;
    umsim_wait_for(allocation->memory == UMSIM_DEVICE ? allocation->device : umsim_device());
    umsim_count(synchronizations, 1);
    size_t bytes = allocation->bytes;
    if (allocation->of_graph) {
        umsim_spend_chunked(UMSIM_FREE, bytes, &umsim_device_chunks);
        const cudaError_t error = umsim_graph_memory_free_now(allocation);
        return error ? error : umsim_sticky_error();
    }
    if (allocation->memory == UMSIM_MANAGED) {
        umsim_managed_destroy(allocation->base, bytes);
        umsim_release(allocation);
        umsim_spend_allocation(UMSIM_FREE_MANAGED, bytes);
    } else {
        spend_mapping(UMSIM_FREE, bytes, allocation->device);
        umsim_device_release(allocation);
        umsim_spend_chunked(UMSIM_FREE, bytes, &umsim_device_chunks);
    }
    return umsim_sticky_error();
}

cudaError_t cudaFree(void *devPtr)
{
    UMSIM_ENTER(cudaFree, devPtr);
    return umsim_leave(devPtr ? free_allocation(devPtr) : cudaSuccess);
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total)
{
    UMSIM_ENTER(cudaMemGetInfo);
    umsim_spend(UMSIM_CALL_LOOKUP);
    umsim_capacity_tell();
    if (free)
        *free =
            without(umsim_device_bytes_unclaimed(umsim_device()), umsim_managed_device_bytes(umsim_device()));
    if (total)
        *total = (size_t)umsim_machine_of(umsim_device())->capacity.total_global_memory;
    return umsim_leave(cudaSuccess);
}

/* Releases everything that the program allocated on the current device. Modules' variables stay, with their
 * last values. */
static void release_one(struct umsim_alloc *allocation, void *unused)
{
    (void)unused;
    if (allocation->device != umsim_device())
        return;
    if (allocation->memory == UMSIM_DEVICE)
        umsim_device_release(allocation);
    if (allocation->memory == UMSIM_MANAGED) {
        umsim_managed_destroy(allocation->base, allocation->bytes);
        umsim_release(allocation);
    }
}

/* Host memory goes as cudaFreeHost() frees it. */
static void release_owned(struct umsim_alloc *allocation, void *owner)
{
    if (allocation->owner != owner)
        return;
    if (allocation->memory == UMSIM_PINNED)
        umsim_host_release(allocation);
    else
        release_one(allocation, NULL);
}

void umsim_release_owned(const void *owner)
{
    umsim_wait_for_devices();
    umsim_registry_each(release_owned, (void *)(uintptr_t)owner);
}

/* After a kernel's fault the context is lost for good: the reset succeeds, and the next call that needs the
 * device returns cudaErrorDevicesUnavailable, as on an H200. */
cudaError_t cudaDeviceReset(void)
{
    UMSIM_ENTER_AS(cudaDeviceReset, UMSIM_ANSWERS_ALWAYS);
    if (umsim_sticky_error()) {
        umsim_queue_abandon();
        umsim_sticky_replace(cudaErrorDevicesUnavailable);
        return umsim_leave(cudaSuccess);
    }
    umsim_wait_for_devices();
    umsim_textures_forget();
    umsim_registry_each(release_one, NULL);
    umsim_device_chunks = (struct umsim_chunks){0};
    umsim_pools_trim();
    umsim_device_settings_reset();
    for (unsigned device = 0; device < umsim_devices;
         device++) /* neither its access nor that to it outlive it */
        if (device != umsim_device()) {
            umsim_peer_enable(umsim_device(), device, false);
            umsim_peer_enable(device, umsim_device(), false);
        }
    umsim_stale_device(); /* what kernels had open of it */
    return umsim_leave(cudaSuccess);
}
