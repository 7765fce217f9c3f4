/**
 * @file um_answer.h
 * @brief The numbers that a lab asks students to predict: what happened, and the rule that explains it.
 *
 *     static bool walk(const struct um_results *results, const struct um_options *options,
 *                      struct um_answer *answer)
 *     {
 *         const struct um_row *row = um_paged_row(results, "managed: host reads");
 *
 *         if (!row)
 *             return false;
 *         answer->happened = (double)row->counters.cpu_faults;
 *         answer->rule = 6.0 * blocks;
 *         snprintf(answer->why, sizeof answer->why, "%zu blocks of 2 MiB x 6", blocks);
 *         return true;
 *     }
 *     static const struct um_question questions[] = {{"walk", "page faults of the host's reads", walk}, {0}};
 *
 * The lab then sets `.questions = questions`. The rule is computed from the options alone, so it can be
 * wrong; where it is, the printed line says so. `make predict` asks for the same numbers before the run (the
 * lab's predictions.json).
 */
#ifndef UM_ANSWER_H
#define UM_ANSWER_H

#include <stdbool.h>
#include <stdio.h>

struct um_lab;
struct um_options;
struct um_results;
struct um_row;

/** The most questions that one lab may have. */
#define UM_QUESTIONS_MAX 10

/** The answer to a question. */
struct um_answer {
    double happened; /**< what the rows say */
    double rule;     /**< what the rule says; NAN where there is none for this run */
    char why[160];   /**< the rule, with its arithmetic */
};

/** One question. An array of them ends with a row whose name is NULL. */
struct um_question {
    const char *name; /**< as its id in predictions.json */
    const char *what; /**< with its unit, half a line: "page faults of the host's reads" */
    /**
     * Fills in `answer`. @return false where these results hold no answer: the row did not run, or its count
     * is n/a
     */
    bool (*answer)(const struct um_results *results, const struct um_options *options,
                   struct um_answer *answer);
};

/** The row called `name` when its result was right, else NULL: a wrong result answers no question. */
const struct um_row *um_answering_row(const struct um_results *results, const char *name);

/**
 * The same row, when the pages that it moved were also counted, else NULL. On a GPU, CUPTI may have no
 * counts.
 */
const struct um_row *um_paged_row(const struct um_results *results, const char *name);

/** Bytes in MiB. */
static inline double um_mib(double bytes)
{
    return bytes / (1 << 20);
}

/** Prints what happened, and why. Prints nothing for a lab without questions, or whose rows answer none. */
void um_answers_print(const struct um_lab *lab, const struct um_options *options,
                      const struct um_results *results, FILE *out);

#endif
