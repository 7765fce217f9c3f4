/**
 * @file protection_revoke.c
 * @brief Implementation of protection_revoke.h: goes over the blocks that the policy has revoked.
 */
#include "protection_revoke.h"
#include "views.h"
#include "request.h"

void umsim_close_at_host(const struct umsim_managed_space *space, size_t block, struct umsim_answer *answer)
{
    const uint32_t index = (uint32_t)(space - umsim_views->space), number = (uint32_t)block;
    struct umsim_closing *last = answer->closings ? &answer->closing[answer->closings - 1] : NULL;
    if (last && last->space == index && last->end == number)
        last->end++;
    else if (answer->closings < UMSIM_CLOSINGS_MAX)
        answer->closing[answer->closings++] = (struct umsim_closing){index, number, number + 1};
    else
        answer->close_all = true;
}

void umsim_close_at_gpu(struct umsim_managed_space *space, unsigned device, size_t block)
{
    struct umsim_block_protection *account = &space->opened[uvm_gpu(device)][block];
    if (!atomic_load(&account->open))
        return;
    atomic_store(&account->stale, 1);
    atomic_store(&umsim_views->stale[device].managed, true);
}

void umsim_close_at_gpus(struct umsim_managed_space *space, size_t block)
{
    for (unsigned device = 0; device < umsim_devices; device++)
        umsim_close_at_gpu(space, device, block);
}

void umsim_close_revoked(struct umsim_answer *answer)
{
    size_t block;
    for (unsigned i = 0; i < atomic_load(&umsim_views->spaces); i++) {
        struct umsim_managed_space *space = &umsim_views->space[i];
        while (space->policy && uvm_revoked_next(space->policy, UVM_CPU, &block))
            umsim_close_at_host(space, block, answer);
        for (unsigned device = 0; space->policy && device < umsim_devices; device++)
            while (uvm_revoked_next(space->policy, uvm_gpu(device), &block))
                umsim_close_at_gpu(space, device, block);
    }
}

void umsim_close_all_at_gpu(unsigned device)
{
    for (unsigned i = 0; i < atomic_load(&umsim_views->spaces); i++)
        for (size_t block = 0;
             umsim_views->space[i].policy && block < umsim_views->space[i].policy->blocks_end; block++)
            umsim_close_at_gpu(&umsim_views->space[i], device, block);
}
