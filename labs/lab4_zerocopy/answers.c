/**
 * @file answers.c
 * @brief Implementation of answers.h: answers lab 4's questions from its rows.
 */
#include <math.h>

#include "answers.h"

/* The work of the verified row "STRATEGY PATTERN", microseconds; NAN when there is none. */
static double answers_work(const struct um_results *results, const char *strategy, const char *pattern)
{
    char name[80];
    const struct um_row *row;

    snprintf(name, sizeof name, "%s %s", strategy, pattern);
    row = um_results_find(results, name);
    return row && row->verdict == UM_VERDICT_YES ? work_us(row) : NAN;
}

void answers_share(const struct um_results *results, const size_t *one_in, size_t count, FILE *out)
{
    double share_before = 0, gain_before = NAN;
    char pattern[32];

    for (size_t i = 0; i < count; i++) {
        snprintf(pattern, sizeof pattern, "gather 1/%zu", one_in[i]);
        const double share = 1.0 / (double)one_in[i];
        const double gain = answers_work(results, "copy", pattern) - answers_work(results, "mapped", pattern);

        if (isnan(gain))
            return;
        if (gain <= 0 && i == 0) {
            fprintf(out, "gather: copying wins at all shares that were tried\n");
            return;
        }
        if (gain <= 0) {
            fprintf(out,
                    "gather: in place wins while a kernel reads less than %.1f%% of the elements; at more, "
                    "copying\n",
                    100 * (share_before + (share - share_before) * gain_before / (gain_before - gain)));
            return;
        }
        share_before = share;
        gain_before = gain;
    }
    fprintf(out, "gather: in place wins at all shares that were tried, up to %.1f%%\n", 100 * share_before);
}

void answers_passes(const struct um_results *results, const char *many, int passes, FILE *out)
{
    const double copy_us = answers_work(results, "copy", "dense");
    const double mapped_us = answers_work(results, "mapped", "dense");
    const double copy_pass_us = (answers_work(results, "copy", many) - copy_us) / (passes - 1);
    const double mapped_pass_us = (answers_work(results, "mapped", many) - mapped_us) / (passes - 1);

    if (isnan(copy_pass_us) || isnan(mapped_pass_us))
        return;
    fprintf(out, "dense: one more pass costs %.1f us in place, and %.1f us on a copy; ", mapped_pass_us,
            copy_pass_us);
    if (mapped_us >= copy_us)
        fprintf(out, "copying wins from the first pass on\n");
    else if (mapped_pass_us <= copy_pass_us)
        fprintf(out, "in place wins, however many there are\n");
    else
        fprintf(out, "copying wins from pass %.0f on\n",
                floor(1 + (copy_us - mapped_us) / (mapped_pass_us - copy_pass_us)) + 1);
}

void answers_registering(const struct um_results *results, FILE *out)
{
    const struct um_row *copied = um_results_find(results, "copy-pageable dense");
    const struct um_row *registered = um_results_find(results, "registered dense");
    double costs_us, saves_us;

    if (!copied || !registered || copied->verdict != UM_VERDICT_YES || registered->verdict != UM_VERDICT_YES)
        return;
    costs_us = registered->alloc_us - copied->alloc_us;
    saves_us = work_us(copied) - work_us(registered);
    fprintf(out,
            "registered: pinning malloc's memory takes %.1f us %s than getting device memory to copy it to; ",
            fabs(costs_us), costs_us < 0 ? "less" : "more");
    if (saves_us <= 0)
        fprintf(out, "a use saves nothing\n");
    else
        fprintf(out, "a dense use saves %.1f us: it pays from use %.0f on\n", saves_us,
                fmax(1, floor(costs_us / saves_us) + 1));
}
