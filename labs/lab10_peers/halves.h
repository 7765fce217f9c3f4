/**
 * @file halves.h
 * @brief Lab 10, second part: one array, a half on each device, and work for which each needs the other's
 * edge.
 *
 * Each of STEPS steps is um_smooth() over rows of ROW floats. Device 0 has the upper half, device 1 the lower
 * one; what lies above and below the whole array is 0. halves_draw() draws the runs that were timed.
 */
#ifndef LAB10_HALVES_H
#define LAB10_HALVES_H

#include "pair.h"
#include "timeline.h"

#define STEPS 8
#define ROW ((size_t)4096) /* floats: 16 KiB */

/** The strategies of this part; `first` is the place of the first one in the lab's table. */
void halves(struct um_run *run, int first);

/** The timelines of the runs that there were. */
void halves_draw(FILE *out);

/** Frees what the runs shared. */
void halves_drop(void);

#endif
