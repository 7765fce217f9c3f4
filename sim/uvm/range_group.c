/**
 * @file range_group.c
 * @brief Pages for a device that cannot fault: moves all that a kernel may reach before it runs.
 *
 * It follows the driver's uvm_range_group.c and, in uvm_migrate.c, UvmMigrateRangeGroup. Whole ranges move.
 * Advice does not hold them back, because advice guides faults and here there are none.
 */
#include "internal.h"

enum uvm_status uvm_migrate_range(struct uvm_space *space, enum uvm_processor gpu, uintptr_t address,
                                  size_t bytes, struct uvm_delta *delta)
{
    struct uvm_reason reason = {.cause = UVM_CAUSE_USER};
    struct uvm_walk walk;

    if (!uvm_all_valid(space, address, bytes) || !uvm_walk_start(&walk, space, address, bytes))
        return UVM_INVALID_ADDRESS;
    while (uvm_walk_next(&walk)) {
        struct uvm_mask pages = uvm_mask_of(walk.region);
        enum uvm_status status = uvm_make_resident(space, walk.block, gpu, pages, &reason, delta);

        if (status != UVM_OK)
            return status;
        uvm_map(space, walk.block, gpu, pages, true, delta);
    }
    return UVM_OK;
}
