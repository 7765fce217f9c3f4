/**
 * @file machines.h
 * @brief For lab 9's checks: machines that choose() is asked about, made from the one that everybody knows.
 *
 *     struct lab9_machine machine = lab9_vary(lab9_figures(um_profile()), factor);
 *     struct umsim_profile profile = lab9_profile(um_profile(), &machine);
 *     struct lab9_price price = lab9_price(&profile, &work, LAB9_MAPPED);
 *
 * Such a machine's costs are straight lines, so that its figures say all: tests/unit/lab9_costs.c compares
 * prices with sums of figures.
 */
#ifndef LAB9_MACHINES_H
#define LAB9_MACHINES_H

#include "../exercise.h"
#include "sim/model/profile.h"

/** The figures of a machine, as lines through its times at 4 KiB and at 16 MiB. */
struct lab9_machine lab9_figures(const struct umsim_profile *profile);

/**
 * Another machine: each figure is multiplied.
 * @param factor called for each figure: a number between the two limits
 */
struct lab9_machine lab9_vary(struct lab9_machine machine, double factor(double least, double most));

/** The machine as the cost model knows machines. `base` has what choose() is not told of. */
struct umsim_profile lab9_profile(const struct umsim_profile *base, const struct lab9_machine *machine);

#endif
