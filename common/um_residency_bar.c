/**
 * @file um_residency_bar.c
 * @brief Implementation of um_residency_bar.h: records where pages were, and draws them as lines of text.
 */
#include "um_residency_bar.h"
#include "um_text.h"

#include <stdbool.h>
#include <string.h>

#ifdef UMLAB_SIM
#include "umsim.h"
#endif

struct line {
    char name[40], when[24];
    char bar[UM_RESIDENCY_BAR_CHARACTERS + 1];
};

static struct line lines[UM_RESIDENCY_BARS_MAX];
static size_t count, left_out;
static bool not_drawn; /* a line was requested where none can be drawn */

/** Where all pages are alike, this many letters are enough; 64 would say no more. */
#define PLAIN_CHARACTERS 8

#ifdef UMLAB_SIM
/* The line with the same two names, or the next free one; NULL when all are taken. */
static struct line *place_for(const struct line *line)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(lines[i].name, line->name) == 0 && strcmp(lines[i].when, line->when) == 0)
            return &lines[i];
    }
    return count < UM_RESIDENCY_BARS_MAX ? &lines[count++] : NULL;
}

void um_residency_bar(const char *name, const char *when, const void *p, size_t bytes)
{
    struct line line, *place;

    if (umsim_residency(p, bytes, line.bar, UM_RESIDENCY_BAR_CHARACTERS) == 0)
        return;
    for (char *at = line.bar; *at; at++) /* on a machine of several GPUs a lab has one of them */
        *at = *at >= '0' && *at <= '9' ? 'G' : *at;
    snprintf(line.name, sizeof line.name, "%s", name);
    snprintf(line.when, sizeof line.when, "%s", when);
    place = place_for(&line);
    if (place)
        *place = line;
    else
        left_out++;
}
#else
void um_residency_bar(const char *name, const char *when, const void *p, size_t bytes)
{
    (void)name, (void)when, (void)p, (void)bytes;
    not_drawn = true;
}
#endif

static size_t longer(size_t width, const char *text)
{
    return strlen(text) > width ? strlen(text) : width;
}

/* Where the steps of the row that begins at line `first` end. */
static size_t end_of_row(size_t first)
{
    size_t end = first + 1;

    while (end < count && strcmp(lines[end].name, lines[first].name) == 0)
        end++;
    return end;
}

/* Whether, after each step of the row, all pages were alike, so that one letter says it all. */
static bool is_plain(size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        if (strspn(lines[i].bar, (char[]){lines[i].bar[0], '\0'}) != strlen(lines[i].bar))
            return false;
    }
    return true;
}

static bool same_steps(size_t row, size_t other, size_t steps)
{
    for (size_t i = 0; i < steps; i++) {
        if (strcmp(lines[row + i].when, lines[other + i].when) != 0)
            return false;
    }
    return true;
}

static const char *colour_of(char where)
{
    switch (where) {
    case 'H':
    case 'h':
        return UM_COLOUR_HOST;
    case 'G':
    case 'g':
        return UM_COLOUR_GPU;
    case '=':
    case '-':
        return UM_COLOUR_BOTH;
    default:
        return UM_COLOUR_END;
    }
}

/* At most so many characters of a bar, in its sides' colours on a terminal, and blanks up to `width`. */
static void print_bar(const char *bar, size_t most, size_t width, FILE *out)
{
    const size_t length = strlen(bar) < most ? strlen(bar) : most;

    for (size_t i = 0; i < length; i++) {
        if (um_colour(out) && (i == 0 || bar[i] != bar[i - 1]))
            fprintf(out, "%s", colour_of(bar[i]));
        fputc(bar[i], out);
    }
    fprintf(out, "%s%*s", um_colour(out) ? UM_COLOUR_END : "", width > length ? (int)(width - length) : 0,
            "");
}

/* Prints rows with the same steps whose pages were always all alike, with one column per step. Returns the
 * first line not printed. */
static size_t print_matrix(size_t first, size_t steps, size_t name_width, FILE *out)
{
    size_t row = first;

    fprintf(out, "%-*s", (int)name_width, "");
    for (size_t i = 0; i < steps; i++)
        fprintf(out, "  %*s", i + 1 < steps ? -(int)longer(PLAIN_CHARACTERS, lines[first + i].when) : 0,
                lines[first + i].when);
    fprintf(out, "\n");
    while (row < count && end_of_row(row) == row + steps && is_plain(row, row + steps) &&
           same_steps(row, first, steps)) {
        fprintf(out, "%-*s", (int)name_width, lines[row].name);
        for (size_t i = 0; i < steps; i++) {
            fprintf(out, "  ");
            print_bar(lines[row + i].bar, PLAIN_CHARACTERS,
                      i + 1 < steps ? longer(PLAIN_CHARACTERS, lines[first + i].when) : 0, out);
        }
        fprintf(out, "\n");
        row += steps;
    }
    return row;
}

static size_t print_row(size_t first, size_t end, size_t name_width, size_t when_width, FILE *out)
{
    const bool above = name_width + when_width + 4 + UM_RESIDENCY_BAR_CHARACTERS > um_width();

    if (above) /* the name has a line of its own: beside the bars there is no room */
        fprintf(out, "%s\n", lines[first].name);
    for (size_t i = first; i < end; i++) {
        fprintf(out, "%-*s  %-*s  ", above ? 0 : (int)name_width, i == first && !above ? lines[i].name : "",
                (int)when_width, lines[i].when);
        print_bar(lines[i].bar, UM_RESIDENCY_BAR_CHARACTERS, 0, out);
        fprintf(out, "\n");
    }
    return end;
}

void um_residency_bars_print(FILE *out)
{
    size_t name_width = 0, when_width = 0;

    if (not_drawn)
        fprintf(out, "\nWhere the pages are: n/a, a GPU does not tell; BACKEND=sim draws it\n");
    if (count == 0)
        return;
    for (size_t i = 0; i < count; i++) {
        name_width = longer(name_width, lines[i].name);
        when_width = longer(when_width, lines[i].when);
    }
    um_print(
        out, 0,
        "\nWhere the pages are after each step, from the first page to the last: H host, G GPU, = both, "
        ". nowhere yet. A character is an equal part of the memory; a mixed part has h g - or , for where "
        "most of it is.\n");
    for (size_t row = 0; row < count;) {
        const size_t end = end_of_row(row);

        row = is_plain(row, end) ? print_matrix(row, end - row, name_width, out)
                                 : print_row(row, end, name_width, when_width, out);
    }
    if (left_out > 0)
        fprintf(out, "%zu more lines are not drawn: %d is all there is room for\n", left_out,
                UM_RESIDENCY_BARS_MAX);
}

void um_residency_bars_forget(void)
{
    count = left_out = 0;
    not_drawn = false;
}
