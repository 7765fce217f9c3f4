/**
 * @file common_answer.c
 * @brief Tests of common/um_answer: what happened, and whether the rule says so.
 */
#include "um_lab.h"
#include "um_test.h"

#include <unistd.h>

#include "common_capture.h"

static double walk_is;

static bool walk(const struct um_results *results, const struct um_options *options, struct um_answer *answer)
{
    (void)results;
    answer->happened = walk_is;
    answer->rule = 6.0 * (double)(options->size >> 21);
    snprintf(answer->why, sizeof answer->why, "6 a block");
    return true;
}

static bool half(const struct um_results *results, const struct um_options *options, struct um_answer *answer)
{
    (void)results, (void)options;
    answer->happened = 0.5;
    snprintf(answer->why, sizeof answer->why, "no rule");
    return true;
}

static bool not_run(const struct um_results *results, const struct um_options *options,
                    struct um_answer *answer)
{
    (void)options, (void)answer;
    return um_answering_row(results, "not there") != NULL;
}

static const struct um_question questions[] = {{"walk", "faults of a walk", walk},
                                               {"never", "what did not run", not_run},
                                               {"half", "a half", half},
                                               {0}};
static const struct um_question no_answers[] = {{"never", "what did not run", not_run}, {0}};

static const char *printed(const struct um_question *which)
{
    static const struct um_options options = {.size = (size_t)4 << 20};
    static const struct um_results none;
    static struct capture out;
    const struct um_lab lab = {.name = "lab99", .questions = which};

    capture_begin(&out, STDOUT_FILENO);
    um_answers_print(&lab, &options, &none, stdout);
    capture_end(&out);
    return out.text;
}

static void what_happened_stands_beside_its_rule(void)
{
    walk_is = 12;
    UM_STRING_EQUAL(printed(questions), "\nwhat              happened  why\n"
                                        "faults of a walk        12  6 a block\n"
                                        "a half                 0.5  no rule\n");
}

static void a_rule_that_did_not_hold_says_so(void)
{
    walk_is = 13;
    UM_CONTAINS(printed(questions), "13  6 a block; that is 12, not what happened\n");
}

static void without_answers_nothing_is_printed(void)
{
    UM_STRING_EQUAL(printed(no_answers), "");
    UM_STRING_EQUAL(printed(NULL), "");
}

UM_TESTS("answer", {"what happened stands beside its rule", what_happened_stands_beside_its_rule},
         {"a rule that did not hold says so", a_rule_that_did_not_hold_says_so},
         {"without answers nothing is printed", without_answers_nothing_is_printed});
