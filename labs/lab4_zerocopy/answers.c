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
            um_print(out, 2,
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

    char who[64];

    if (isnan(copy_pass_us) || isnan(mapped_pass_us))
        return;
    if (mapped_us >= copy_us)
        snprintf(who, sizeof who, "copying wins from the first pass on");
    else if (mapped_pass_us <= copy_pass_us)
        snprintf(who, sizeof who, "in place wins, however many there are");
    else
        snprintf(who, sizeof who, "copying wins from pass %.0f on",
                 floor(1 + (copy_us - mapped_us) / (mapped_pass_us - copy_pass_us)) + 1);
    um_print(out, 2, "dense: one more pass costs %.1f us in place, and %.1f us on a copy; %s\n",
             mapped_pass_us, copy_pass_us, who);
}

void answers_registering(const struct um_results *results, FILE *out)
{
    const struct um_row *copied = um_results_find(results, "copy-pageable dense");
    const struct um_row *registered = um_results_find(results, "registered dense");
    double costs_us, saves_us;
    char pays[80];

    if (!copied || !registered || copied->verdict != UM_VERDICT_YES || registered->verdict != UM_VERDICT_YES)
        return;
    costs_us = registered->alloc_us - copied->alloc_us;
    saves_us = work_us(copied) - work_us(registered);
    if (saves_us <= 0)
        snprintf(pays, sizeof pays, "a use saves nothing");
    else
        snprintf(pays, sizeof pays, "a dense use saves %.1f us: it pays from use %.0f on", saves_us,
                 fmax(1, floor(costs_us / saves_us) + 1));
    um_print(
        out, 2,
        "registered: pinning malloc's memory takes %.1f us %s than getting device memory to copy it to; %s\n",
        fabs(costs_us), costs_us < 0 ? "less" : "more", pays);
}

void answers_closing(const struct um_results *results, size_t least_of, size_t most_of,
                     struct um_closing *closing)
{
    const size_t one_in[2] = {least_of, most_of};
    double in_place_us[2], copy_us[2];
    char pattern[32], name[48];

    for (int i = 0; i < 2; i++) {
        snprintf(pattern, sizeof pattern, "gather 1/%zu", one_in[i]);
        in_place_us[i] = answers_work(results, "mapped", pattern);
        copy_us[i] = answers_work(results, "copy", pattern);
        if (isnan(in_place_us[i]) || isnan(copy_us[i]))
            return;
        snprintf(name, sizeof name, "mapped %s", pattern);
        if (i == 0 && in_place_us[i] < copy_us[i])
            closing->fastest = um_results_find(results, name);
        if (i == 1 && in_place_us[i] > copy_us[i])
            closing->surprise = um_results_find(results, name);
    }
    um_closing_say(
        closing,
        "A kernel that read 1 element in %zu took %.1f us in place, and %.1f with the copy before it; for "
        "1 in %zu it was %.1f us and %.1f.",
        least_of, in_place_us[0], copy_us[0], most_of, in_place_us[1], copy_us[1]);
}
