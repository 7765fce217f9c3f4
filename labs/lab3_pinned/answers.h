/**
 * @file answers.h
 * @brief Lab 3: computes the answers to the lab's questions from its rows.
 *
 * Nothing is measured here. A number is left out when its rows did not run or are not verified.
 */
#ifndef LAB3_ANSWERS_H
#define LAB3_ANSWERS_H

#include "timeline.h"

/** The smallest of the sizes from which on the pinned copy to the device was faster. */
void answers_small_copies(const struct um_results *results, FILE *out);

/** After how many copies of `bytes` bytes to the device memory of kind `name` has earned back its cost. */
void answers_break_even(const struct um_results *results, const char *name, size_t bytes, FILE *out);

/** Says how many times as long as from pinned memory a copy of `bytes` bytes takes from pageable memory. */
void answers_pinning(const struct um_results *results, size_t bytes, struct um_closing *closing);

#endif
