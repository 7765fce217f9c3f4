/**
 * @file answers.h
 * @brief Lab 4: computes from the table's rows where one strategy begins to win over another.
 *
 * The comparison covers the work (copies and kernels) without allocating the memory. Between two rows, the
 * time is assumed to grow in a straight line. An answer is left out when its rows did not run or are not
 * verified.
 */
#ifndef LAB4_ANSWERS_H
#define LAB4_ANSWERS_H

#include "rows.h"

/** Gathers: up to which share of the elements reading in place wins. `one_in` falls, so the shares grow. */
void answers_share(const struct um_results *results, const size_t *one_in, size_t count, FILE *out);

/** Dense work: from how many passes over the data on copying wins. `many` is "dense x4" for 4 passes. */
void answers_passes(const struct um_results *results, const char *many, int passes, FILE *out);

/** Says what reading the smallest and the largest share in place took, as multiples of copying all first. */
void answers_closing(const struct um_results *results, size_t least_of, size_t most_of,
                     struct um_closing *closing);

/** Data in memory from malloc: after how many uses registering it has paid off. */
void answers_registering(const struct um_results *results, FILE *out);

#endif
