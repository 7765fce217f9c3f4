/**
 * @file price.c
 * @brief Implementation of price.h: adds up the costs of a grid from the profile.
 */
#include "price.h"
#include "../base/machine.h"
#include "../model/throughput.h"
#include "../worker/launches.h"
#include "../space/measured.h"

static size_t measured_traffic(const struct umsim_measured *measured, struct umsim_traffic *traffic)
{
    static const enum umsim_memory_kind kinds[UMSIM_REACHES] = {
        [UMSIM_REACH_DEVICE] = UMSIM_MEMORY_DEVICE,
        [UMSIM_REACH_HOST] = UMSIM_MEMORY_MAPPED,
        [UMSIM_REACH_MANAGED] = UMSIM_MEMORY_MANAGED_RESIDENT,
        [UMSIM_REACH_REMOTE] = UMSIM_MEMORY_MANAGED_REMOTE,
        [UMSIM_REACH_PEER] = UMSIM_MEMORY_PEER,
    };
    for (int reach = 0; reach < UMSIM_REACHES; reach++)
        traffic[reach] =
            (struct umsim_traffic){kinds[reach], measured->read[reach], measured->written[reach], 0};
    return UMSIM_REACHES;
}

/* Threads that waited on their clocks waited side by side, in as many blocks as fit on the device at once. */
static uint64_t waited_on_clock(const struct umsim_command *command)
{
    const struct umsim_attributes *attributes = &umsim_machine_of(command->device)->attributes;
    const uint64_t cycles = command->measured.cycles;
    const uint64_t at_once =
        umsim_cost_blocks_at_once(attributes, command->threads_a_block, command->dynamic_shared) *
        (uint64_t)attributes->multiprocessor_count;
    if (!cycles || attributes->clock_rate_khz <= 0)
        return 0;
    return (command->blocks + at_once - 1) / at_once *
           (cycles * 1000000 / (uint64_t)attributes->clock_rate_khz);
}

/* The grid of a GPU's library, for which this one stands: its shape, and its instructions. */
static void stand_for(const struct umsim_stands_for *what, struct umsim_kernel_work *work)
{
    work->blocks = what->blocks;
    work->threads_per_block = what->threads_a_block;
    work->shared_bytes_per_block = 0;
    work->accesses = (struct umsim_access_work){
        .slots = (uint64_t)((double)what->operations / umsim_unit_operations[what->unit]),
        .chain = what->steps * umsim_unit_step[what->unit]};
}

uint64_t umsim_price_grid(const struct umsim_command *command, struct umsim_traffic *traffic, size_t count,
                          const struct umsim_paging_work *paging, struct umsim_price *price)
{
    struct umsim_price unwanted = {.bytes_near = 0};
    price = price ? price : &unwanted;
    if (command->measure)
        count += measured_traffic(&command->measured, traffic + count);
    struct umsim_kernel_work work = {.blocks = command->blocks,
                                     .threads_per_block = command->threads_a_block,
                                     .shared_bytes_per_block = command->dynamic_shared,
                                     .traffic = traffic,
                                     .traffic_count = count,
                                     .paging = paging,
                                     .peers = &umsim_machine.peers,
                                     .accesses = command->measured.accesses};
    if (command->stands_for.blocks)
        stand_for(&command->stands_for, &work);
    const struct umsim_profile *machine = umsim_machine_of(command->device);
    const uint64_t ns = umsim_cost_kernel_terms(&machine->costs, &machine->attributes, &work, &price->terms);
    price->bytes_near = price->bytes_far = 0;
    for (size_t i = 0; i < count; i++) {
        const bool is_near =
            traffic[i].kind == UMSIM_MEMORY_DEVICE || traffic[i].kind == UMSIM_MEMORY_MANAGED_RESIDENT;
        *(is_near ? &price->bytes_near : &price->bytes_far) +=
            traffic[i].bytes_read + traffic[i].bytes_written;
    }
    const uint64_t waited_ns = waited_on_clock(command);
    return ns > waited_ns ? ns : waited_ns;
}
