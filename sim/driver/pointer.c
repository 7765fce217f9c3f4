/**
 * @file pointer.c
 * @brief What is known about an address (CUDA Driver API: Unified Addressing).
 */
#include "context.h"
#include "../base/lock.h"
#include "../base/machine.h"
#include "../space/registry.h"

#include <string.h>

/* What each attribute's answer is, and how many bytes it has. */
union answer {
    CUcontext context;
    unsigned number;
    CUdeviceptr address;
    void *pointer;
    unsigned long long big;
    size_t size;
    unsigned char truth;
    CUmemoryPool pool;
};

static bool is_host(const struct umsim_alloc *allocation)
{
    return allocation->memory == UMSIM_PINNED || allocation->memory == UMSIM_REGISTERED;
}

/* @return how many bytes the answer has; 0: there is no such attribute, or none of this memory */
static size_t answer_about(const struct umsim_alloc *it, CUpointer_attribute attribute, const void *p,
                           union answer *out)
{
    const bool managed = umsim_is_managed(it->memory);
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
        out->context = it->pool ? NULL : umsim_context_of_owner(it->owner, it->device);
        return sizeof out->context;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        out->number = is_host(it) ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        return sizeof out->number;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        out->address = umsim_address(p);
        return umsim_may_reach(umsim_device(), it) ? sizeof out->address : 0;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        out->pointer = (void *)(uintptr_t)p;
        return managed || is_host(it) ? sizeof out->pointer : 0;
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
        out->number = 0;
        return sizeof(int);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
        out->big = it->span.number + 1;
        return sizeof out->big;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        out->number = managed;
        return sizeof(int);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        out->number = it->device;
        return sizeof(int);
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        out->address = umsim_address(it->base);
        return sizeof out->address;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
        out->size = it->bytes;
        return sizeof out->size;
    case CU_POINTER_ATTRIBUTE_MAPPED:
        out->number = 1;
        return sizeof(int);
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
        out->big = 0;
        return sizeof out->big;
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
        out->number = CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE;
        return sizeof out->number;
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
        out->pool = (CUmemoryPool)it->pool;
        return sizeof out->pool;
    default:
        return 0;
    }
}

static size_t size_of(CUpointer_attribute attribute)
{
    static const struct umsim_alloc of_all_kinds = {.memory = UMSIM_MANAGED, .pool = (struct umsim_pool *)1};
    union answer unused;
    return answer_about(&of_all_kinds, attribute, NULL, &unused);
}

/* @return the bytes written */
static size_t put(void *data, CUpointer_attribute attribute, const void *p)
{
    union answer out = {0};
    umsim_lock();
    const struct umsim_alloc *allocation = umsim_registry_find(p);
    const size_t bytes = allocation ? answer_about(allocation, attribute, p, &out) : 0;
    umsim_unlock();
    memcpy(data, &out, bytes);
    return bytes;
}

CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr ptr)
{
    UMSIM_DRIVER(cuPointerGetAttribute, UMSIM_NEEDS_INIT);
    if (!data)
        return CUDA_ERROR_INVALID_VALUE;
    return put(data, attribute, umsim_pointer(ptr)) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* What is not known is 0; a device that is not known, -2. */
CUresult cuPointerGetAttributes(unsigned int numAttributes, CUpointer_attribute *attributes, void **data,
                                CUdeviceptr ptr)
{
    UMSIM_DRIVER(cuPointerGetAttributes, UMSIM_NEEDS_INIT);
    const CUdevice none = CU_DEVICE_INVALID;
    if (!attributes || !data || !numAttributes)
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < numAttributes; i++)
        if (!data[i] || !size_of(attributes[i]))
            return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < numAttributes; i++) {
        if (put(data[i], attributes[i], umsim_pointer(ptr)))
            continue;
        memset(data[i], 0, size_of(attributes[i]));
        if (attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL)
            memcpy(data[i], &none, sizeof none);
    }
    return CUDA_SUCCESS;
}

/* All copies of the simulator's that the host may see behave so. */
CUresult cuPointerSetAttribute(const void *value, CUpointer_attribute attribute, CUdeviceptr ptr)
{
    UMSIM_DRIVER(cuPointerSetAttribute, UMSIM_NEEDS_CONTEXT);
    umsim_lock();
    const struct umsim_alloc *allocation = umsim_registry_find(umsim_pointer(ptr));
    umsim_unlock();
    const bool known = value && attribute == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS && allocation;
    return !known                                     ? CUDA_ERROR_INVALID_VALUE
           : umsim_is_device_only(allocation->memory) ? CUDA_SUCCESS
                                                      : CUDA_ERROR_INVALID_VALUE;
}
