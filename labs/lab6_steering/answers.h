/**
 * @file answers.h
 * @brief Lab 6: reads from the rows what its README asks students to predict, with the driver's rule and the
 * arithmetic.
 *
 * The rules are those of NVIDIA's open UVM driver (uvm_va_block.c, block_select_processor_residency;
 * uvm_policy.c; uvm_pmm_gpu.c), and of an H200's counts (driver 580, CUDA 13.0). They are computed here from
 * the size alone.
 */
#ifndef LAB6_ANSWERS_H
#define LAB6_ANSWERS_H

#include "oversubscribed.h"
#include "story.h"

/** @name The answers
 * One for each question of predictions.json, as struct um_question wants it. @{ */
bool answer_nothing(const struct um_results *results, const struct um_options *options,
                    struct um_answer *answer);
bool answer_prefetch(const struct um_results *results, const struct um_options *options,
                     struct um_answer *answer);
bool answer_read_mostly(const struct um_results *results, const struct um_options *options,
                        struct um_answer *answer);
bool answer_rewrite(const struct um_results *results, const struct um_options *options,
                    struct um_answer *answer);
bool answer_prefer_gpu(const struct um_results *results, const struct um_options *options,
                       struct um_answer *answer);
bool answer_accessed_by(const struct um_results *results, const struct um_options *options,
                        struct um_answer *answer);
bool answer_comes(const struct um_results *results, const struct um_options *options,
                  struct um_answer *answer);
bool answer_evicted(const struct um_results *results, const struct um_options *options,
                    struct um_answer *answer);
/** @} */

/** Says what telling the driver saved, and what it cost. */
void answers_closing(const struct um_results *results, const struct um_options *options,
                     struct um_closing *closing);

#endif
