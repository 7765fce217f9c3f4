/**
 * @file machines.c
 * @brief Implementation of machines.h: figures of a profile, and a profile of figures.
 */
#include <limits.h>
#include <math.h>

#include "machines.h"
#include "kernels.h"
#include "umsim_price.h"

#define MIB ((double)(1 << 20))
#define GPU 0

enum { PAGE = 4096, LARGE = 16 << 20, PAGES_OF_A_MIB = (1 << 20) / PAGE };

/* No figure of a machine's; so fast that it takes no time. */
static const double NO_LIMIT_GBS = 1e12;

/* ---- figures of a profile ---- */

static struct lab9_line line_through(double page_us, double large_us)
{
    return (struct lab9_line){page_us, (large_us - page_us) / (LARGE / MIB)};
}

static double memory_us(const struct umsim_profile *profile, enum umsim_price_memory memory, size_t bytes)
{
    return (double)umsim_price_memory_ns(profile, memory, bytes) / 1e3;
}

static struct lab9_line memory_line(const struct umsim_profile *profile, enum umsim_price_memory memory)
{
    return line_through(memory_us(profile, memory, PAGE), memory_us(profile, memory, LARGE));
}

/* A step's time on an array: the mean of both ways, where there are two. */
static double step_us(const struct umsim_profile *profile, enum umsim_price_memory memory, size_t bytes,
                      bool advice)
{
    struct umsim_price *price = umsim_price_begin(profile, memory, bytes, (size_t)1 << 40);
    double us;

    if (!price)
        return NAN;
    if (advice) {
        umsim_price_advise(price, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId);
        umsim_price_advise(price, cudaMemAdviseSetAccessedBy, GPU);
    } else if (memory == UMSIM_PRICE_MANAGED) {
        umsim_price_prefetch(price, GPU);
        umsim_price_prefetch(price, cudaCpuDeviceId);
    } else {
        umsim_price_copy(price, cudaMemcpyHostToDevice);
        umsim_price_copy(price, cudaMemcpyDeviceToHost);
    }
    us = (double)umsim_price_ns(price) / 1e3;
    umsim_price_end(price);
    return advice ? us : us / 2;
}

static struct lab9_line step_line(const struct umsim_profile *profile, enum umsim_price_memory memory,
                                  bool advice)
{
    return line_through(step_us(profile, memory, PAGE, advice), step_us(profile, memory, LARGE, advice));
}

struct lab9_machine lab9_figures(const struct umsim_profile *profile)
{
    return (struct lab9_machine){
        .pinned_memory = memory_line(profile, UMSIM_PRICE_MAPPED),
        .device_memory = memory_line(profile, UMSIM_PRICE_PAGEABLE),
        .managed_memory = memory_line(profile, UMSIM_PRICE_MANAGED),
        .pageable_copy = step_line(profile, UMSIM_PRICE_PAGEABLE, false),
        .pinned_copy = step_line(profile, UMSIM_PRICE_PINNED, false),
        .prefetch = step_line(profile, UMSIM_PRICE_MANAGED, false),
        .advice = step_line(profile, UMSIM_PRICE_MANAGED, true),
        .near_us_per_mib = MIB / profile->costs.device_read_gbs / 1e3,
        .far_us_per_mib = MIB / profile->costs.mapped_read_gbs / 1e3,
    };
}

/* ---- other machines ---- */

static struct lab9_line varied(struct lab9_line line, double factor(double least, double most))
{
    const double fixed = factor(0.25, 4), grows = factor(0.25, 4);

    return (struct lab9_line){fixed * line.us, grows * line.us_per_mib};
}

/* All that uses the bus becomes slower or faster with it. Of what comes on top each has its own factor: so
 * nothing is faster than the bus. */
struct lab9_machine lab9_vary(struct lab9_machine machine, double factor(double least, double most))
{
    const double bus = factor(0.25, 4), pinned_us_per_mib = machine.pinned_copy.us_per_mib;

