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
    fprintf(out, "\n%-*s  happened  why\n", width, "what");
    for (int i = 0; i < count; i++) {
        fprintf(out, "%-*s  %8s  %s", width, asked[i]->what,
                number_text(answer[i].happened, number, sizeof number), answer[i].why);
        if (!isnan(answer[i].rule) && fabs(answer[i].rule - answer[i].happened) > 0.05)
            fprintf(out, "; that is %s, not what happened",
                    number_text(answer[i].rule, number, sizeof number));
        fprintf(out, "\n");
    }
}
