/**
 * @file figures.h
 * @brief Lab 9: reads off a map what choose() is told of a machine.
 *
 * Each figure is the straight line through the times of `dense` at the smallest size and at the largest.
 */
#ifndef LAB9_FIGURES_H
#define LAB9_FIGURES_H

#include "map.h"

/** @return whether the map has all the rows that it takes: `dense`, with all kinds but `managed` */
bool figures_read(const struct map *map, struct lab9_machine *machine);

/** Prints the figures, a line for each. */
void figures_print(const struct map *map, const struct lab9_machine *machine, FILE *out);

#endif
