/**
 * @file classify.c
 * @brief Implementation of classify.h: looks a range up in the registry, and among arrays and arenas.
 *
 * Callers hold the simulator's lock.
 */
#include "classify.h"
#include "arena.h"
#include "array.h"
#include "../base/devices.h"
#include "../include/driver_types.h"

static enum umsim_memory_class kind_of(enum umsim_memory memory)
{
    switch (memory) {
    case UMSIM_PINNED:
    case UMSIM_REGISTERED:
        return UMSIM_CLASS_PINNED;
    case UMSIM_MANAGED:
    case UMSIM_MANAGED_VARIABLE:
        return UMSIM_CLASS_MANAGED;
    default:
        return UMSIM_CLASS_DEVICE;
    }
}

bool umsim_is_kernels_address(const void *p)
{
    const struct umsim_alloc *allocation = umsim_devices > 1 ? umsim_registry_find(p) : NULL;
    return allocation && allocation->memory == UMSIM_DEVICE_VARIABLE && !umsim_arena_of(p);
}

bool umsim_classify(const void *p, size_t bytes, struct umsim_classified *place)
{
    struct umsim_alloc *allocation = umsim_registry_find(p);
    *place = (struct umsim_classified){.kind = UMSIM_CLASS_PAGEABLE, .address = p};
    /* pageable memory stays pageable where a part of it is registered; an address in an arena is never
     * pageable */
    if (!allocation)
        return !umsim_arena_of(p) && p;
    if (umsim_array_behind(p)) /* an array's handle is no memory */
        return false;
    if (umsim_is_kernels_address(p))
        return false;
    if (bytes > allocation->bytes - (size_t)((const char *)p - allocation->base))
        return allocation->memory == UMSIM_REGISTERED;
    place->allocation = allocation;
    place->kind = kind_of(allocation->memory);
    place->write_combined =
        allocation->memory == UMSIM_PINNED && (allocation->flags & cudaHostAllocWriteCombined);
    return true;
}
