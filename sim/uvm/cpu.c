/**
 * @file cpu.c
 * @brief Touches by the host, charged one fault at a time.
 */
#include "internal.h"

static const struct uvm_mask *granted_mask(const struct uvm_block *block, bool is_write)
{
    return is_write ? &block->writable[UVM_CPU] : &block->readable[UVM_CPU];
}

static enum uvm_status fault(struct uvm_space *space, struct uvm_block *block, unsigned page, bool is_write,
                             struct uvm_delta *delta)
{
    struct uvm_mask faulted = uvm_mask_of((struct uvm_region){page, page + 1});

    delta->cpu_faults++;
    if (uvm_mask_test(&block->touched_read, page) || uvm_mask_test(&block->touched_write, page))
        delta->pages_contended++;
    if (delta->observer) {
        struct uvm_event event = {.type = UVM_EVENT_CPU_FAULT,
                                  .processor = UVM_CPU,
                                  .from = UVM_NO_PROCESSOR,
                                  .cause = UVM_CAUSES,
                                  .is_write = is_write,
                                  .address = uvm_page_address(space, block, page),
                                  .bytes = UVM_PAGE_BYTES};
        delta->observer(delta->observer_context, &event);
    }
    return uvm_service(space, block, uvm_policy_region(block, page), UVM_CPU, faulted,
                       is_write ? faulted : uvm_mask_none(), delta);
}

enum uvm_status uvm_cpu_fault(struct uvm_space *space, uintptr_t address, bool is_write,
                              struct uvm_delta *delta)
{
    struct uvm_block *block;
    unsigned page;

    if (!uvm_locate(space, address, &block, &page) || !uvm_mask_test(&block->valid, page))
        return UVM_INVALID_ADDRESS;
    if (uvm_mask_test(granted_mask(block, is_write), page))
        return UVM_ALREADY_GRANTED;
    return fault(space, block, page, is_write, delta);
}

enum uvm_status uvm_cpu_access(struct uvm_space *space, uintptr_t address, size_t bytes, bool is_write,
                               struct uvm_delta *delta)
{
    struct uvm_walk walk;
    bool faulted = false;

    if (!uvm_all_valid(space, address, bytes) || !uvm_walk_start(&walk, space, address, bytes))
        return UVM_INVALID_ADDRESS;
    while (uvm_walk_next(&walk)) {
        unsigned page = walk.region.first;
        while ((page = uvm_mask_next_clear(granted_mask(walk.block, is_write), page)) < walk.region.outer) {
            enum uvm_status status = fault(space, walk.block, page, is_write, delta);
            if (status != UVM_OK)
                return status;
            faulted = true;
        }
    }
    return faulted ? UVM_OK : UVM_ALREADY_GRANTED;
}
