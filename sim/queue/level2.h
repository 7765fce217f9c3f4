/**
 * @file level2.h
 * @brief What earlier launches have left in the second level of cache of their device, as far as counts tell
 * (counts.h).
 *
 * What a launch accesses is ranges of addresses. How much of a range is still there follows from how many
 * bytes launches have accessed since: all of it up to half of the level (an H200's has two parts that hold
 * the same), and beyond that less and less, as on an H200 that reads 48 and 64 MiB again and again.
 *
 * Known are launches that are counted. Copies and memsets only take the place of what was there; of managed
 * memory nothing counts as left. Host process only.
 */
#ifndef UMSIM_LEVEL2_H
#define UMSIM_LEVEL2_H

#include <stdint.h>

/** @return which part of the range, from 0 to 1, is still there when a launch accesses it. `bytes`: what the
 * launch accesses in all */
double umsim_level2_has(unsigned device, uint64_t begin, uint64_t end, double bytes);

/** A launch has accessed the range. */
void umsim_level2_keep(unsigned device, uint64_t begin, uint64_t end);

/** ... and so much in all. Comes after its ranges. Copies and memsets, too. */
void umsim_level2_pass(unsigned device, double bytes);

#endif
