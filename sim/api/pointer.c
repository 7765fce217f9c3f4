/**
 * @file pointer.c
 * @brief What CUDA knows about an address (CUDA Runtime API, Unified Addressing).
 */
#include "runtime.h"
#include "../space/registry.h"

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr)
{
    UMSIM_ENTER_AS(cudaPointerGetAttributes, UMSIM_ANSWERS_ALWAYS, attributes, ptr);
    if (!attributes)
        return umsim_leave(cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    const struct umsim_alloc *allocation = umsim_registry_find(ptr);
    *attributes = (struct cudaPointerAttributes){
        .type = cudaMemoryTypeUnregistered, .device = cudaInvalidDeviceId, .hostPointer = (void *)ptr};
    if (!allocation)
        return umsim_leave(cudaSuccess);
    attributes->device = (int)allocation->device;
    attributes->devicePointer = (void *)ptr;
    if (umsim_is_device_only(allocation->memory)) {
        attributes->type = cudaMemoryTypeDevice;
        attributes->hostPointer = NULL;
    } else {
        attributes->type = umsim_is_managed(allocation->memory) ? cudaMemoryTypeManaged : cudaMemoryTypeHost;
    }
    return umsim_leave(cudaSuccess);
}
