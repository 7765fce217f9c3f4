/**
 * @file costs.h
 * @brief For lab 9's checks: what a workload takes with each kind of memory, without doing it.
 *
 *     struct lab9_price price = lab9_price(um_profile(), &work, LAB9_MAPPED);
 *     double us = price.memory_us + work.jobs * price.job_us;
 *
 * The same steps as play.c's, asked of umsim_price.h. So it takes no time worth saying, for any size.
 * tests/unit/lab9_costs.c compares with the lab's rows.
 *
 * A job begins with the driver's fault handler asleep, and with all pages at the host. Where the device has
 * less memory than the array needs, what would need it has no price: INFINITY.
 */
#ifndef LAB9_COSTS_H
#define LAB9_COSTS_H

#include "../workload.h"

struct umsim_profile;

/** Microseconds. */
struct lab9_price {
    double memory_us; /**< getting the memory, and giving it back */
    double job_us;    /**< one job: all rounds */
};

/** What it takes on that machine. */
struct lab9_price lab9_price(const struct umsim_profile *machine, const struct lab9_workload *work,
                             enum lab9_kind kind);

#endif
