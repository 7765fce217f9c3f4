/**
 * @file exercise.c
 * @brief Lab 0's exercise: exercise.h says what the function has to do, and `make grade LAB=0` checks it.
 */
#include "exercise.h"

unsigned allowed_kinds(const struct lab0_caps *caps)
{
    // BEGIN SOLUTION
    unsigned kinds = LAB0_DEVICE | LAB0_PINNED_COPY;

    if (caps->can_map_host_memory == 1)
        kinds |= LAB0_MAPPED;
    if (caps->host_register_supported == 1) {
        kinds |= LAB0_REGISTERED_COPY;
        if (caps->can_map_host_memory == 1 && caps->registered_at_same_address == 1)
            kinds |= LAB0_REGISTERED_IN_PLACE;
    }
    if (caps->managed_memory == 1) {
        kinds |= LAB0_MANAGED;
        if (caps->concurrent_managed_access == 1)
            kinds |= LAB0_MANAGED_TOGETHER;
    }
    if (caps->pageable_memory_access == 1)
        kinds |= LAB0_PAGEABLE;
    if (caps->memory_pools_supported == 1)
        kinds |= LAB0_POOL;
    return kinds;
    // PLACEHOLDER
    // (void)caps; /* your code */
    // return 0;
    // END SOLUTION
}