    machine.pinned_memory = varied(machine.pinned_memory, factor);
    machine.device_memory = varied(machine.device_memory, factor);
    machine.managed_memory = varied(machine.managed_memory, factor);
    machine.advice = varied(machine.advice, factor);
    machine.pageable_copy.us_per_mib -= pinned_us_per_mib;
    machine.pageable_copy = varied(machine.pageable_copy, factor);
    machine.prefetch.us *= factor(0.25, 1.5); /* faults stay the slower way */
    machine.prefetch.us_per_mib = bus * machine.prefetch.us_per_mib * factor(0.7, 1.5);
    machine.pinned_copy.us *= factor(0.25, 4);
    machine.pinned_copy.us_per_mib *= bus;
    machine.pageable_copy.us_per_mib += machine.pinned_copy.us_per_mib;
    machine.near_us_per_mib *= factor(0.25, 4);
    machine.far_us_per_mib *= bus * factor(0.7, 4);
    return machine;
}

/* ---- a profile of figures ---- */

static struct umsim_curve curve_of(struct lab9_line line)
{
    return (struct umsim_curve){.count = 2, .bytes = {0, MIB}, .us = {line.us, line.us + line.us_per_mib}};
}

static double gbs_of(double us_per_mib)
{
    return MIB / us_per_mib / 1e3;
}

static void set_memory(struct umsim_costs *costs, const struct lab9_machine *machine)
{
    const struct lab9_line nothing = {0, 0};

    costs->malloc_host = curve_of(machine->pinned_memory);
    costs->malloc_device = curve_of(machine->device_memory);
    costs->malloc_managed = curve_of(machine->managed_memory);
    costs->free_host = costs->free_device = costs->free_managed = curve_of(nothing);
    costs->free_populated_us = costs->gpu_fresh_us = 0;
}

/* Faults move the same bytes as a prefetch, at its rate; what they take themselves is the base's. */
static void set_moves(struct umsim_costs *costs, const struct lab9_machine *machine)
{
    costs->pageable_staged_bytes = -1; /* each copy is waited for */
    costs->copy_issue_us = costs->synchronize_us = costs->prefetch_issue_us = costs->prefetch_block_us = 0;
    costs->htod_pageable = costs->dtoh_pageable = curve_of(machine->pageable_copy);
    costs->htod_pinned = costs->dtoh_pinned = curve_of(machine->pinned_copy);
    costs->prefetch_htod = costs->prefetch_dtoh = curve_of(machine->prefetch);
    costs->migrate_htod_gbs = costs->migrate_dtoh_gbs = gbs_of(machine->prefetch.us_per_mib);
    costs->advise_us = 0;
    costs->advise_change_us = machine->advice.us;
    costs->advise_map_us = costs->advise_protect_us = machine->advice.us_per_mib / PAGES_OF_A_MIB;
}

static void set_kernels(struct umsim_costs *costs, const struct lab9_machine *machine)
{
    costs->device_read_gbs = costs->managed_read_gbs = gbs_of(machine->near_us_per_mib);
    costs->mapped_read_gbs = gbs_of(machine->far_us_per_mib);
    costs->device_write_gbs = costs->managed_write_gbs = NO_LIMIT_GBS;
    costs->mapped_write_gbs = costs->mapped_both_gbs = NO_LIMIT_GBS;
    costs->launch_issue_us = costs->kernel_minimum_us = costs->mapped_start_us = costs->block_ns =
        costs->block_start_ns = 0;
    costs->device_latency_ns = costs->mapped_latency_ns = 0;
    costs->cache_gbs = NO_LIMIT_GBS;
    costs->mapped_read_piece_ns = UM_FETCH_BYTES / costs->mapped_read_gbs; /* a lone touch */
    costs->mapped_write_piece_ns = 0;
}

/* Kernels take what their bytes take: no cache has any, and instructions take no time. */
static void set_device(struct umsim_attributes *attributes)
{
    attributes->l2_cache_size = 0;
    attributes->clock_rate_khz = INT_MAX;
}

struct umsim_profile lab9_profile(const struct umsim_profile *base, const struct lab9_machine *machine)
{
    struct umsim_profile profile = *base;

    set_memory(&profile.costs, machine);
    set_moves(&profile.costs, machine);
    set_kernels(&profile.costs, machine);
    set_device(&profile.attributes);
    return profile;
}
