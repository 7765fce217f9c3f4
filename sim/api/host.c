/**
 * @file host.c
 * @brief Pinned and registered host memory (CUDA Runtime API, Memory Management).
 */
#include "memory.h"
#include "runtime.h"
#include "../space/views.h"
#include "../space/register.h"
#include "../space/registry.h"
#include "../base/mode.h"
#include "../base/report.h"
#include "../base/sticky.h"

#include <sys/mman.h>

/** Each closed piece between open ones is a mapping, of which a process may have 65,530 (space/fragments.h).
 * So with this many pieces, what is freed stays open until it is given out again. */
#define CLOSED_PIECES_MAX 2000

static cudaError_t host_alloc(void **p, size_t bytes, unsigned flags, const char *call, const void *caller)
{
    const unsigned known = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    if (!p || (flags & ~known))
        return cudaErrorInvalidValue;
    umsim_spend_chunked(UMSIM_MALLOC_HOST, bytes, &umsim_pinned_chunks);
    *p = NULL;
    if (bytes == 0)
        return cudaSuccess;
    struct umsim_alloc *allocation = umsim_allocate(UMSIM_PINNED, bytes, call, caller);
    if (!allocation)
        return cudaErrorMemoryAllocation;
    allocation->flags = flags;
    if (mprotect(allocation->base, allocation->reserved, PROT_READ | PROT_WRITE) != 0) {
        umsim_release(allocation);
        return cudaErrorMemoryAllocation;
    }
    *p = allocation->base;
    return cudaSuccess;
}

cudaError_t cudaMallocHost(void **ptr, size_t size)
{
    UMSIM_ENTER(cudaMallocHost, ptr, size);
    return umsim_leave(
        host_alloc(ptr, size, cudaHostAllocDefault, "cudaMallocHost", __builtin_return_address(0)));
}

cudaError_t cudaHostAlloc(void **pHost, size_t size, unsigned int flags)
{
    UMSIM_ENTER(cudaHostAlloc, pHost, size, flags);
    return umsim_leave(host_alloc(pHost, size, flags, "cudaHostAlloc", __builtin_return_address(0)));
}

void umsim_host_release(struct umsim_alloc *allocation)
{
    if (umsim_free_pieces(UMSIM_PINNED) < CLOSED_PIECES_MAX)
        mprotect(allocation->base, allocation->reserved, PROT_NONE);
    umsim_release(allocation);
    umsim_stale_pinned();
}

cudaError_t cudaFreeHost(void *ptr)
{
    UMSIM_ENTER(cudaFreeHost, ptr);
    if (!ptr)
        return umsim_leave(cudaSuccess);
    struct umsim_alloc *allocation = umsim_registry_find(ptr);
    if (!allocation || allocation->memory != UMSIM_PINNED || allocation->base != ptr)
        return umsim_leave(cudaErrorInvalidValue);
    umsim_wait_for(allocation->device);
    umsim_spend_chunked(UMSIM_FREE_HOST, allocation->bytes, &umsim_pinned_chunks);
    umsim_host_release(allocation);
    return umsim_leave(umsim_sticky_error());
}

/* Shared memory that the program has mapped since the GPU process was forked comes to it by a new fork. */
static cudaError_t make_reachable(const void *p, size_t bytes, bool for_writing)
{
    bool unknown;
    const enum umsim_pinning pinning = umsim_register_examine(p, bytes, for_writing, &unknown);
    if (pinning == UMSIM_PINS_NOT_DISK)
        umsim_say(
            "cudaHostRegister(%p, %zu): Linux pins no writable page that is shared with a file on a disk; "
            "register it with cudaHostRegisterReadOnly, or read the file into memory of cudaMallocHost()",
            p, bytes);
    if (pinning != UMSIM_PINS || !unknown)
        return pinning == UMSIM_PINS ? cudaSuccess : cudaErrorInvalidValue;
    const cudaError_t error = umsim_is_grading() ? cudaSuccess : umsim_gpu_anew();
    if (error)
        return error;
    umsim_register_examine(p, bytes, for_writing, &unknown);
    if (unknown)
        umsim_say("cudaHostRegister(%p, %zu): the process that simulates the GPU cannot get this shared "
                  "memory: %s; "
                  "register memory of malloc(), or take cudaMallocHost()",
                  p, bytes,
                  umsim_is_grading() ? "a graded program's has to be its own"
                                     : "no child inherits it (MADV_DONTFORK?)");
    return unknown ? cudaErrorNotSupported : cudaSuccess;
}

