/**
 * @file managed_spaces.c
 * @brief Implementation of managed_spaces.h: places in the table of views.h, and the memory of their state.
 */
#include "managed_spaces.h"
#include "account.h"
#include "protection.h"
#include "../base/memory.h"

struct uvm_device *umsim_managed_device(void)
{
    static struct uvm_device *the_device;
    if (!the_device) {
        the_device = umsim_shared_memory(sizeof *the_device);
        uvm_device_init(the_device, 0);
    }
    return the_device;
}

/* The first unused place in the table of spaces. */
static unsigned free_space(void)
{
    const unsigned used = atomic_load(&umsim_views->spaces);
    for (unsigned i = 0; i < used; i++)
        if (!umsim_views->space[i].policy)
            return i;
    return used;
}

struct umsim_managed_space *umsim_managed_space_make(char *base, size_t bytes, char *window)
{
    const unsigned index = free_space();
    if (index == UMSIM_SPACES_MAX)
        return NULL;
    struct umsim_managed_space *space = &umsim_views->space[index];
    *space = (struct umsim_managed_space){.base = base, .bytes = bytes, .window = window};
    size_t blocks = umsim_space_block(space, base + bytes - 1) + 1;
    space->policy = uvm_space_init(umsim_shared_memory(uvm_space_bytes(blocks)), umsim_managed_device(),
                                   (uintptr_t)base, blocks);
    space->opened[UVM_CPU] = umsim_shared_memory(blocks * sizeof *space->opened[UVM_CPU]);
    space->opened[UVM_GPU] = umsim_shared_memory(blocks * sizeof *space->opened[UVM_GPU]);
    umsim_account_begin(space, (uintptr_t)base, 1); /* maps the state: confined programs cannot, later */
    if (index == atomic_load(&umsim_views->spaces))
        atomic_store(&umsim_views->spaces, index + 1);
    return space;
}

void umsim_managed_space_end(struct umsim_managed_space *space)
{
    const size_t blocks = umsim_space_block(space, space->base + space->bytes - 1) + 1;
    umsim_account_end(space);
    umsim_unmap_own(space->policy, uvm_space_bytes(blocks));
    umsim_unmap_own(space->opened[UVM_CPU], blocks * sizeof *space->opened[UVM_CPU]);
    umsim_unmap_own(space->opened[UVM_GPU], blocks * sizeof *space->opened[UVM_GPU]);
    umsim_unmap_own(space->window, space->bytes);
    *space = (struct umsim_managed_space){0};
}
