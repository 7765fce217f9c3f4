/**
 * @file costs.h
 * @brief For lab 9's checks: what a workload costs with each kind of memory, without running it.
 *
 *     struct lab9_price price = lab9_price(um_profile(), &work, LAB9_MAPPED);
 *     double us = price.memory_us + work.jobs * price.job_us;
 *
 * It takes the same steps as play.c, but asks umsim_price.h what each costs. So it needs hardly any time,
 * whatever the size. tests/unit/lab9_costs.c compares its prices with the lab's rows.
 *
 * A job begins with the driver's fault handler asleep, and with all pages on the host. Where the array needs
 * more memory than the device has, a choice that depends on it has no price: INFINITY.
 */
#ifndef LAB9_COSTS_H
#define LAB9_COSTS_H

#include "../workload.h"

struct umsim_profile;

/** Microseconds. */
struct lab9_price {
    double memory_us; /**< allocating the memory, and freeing it */
    double job_us;    /**< one job: all rounds */
};

/** What the workload costs on that machine. */
struct lab9_price lab9_price(const struct umsim_profile *machine, const struct lab9_workload *work,
                             enum lab9_kind kind);

#endif