static cudaError_t host_register(void *p, size_t bytes, unsigned flags, const void *caller)
{
    const unsigned known = cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterReadOnly;
    if (!p || !bytes || (flags & ~(known | cudaHostRegisterIoMemory)))
        return cudaErrorInvalidValue;
    if (flags & cudaHostRegisterIoMemory)
        return cudaErrorNotSupported;
    struct umsim_alloc *there = umsim_registry_overlap(p, bytes);
    if (there)
        return there->memory == UMSIM_REGISTERED ? cudaErrorHostMemoryAlreadyRegistered
                                                 : cudaErrorInvalidValue;
    struct umsim_registration *registration;
    const bool for_writing = !(flags & cudaHostRegisterReadOnly);
    const cudaError_t refused = make_reachable(p, bytes, for_writing);
    if (refused)
        return refused;
    switch (umsim_register_pages(p, bytes, for_writing, &registration)) {
    case UMSIM_REGISTER_NO_MEMORY:
        return cudaErrorMemoryAllocation;
    case UMSIM_REGISTER_UNMAPPED:
        return cudaErrorInvalidValue;
    case UMSIM_REGISTERED_OK:
        break;
    }
    struct umsim_alloc *entry = umsim_registry_add(p, bytes, UMSIM_REGISTERED, "cudaHostRegister", caller);
    if (!entry) {
        umsim_unregister_pages(registration);
        return cudaErrorMemoryAllocation;
    }
    entry->flags = flags;
    entry->detail = registration;
    umsim_spend_allocation(UMSIM_HOST_REGISTER, bytes);
    return umsim_devices > 1 ? umsim_gpu_anew() : cudaSuccess;
}

cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned int flags)
{
    UMSIM_ENTER(cudaHostRegister, ptr, size, flags);
    return umsim_leave(host_register(ptr, size, flags, __builtin_return_address(0)));
}

cudaError_t cudaHostUnregister(void *ptr)
{
    UMSIM_ENTER(cudaHostUnregister, ptr);
    struct umsim_alloc *entry = umsim_registry_find(ptr);
    if (!ptr || (entry && (entry->memory != UMSIM_REGISTERED || entry->base != ptr)))
        return umsim_leave(cudaErrorInvalidValue);
    if (!entry)
        return umsim_leave(cudaErrorHostMemoryNotRegistered);
    umsim_wait_for(entry->device);
    umsim_spend_allocation(UMSIM_HOST_UNREGISTER, entry->bytes);
    umsim_unregister_pages(entry->detail);
    umsim_registry_remove(entry);
    if (umsim_devices > 1)
        umsim_gpu_anew();
    return umsim_leave(umsim_sticky_error());
}

static const struct umsim_alloc *host_memory(const void *p)
{
    const struct umsim_alloc *allocation = umsim_registry_find(p);
    bool is_host =
        allocation && (allocation->memory == UMSIM_PINNED || allocation->memory == UMSIM_REGISTERED);
    return is_host ? allocation : NULL;
}

cudaError_t cudaHostGetDevicePointer(void **pDevice, void *pHost, unsigned int flags)
{
    UMSIM_ENTER(cudaHostGetDevicePointer, pDevice, pHost, flags);
    if (!pDevice || flags || !host_memory(pHost))
        return umsim_leave(cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    *pDevice = pHost;
    return umsim_leave(cudaSuccess);
}

/* Under unified addressing all pinned memory is mapped, and CUDA reports the flag accordingly. */
cudaError_t cudaHostGetFlags(unsigned int *pFlags, void *pHost)
{
    UMSIM_ENTER(cudaHostGetFlags, pFlags, pHost);
    const struct umsim_alloc *allocation = host_memory(pHost);
    if (!pFlags || !allocation)
        return umsim_leave(cudaErrorInvalidValue);
    *pFlags = allocation->flags | cudaHostAllocMapped;
    return umsim_leave(cudaSuccess);
}
