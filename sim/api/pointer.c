/**
 * @file pointer.c
 * @brief What CUDA knows about an address (CUDA Runtime API, Unified Addressing).
 */
#include "graph_memory.h"
#include "runtime.h"
#include "../space/registry.h"

/* Memory of a graph's node between its launches: nothing is known of it, as on an H200. */
static bool is_not_taken(const struct umsim_alloc *allocation)
{
    return allocation->of_graph && !umsim_graph_memory_is_taken(allocation->of_graph);
}

/* Whether the current device may follow the pointer. Of a graph's memory two H200s say so for its own device
 * only, whatever its access list. */
static bool is_the_current_devices(const struct umsim_alloc *allocation)
{
    const unsigned device = umsim_device();
    return allocation->of_graph ? allocation->device == device : umsim_may_reach(device, allocation);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr)
{
    UMSIM_ENTER_AS(cudaPointerGetAttributes, UMSIM_ANSWERS_ALWAYS, attributes, ptr);
    if (!attributes)
        return umsim_leave(cudaErrorInvalidValue);
    umsim_spend(UMSIM_CALL_LOOKUP);
    const struct umsim_alloc *allocation = umsim_registry_find(ptr);
    *attributes = (struct cudaPointerAttributes){
        .type = cudaMemoryTypeUnregistered, .device = cudaInvalidDeviceId, .hostPointer = (void *)ptr};
    if (!allocation || is_not_taken(allocation))
        return umsim_leave(cudaSuccess);
    attributes->device = (int)allocation->device;
    attributes->devicePointer = is_the_current_devices(allocation) ? (void *)ptr : NULL;
    if (umsim_is_device_only(allocation->memory)) {
        attributes->type = cudaMemoryTypeDevice;
        attributes->hostPointer = NULL;
    } else {
        attributes->type = umsim_is_managed(allocation->memory) ? cudaMemoryTypeManaged : cudaMemoryTypeHost;
    }
    return umsim_leave(cudaSuccess);
}
