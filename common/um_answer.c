/**
 * @file um_answer.c
 * @brief Implementation of um_answer.h: looks up the rows that answer a question, and prints the answers.
 */
#include "um_lab.h"

#include <math.h>

const struct um_row *um_answering_row(const struct um_results *results, const char *name)
{
    const struct um_row *row = um_results_find(results, name);

    return row && row->verdict == UM_VERDICT_YES ? row : NULL;
}

const struct um_row *um_paged_row(const struct um_results *results, const char *name)
{
    const struct um_row *row = um_answering_row(results, name);

    return row && row->counters.bytes_migrated_h2d != UM_NONE && row->counters.cpu_faults != UM_NONE ? row
                                                                                                     : NULL;
}

#define BESIDE 12       /* characters of the number, and of the gaps around it */
#define REASON_LEAST 50 /* characters that a column of reasons needs */

/* Whole numbers without a decimal, others with one. */
static const char *number_text(double number, char *text, size_t size)
{
    snprintf(text, size, number == floor(number) ? "%.0f" : "%.1f", number);
    return text;
}

void um_answers_print(const struct um_lab *lab, const struct um_options *options,
                      const struct um_results *results, FILE *out)
{
    const struct um_question *asked[UM_QUESTIONS_MAX];
    struct um_answer answer[UM_QUESTIONS_MAX];
    char number[32];
    int count = 0, width = 0;

    for (const struct um_question *q = lab->questions; q && q->name && count < UM_QUESTIONS_MAX; q++) {
        answer[count] = (struct um_answer){.rule = NAN};
        if (!q->answer(results, options, &answer[count]))
            continue;
        width = (int)strlen(q->what) > width ? (int)strlen(q->what) : width;
        asked[count++] = q;
    }
    if (count == 0)
        return;
    /* Beside each other where the reasons have room, else below. */
    const bool beside = (size_t)width + BESIDE + REASON_LEAST <= um_width();

    fprintf(out, "\n%-*s  happened%s\n", width, "what", beside ? "  why" : "");
    for (int i = 0; i < count; i++) {
        char rule[64] = "";

        number_text(answer[i].happened, number, sizeof number);
        if (!isnan(answer[i].rule) && fabs(answer[i].rule - answer[i].happened) > 0.05)
            snprintf(rule, sizeof rule, "; that is %s, not what happened",
                     number_text(answer[i].rule, (char[32]){0}, 32));
        um_print(out, beside ? (size_t)width + BESIDE : 4, "%-*s  %8s%s%s%s\n", width, asked[i]->what, number,
                 beside ? "  " : "\n    ", answer[i].why, rule);
    }
}
