/**
 * @file answers.h
 * @brief Lab 3: computes the answers to the lab's questions from its rows.
 *
 * Nothing is measured here. A number is left out when its rows did not run or are not verified.
 */
#ifndef LAB3_ANSWERS_H
#define LAB3_ANSWERS_H

#include "timeline.h"

/** From which of the sizes on the pinned copy to the device was the faster one. */
void answers_small_copies(const struct um_results *results, FILE *out);

/** After how many copies to the device of `bytes` bytes memory of kind `name` has earned what it cost. */
void answers_break_even(const struct um_results *results, const char *name, size_t bytes, FILE *out);

#endif
