/**
 * @file answers.h
 * @brief Lab 5: reads from the rows what its README asks students to predict, with the driver's rule and the
 * arithmetic.
 *
 * The rule is computed here from the size alone, without asking the simulator or the driver. A page has the
 * host's size (um_page.h), a big page 64 KiB, a block 2 MiB (NVIDIA's open UVM driver:
 * uvm_va_block_types.h, uvm_perf_prefetch.c).
 */
#ifndef LAB5_ANSWERS_H
#define LAB5_ANSWERS_H

#include "um_lab.h"

#define BIG_PAGE ((size_t)64 << 10)
#define BLOCK ((size_t)2 << 20) /* the driver keeps its state in blocks of 2 MiB */

/** @name The answers
 * One for each question of predictions.json, as struct um_question wants it. @{ */
bool answer_first(const struct um_results *results, const struct um_options *options,
                  struct um_answer *answer);
bool answer_again(const struct um_results *results, const struct um_options *options,
                  struct um_answer *answer);
bool answer_walk(const struct um_results *results, const struct um_options *options,
                 struct um_answer *answer);
bool answer_byte(const struct um_results *results, const struct um_options *options,
                 struct um_answer *answer);
bool answer_blocks(const struct um_results *results, const struct um_options *options,
                   struct um_answer *answer);
bool answer_factor(const struct um_results *results, const struct um_options *options,
                   struct um_answer *answer);
/** @} */

/** Says what no call asked for, and moved all the same. */
void answers_closing(const struct um_results *results, const struct um_options *options,
                     struct um_closing *closing);

#endif
