/**
 * @file answers.h
 * @brief Lab 7: reads from the rows what its README asks students to predict, with the rule and the
 * arithmetic.
 */
#ifndef LAB7_ANSWERS_H
#define LAB7_ANSWERS_H

#include "list.h"
#include "records.h"

/** @name The answers
 * One for each question of predictions.json, as struct um_question wants it. @{ */
bool answer_copied(const struct um_results *results, const struct um_options *options,
                   struct um_answer *answer);
bool answer_fetched(const struct um_results *results, const struct um_options *options,
                    struct um_answer *answer);
bool answer_moved(const struct um_results *results, const struct um_options *options,
                  struct um_answer *answer);
bool answer_nodes(const struct um_results *results, const struct um_options *options,
                  struct um_answer *answer);
bool answer_apart(const struct um_results *results, const struct um_options *options,
                  struct um_answer *answer);
bool answer_back(const struct um_results *results, const struct um_options *options,
                 struct um_answer *answer);
/** @} */

/** Says what the list and the records cost, by how they were laid out. */
void answers_closing(const struct um_results *results, const struct um_options *options,
                     struct um_closing *closing);

#endif
