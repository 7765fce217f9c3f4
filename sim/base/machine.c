/**
 * @file machine.c
 * @brief Holds the simulated machine, which is read from its profile at the start (machine.h).
 */
#include "machine.h"
#include "devices.h"

struct umsim_profile umsim_machine;
static struct umsim_profile others[UMSIM_DEVICES_MAX - 1];

struct umsim_profile *umsim_machine_other(unsigned device)
{
    return &others[device - 1];
}

const struct umsim_profile *umsim_machine_of(unsigned device)
{
    const unsigned number = umsim_device_of_machine(device);
    return number && number <= umsim_machine.other_count ? &others[number - 1] : &umsim_machine;
}

int64_t umsim_resident_blocks(unsigned device, int64_t threads, size_t shared)
{
    const struct umsim_attributes *has = &umsim_machine_of(device)->attributes;
    if (threads > has->max_threads_per_block)
        return 0;
    int64_t warps = (threads + has->warp_size - 1) / has->warp_size;
    int64_t blocks = has->max_threads_per_multiprocessor / has->warp_size / warps;
    size_t takes = shared + (size_t)has->reserved_shared_memory_per_block;
    takes = (takes + UMSIM_SHARED_UNIT - 1) / UMSIM_SHARED_UNIT * UMSIM_SHARED_UNIT;
    int64_t by_shared = takes ? has->max_shared_memory_per_multiprocessor / (int64_t)takes : blocks;
    if (by_shared < blocks)
        blocks = by_shared;
    return blocks < has->max_blocks_per_multiprocessor ? blocks : has->max_blocks_per_multiprocessor;
}
