/**
 * @file capacity.c
 * @brief Implementation of capacity.h.
 */
#include "capacity.h"

#include "../base/devices.h"
#include "../base/machine.h"
#include "../base/report.h"
#include "../base/shortage.h"

#include <stdatomic.h>
#include <stdint.h>

/* umcc defines it as 1 in the programs that it links, the project's own build as 0. */
extern const char umsim_links_program __attribute__((weak));

static const uint64_t GIB = 1ull << 30;
static uint64_t of_profile; /* its capacity, bytes, where it is not the device's */
static atomic_bool is_told;

/* Round numbers are told from measured ones, and stay from run to run. */
static uint64_t backed_by(uint64_t host)
{
    const uint64_t share = host / 8 * 3, unit = share >= 4 * GIB ? GIB : GIB / 16;
    return share >= unit ? share / unit * unit : unit;
}

/* @return what the profile had, where it is less now; else 0 */
static uint64_t scale(struct umsim_capacity *capacity, uint64_t backed)
{
    const uint64_t total = (uint64_t)capacity->total_global_memory;
    if (backed >= total)
        return 0;
    const double taken = 1 - (double)capacity->free_at_start / (double)total;
    const uint64_t granularity = (uint64_t)capacity->allocation_granularity;
    capacity->total_global_memory = (int64_t)backed;
    capacity->free_at_start =
        (int64_t)((backed - (uint64_t)(taken * (double)backed)) / granularity * granularity);
    return total;
}

void umsim_capacity_set(bool as_profile)
{
    const size_t host = umsim_host_memory_bytes();
    if (as_profile || !&umsim_links_program || host == SIZE_MAX)
        return;
    const uint64_t backed = backed_by(host / umsim_devices);
    of_profile = scale(&umsim_machine.capacity, backed);
    for (unsigned device = 1; device <= umsim_machine.other_count; device++)
        scale(&umsim_machine_other(device)->capacity, backed);
}

void umsim_capacity_tell(void)
{
    if (!of_profile || atomic_exchange(&is_told, true))
        return;
    umsim_say("%s has %.1f GiB, more than this computer has room for: the simulated one has %.2f GiB "
              "(UMSIM_CAPACITY=profile: as many as the real one)",
              umsim_machine.device, (double)of_profile / (double)GIB,
              (double)umsim_machine.capacity.total_global_memory / (double)GIB);
}
