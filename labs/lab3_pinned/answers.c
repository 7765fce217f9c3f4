/**
 * @file answers.c
 * @brief Implementation of answers.h: answers lab 3's questions from its rows.
 */
#include <math.h>

#include "answers.h"

/* The verified row of strategy `name` at `bytes` bytes, or NULL. */
static const struct um_row *answers_row(const struct um_results *results, const char *name, size_t bytes)
{
    for (size_t i = 0; i < results->count; i++) {
        const struct um_row *row = results->rows[i];

        if (row->size_bytes == bytes && strcmp(row->strategy, name) == 0 && row->verdict == UM_VERDICT_YES)
            return row;
    }
    return NULL;
}

/* Time of one of the row's copies to the device, microseconds. */
static double answers_one_h2d(const struct um_row *row)
{
    return um_extra_value(row, "copy_h2d_us");
}

void answers_small_copies(const struct um_results *results, FILE *out)
{
    size_t slower = 0, faster = 0;
    char text[UM_SIZE_TEXT];

    for (size_t i = 0; i < results->count; i++) {
        const size_t bytes = results->rows[i]->size_bytes;
        const struct um_row *unpinned = answers_row(results, "pageable", bytes);
        const struct um_row *pinned = answers_row(results, "pinned", bytes);

        if (!unpinned || !pinned)
            continue;
        if (answers_one_h2d(pinned) >= answers_one_h2d(unpinned) && bytes > slower)
            slower = bytes;
        if (answers_one_h2d(pinned) < answers_one_h2d(unpinned) && (faster == 0 || bytes < faster))
            faster = bytes;
    }
    if (slower > faster && faster > 0) {
        fprintf(out, "one copy to the device: neither is faster at all sizes, see one H2D\n");
        return;
    }
    if (slower > 0)
        fprintf(out, "up to %s a copy to the device is faster from pageable memory\n",
                um_size_text((double)slower, text));
    if (faster > 0)
        fprintf(out, "from %s on it is faster from pinned memory\n", um_size_text((double)faster, text));
}

void answers_break_even(const struct um_results *results, const char *name, size_t bytes, FILE *out)
{
    const struct um_row *unpinned = answers_row(results, "pageable", bytes);
    const struct um_row *row = answers_row(results, name, bytes);
    char text[UM_SIZE_TEXT];

    if (!unpinned || !row)
        return;
    const double costs_us = row->alloc_us;
    const double saves_us = answers_one_h2d(unpinned) - answers_one_h2d(row);

    if (saves_us <= 0)
        um_print(out, 2,
                 "%s, %s: takes %.1f us to get and give back; a copy is %.1f us slower: it never pays\n",
                 name, um_size_text((double)bytes, text), costs_us, -saves_us);
    else
        um_print(
            out, 2,
            "%s, %s: takes %.1f us to get and give back; a copy saves %.1f us: it pays from copy %.0f on\n",
            name, um_size_text((double)bytes, text), costs_us, saves_us,
            fmax(1, floor(costs_us / saves_us) + 1));
}

void answers_pinning(const struct um_results *results, size_t bytes, struct um_closing *closing)
{
    const struct um_row *unpinned = answers_row(results, "pageable", bytes);
    const struct um_row *pinned = answers_row(results, "pinned", bytes);
    char size[UM_SIZE_TEXT], times[UM_TIMES_TEXT];

    if (unpinned && pinned)
        um_closing_say(closing, "Copying %s takes %s as long from pageable memory as from pinned.",
                       um_size_text((double)bytes, size),
                       um_times_text(answers_one_h2d(unpinned) / answers_one_h2d(pinned), times));
}
