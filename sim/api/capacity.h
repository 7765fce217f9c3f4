/**
 * @file capacity.h
 * @brief How much memory the device of a program of umcc's has: what the host can back.
 *
 * A program that sizes itself by cudaMemGetInfo() would take more on a laptop than there is. So the device of
 * a program that umcc linked has 3/8 of the host's memory (its cgroup's limit, where that is less), where
 * this is less than the profile's: the rest is for the host's own copies and the system. Nothing else of the
 * profile changes. Programs of the labs, tests and grading, and Python's, keep the profile's capacity.
 */
#ifndef UMSIM_CAPACITY_H
#define UMSIM_CAPACITY_H

#include <stdbool.h>

/** Sets umsim_machine's capacity, once, when the profile has been read. @param as_profile leave it as it is
 */
void umsim_capacity_set(bool as_profile);

/** Says once on stderr that the capacity is not the profile's, if so: when a program asks how much is free,
 * or is refused memory. */
void umsim_capacity_tell(void);

#endif
