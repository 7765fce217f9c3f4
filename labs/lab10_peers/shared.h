/**
 * @file shared.h
 * @brief Lab 10, third and fourth part: a sum over both halves of an array, and a table that both devices
 * read.
 */
#ifndef LAB10_SHARED_H
#define LAB10_SHARED_H

#include "pair.h"

/** In each of so many rounds both devices look up a part of the table, one after the other. */
#define ROUNDS 3
/** They look up one element in so many, at places far apart. */
#define LOOKUP_PART 16

/** The strategies of these parts; `first` is the place of the first one in the lab's table. @{ */
void sums(struct um_run *run, int first);
void tables(struct um_run *run, int first);
/** @} */

#endif
