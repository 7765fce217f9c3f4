/**
 * @file relay.h
 * @brief Lab 10, first part: both devices work on one array in turns. What hands it over?
 *
 * In each of TURNS turns one device adds one to every element; then it is the other's turn. relay_ways has a
 * way for each strategy, in the order of the lab's table.
 */
#ifndef LAB10_RELAY_H
#define LAB10_RELAY_H

#include "pair.h"

#define TURNS 4

/** The strategies of this part. */
void relay(struct um_run *run);

#endif
