/**
 * @file profile.h
 * @brief Lab 9 on a GPU: asks the simulator's build of this lab for the same map, as the profile has it.
 *
 * build/cuda/lab9 looks for build/sim/lab9. Where that does not exist, there is nothing to put beside the
 * measured map, and a line says so.
 */
#ifndef LAB9_PROFILE_H
#define LAB9_PROFILE_H

#include "map.h"

/** Fills `map` with the simulator's times. @return false, after a line that gives the reason */
bool profile_map(struct map *map, size_t size, FILE *out);

#endif
