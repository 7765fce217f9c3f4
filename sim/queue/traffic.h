/**
 * @file traffic.h
 * @brief What a launch moves whose kernel declares nothing (umsim.h), as every user's kernel.
 *
 * Such a launch can be measured: all memory is closed to it and opened in units of 64 KiB as its threads
 * touch them, each counted (space/protection.h). That costs microseconds a unit, several times what a kernel
 * takes that only streams. So not all are. The rule:
 *
 *  1. Launches are the same if kernel, geometry, dynamic shared memory and arguments are, byte for byte, and
 * nothing has been allocated, freed, registered, prefetched or advised since. Of the same launches the 1st is
 * measured, the 2nd, 4th, 8th and so on to the 1024th, and then each 1024th: what arguments lead to may have
 * changed (a search whose front grows). All between take over what the latest of them has measured.
 *  2. A launch that is the same as none measured before belongs to a series: the same kernel, geometry and
 * dynamic shared memory, and at each place of its arguments an address of the same kind of memory, or none.
 * The first UMSIM_TRAFFIC_FIRST such launches of a series are measured, then the 16th, 32nd and so on as
 * above; the others take over what was measured in the series last. So each step of a program with two
 * buffers is known by itself, and a loop whose arguments count steps, or one that allocates in each pass, is
 * not measured for ever.
 *
 * A program of umcc --check=coalescing counts each access of each launch (check/coalesce.h): nothing is taken
 * over there.
 *
 * Only modelled times rest on it. Which managed pages fault and move is exact in each launch, measured or
 * not: what the paging policy has not granted is closed at all times (uvm/uvm.h).
 *
 * It is decided when a launch is handed over, in that order, and depends on nothing but the launches and
 * allocations that came before: every run decides alike. Launches are collected in the order of handing over,
 * so that what one takes over is there when it is collected. The tables are bounded (the oldest go; what is
 * forgotten is measured anew).
 *
 * Host process only, with the simulator's lock.
 */
#ifndef UMSIM_TRAFFIC_H
#define UMSIM_TRAFFIC_H

#include "kernel_op.h"
#include "../space/measured.h"

/** Launches of a series that are measured though each is another one. */
#define UMSIM_TRAFFIC_FIRST 8

/** What one launch was measured to move; several may rest on it. */
struct umsim_measurement;

/**
 * A launch is about to be handed over.
 * @param changes umsim_registry_changes() when it was issued: later ones are not its own
 * @param[out] measure whether it is to be measured; umsim_traffic_measured() has to follow when it is
 * collected
 * @return what it will move: to be let go of with umsim_traffic_drop()
 */
struct umsim_measurement *umsim_traffic_expect(const struct umsim_launch_request *launch, uint64_t changes,
                                               bool *measure);

/** A measured launch is collected. */
void umsim_traffic_measured(struct umsim_measurement *measurement, const struct umsim_measured *measured);

/** What was measured, of reading and writing alone. */
void umsim_traffic_of(const struct umsim_measurement *measurement, struct umsim_measured *measured);

void umsim_traffic_drop(struct umsim_measurement *measurement);

#endif
