/**
 * @file price.h
 * @brief The cost of one grid, launched by the host or by a kernel: from its shape, the pages that it touched
 * and the time that its threads waited on their clocks.
 *
 * This is plain arithmetic on the profile, and runs in both processes.
 */
#ifndef UMSIM_PRICE_H
#define UMSIM_PRICE_H

#include "../model/cost.h"
#include "../worker/launches.h"
#include "../space/measured.h"

/** Entries for traffic in addition to what a launch has declared. */
#define UMSIM_PRICE_TRAFFIC ((size_t)UMSIM_REACHES)

/** What a grid's time is made of. */
struct umsim_price {
    struct umsim_terms terms;
    uint64_t bytes_near, bytes_far; /* that device memory moves; that cross the link */
};

/**
 * The time of a grid on the compute engine, in ns.
 * @param traffic what was declared; with space for UMSIM_PRICE_TRAFFIC more entries if the command was
 * measured
 * @param paging NULL: none
 * @param[out] price NULL: it is not wanted
 */
uint64_t umsim_price_grid(const struct umsim_command *command, struct umsim_traffic *traffic, size_t count,
                          const struct umsim_paging_work *paging, struct umsim_price *price);

#endif
