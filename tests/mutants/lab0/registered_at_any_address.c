/* mutant: registered memory is read by malloc's pointer wherever the device sees it; fails: allowed_kinds/any_machine */
#include "exercise.h"

unsigned allowed_kinds(const struct lab0_caps *caps)
{
    unsigned kinds = LAB0_DEVICE | LAB0_PINNED_COPY;

    if (caps->can_map_host_memory == 1)
        kinds |= LAB0_MAPPED;
    if (caps->host_register_supported == 1)
        kinds |= LAB0_REGISTERED_COPY;
    if (caps->host_register_supported == 1 && caps->can_map_host_memory == 1)
        kinds |= LAB0_REGISTERED_IN_PLACE;
    if (caps->managed_memory == 1)
        kinds |= LAB0_MANAGED;
    if (caps->managed_memory == 1 && caps->concurrent_managed_access == 1)
        kinds |= LAB0_MANAGED_TOGETHER;
    if (caps->pageable_memory_access == 1)
        kinds |= LAB0_PAGEABLE;
    if (caps->memory_pools_supported == 1)
        kinds |= LAB0_POOL;
    return kinds;
}
