/**
 * @file managed_spaces.c
 * @brief Implementation of managed_spaces.h: places in the table of views.h, and the memory of their state.
 */
#include "managed_spaces.h"
#include "account.h"
#include "protection.h"
#include "../base/devices.h"
#include "../base/machine.h"
#include "../base/memory.h"
#include "../uvm/uvm.h"

/* Devices with peer access are taken to have a link of their own between them: over PCIe the driver would let
 * them map each other's pages only after cudaDeviceEnablePeerAccess(). */
static enum uvm_link link_between(const struct umsim_peers *peers)
{
    if (!peers->access)
        return UVM_NO_LINK;
    return peers->native_atomics ? UVM_LINK_ATOMICS : UVM_LINK;
}

struct uvm_system *umsim_managed_system(void)
{
    static struct uvm_system *the_system;
    if (!the_system) {
        the_system = umsim_shared_memory(sizeof *the_system);
        uvm_system_init(the_system, umsim_devices, link_between(&umsim_machine.peers), 0);
    }
    return the_system;
}

static unsigned processors(void)
{
    return umsim_managed_system()->processors;
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
    space->policy = uvm_space_init(umsim_shared_memory(uvm_space_bytes(blocks)), umsim_managed_system(),
                                   (uintptr_t)base, blocks);
    for (unsigned i = 0; i < processors(); i++)
        space->opened[i] = umsim_shared_memory(blocks * sizeof *space->opened[i]);
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
    for (unsigned i = 0; i < processors(); i++)
        umsim_unmap_own(space->opened[i], blocks * sizeof *space->opened[i]);
    umsim_unmap_own(space->window, space->bytes);
    *space = (struct umsim_managed_space){0};
}
