/* mutant: an attribute that nobody knows, -1, counts as yes; fails: allowed_kinds/not_known */
#include "exercise.h"

unsigned allowed_kinds(const struct lab0_caps *caps)
{
    unsigned kinds = LAB0_DEVICE | LAB0_PINNED_COPY;

    if (caps->can_map_host_memory)
        kinds |= LAB0_MAPPED;
    if (caps->host_register_supported)
        kinds |= LAB0_REGISTERED_COPY;
    if (caps->host_register_supported && caps->can_map_host_memory && caps->registered_at_same_address)
        kinds |= LAB0_REGISTERED_IN_PLACE;
    if (caps->managed_memory)
        kinds |= LAB0_MANAGED;
    if (caps->managed_memory && caps->concurrent_managed_access)
        kinds |= LAB0_MANAGED_TOGETHER;
    if (caps->pageable_memory_access)
        kinds |= LAB0_PAGEABLE;
    if (caps->memory_pools_supported)
        kinds |= LAB0_POOL;
    return kinds;
}
