/**
 * @file traffic.h
 * @brief What a launch moves when its kernel declares nothing (umsim.h), as users' kernels do.
 *
 * Such a launch can be measured: all memory is closed to it and opened in units of 64 KiB as its threads
 * touch them, and each unit is counted (space/protection.h). That costs microseconds a unit, which is several
 * times what a kernel takes that only streams. So not every launch is measured. The rule:
 *
 *  1. Launches are the same if device, kernel, geometry, dynamic shared memory and arguments are the same,
 * byte for byte, and nothing has been allocated, freed, registered, prefetched or advised since. Of the same
 *     launches the 1st is measured, the 2nd, 4th, 8th and so on to the 1024th, and then every 1024th,
 *     because what the arguments lead to may have changed (a search whose front grows). All launches between
 *     take over what the latest of them has measured.
 *  2. A launch that is the same as none measured before belongs to a series: the same kernel, geometry and
 *     dynamic shared memory, and at each place of its arguments an address of the same kind of memory, or
 *     none. The first UMSIM_TRAFFIC_FIRST such launches of a series are measured (more where accesses
 *     are counted), then the 16th, 32nd and so
 * on as above. The others take over what was last measured in the series. So each step of a program with two
 * buffers is known separately, and a loop whose arguments count steps, or that allocates in each pass, is not
 * measured for ever.
 *
 * Of a kernel with a form that counts a launch that is to be measured is counted instead (count/count.h), and
 * its pages stay as they are.
 *
 * In a program built with umcc --check=coalescing each access of each launch is counted (check/coalesce.h),
 * and no launch takes over anything.
 *
 * Only modelled times depend on this rule. Which managed pages fault and move is exact for each launch,
 * measured or not, because what the paging policy has not granted is closed at all times (uvm/uvm.h).
 *
 * The decision is made when a launch is handed over, in the order of handing over. It depends on nothing but
 * the launches and allocations that came before, so that every run decides alike. Launches are collected in
 * the same order, so that what a launch takes over is there when it is collected. The tables are bounded: the
 * oldest entries go, and what is forgotten is measured anew.
 *
 * Host process only, with the simulator's lock.
 */
#ifndef UMSIM_TRAFFIC_H
#define UMSIM_TRAFFIC_H

#include "kernel_op.h"
#include "../space/measured.h"

/** The number of a series' first launches that are measured, though each is a different launch. */
#define UMSIM_TRAFFIC_FIRST 8
/** The same of a kernel whose accesses are counted, which takes less time. */
#define UMSIM_TRAFFIC_FIRST_COUNTED 64

/** What one launch was measured to move; several launches may use it. */
struct umsim_measurement;

/**
 * A launch is about to be handed over.
 * @param device that it runs on
 * @param changes umsim_registry_changes() when it was issued: later changes do not concern it
 * @param[out] measure whether the launch is to be measured; if so, umsim_traffic_measured() has to follow
 * when it is collected
 * @return what the launch will move; give it back with umsim_traffic_drop()
 */
struct umsim_measurement *umsim_traffic_expect(const struct umsim_launch_request *launch, unsigned device,
                                               uint64_t changes, bool *measure);

/** A measured launch is collected. */
void umsim_traffic_measured(struct umsim_measurement *measurement, const struct umsim_measured *measured);

/** What was measured, but only of reading and writing. */
void umsim_traffic_of(const struct umsim_measurement *measurement, struct umsim_measured *measured);

/** How many touches of managed memory were counted; 0: not known. */
uint64_t umsim_traffic_touches(const struct umsim_measurement *measurement);

void umsim_traffic_drop(struct umsim_measurement *measurement);

/** Forgets all launches: a library is gone, and other kernels may come to lie where its own were. Nothing may
 * be queued. */
void umsim_traffic_forget(void);

#endif
