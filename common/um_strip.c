/**
 * @file um_strip.c
 * @brief Where the pages of managed memory were, as lines of text.
 */
#include "um_strip.h"

#include <string.h>

#include "um_backend.h"

#ifdef UMLAB_SIM
#include "umsim.h"
#endif

struct line {
    char name[40], when[24];
    char strip[UM_STRIP_CELLS + 1];
};

static struct line lines[UM_STRIPS_MAX];
static size_t count, left_out;

#ifdef UMLAB_SIM
/* The line with the same two names, else the next free one; NULL when all are taken. */
static struct line *place_for(const struct line *line)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(lines[i].name, line->name) == 0 && strcmp(lines[i].when, line->when) == 0)
            return &lines[i];
    }
    return count < UM_STRIPS_MAX ? &lines[count++] : NULL;
}

void um_strip(const char *name, const char *when, const void *p, size_t bytes)
{
    struct line line, *place;

    if (umsim_residency(p, bytes, line.strip, UM_STRIP_CELLS) == 0)
        return;
    snprintf(line.name, sizeof line.name, "%s", name);
    snprintf(line.when, sizeof line.when, "%s", when);
    place = place_for(&line);
    if (place != NULL)
        *place = line;
    else
        left_out++;
}
#else
void um_strip(const char *name, const char *when, const void *p, size_t bytes)
{
    (void)name, (void)when, (void)p, (void)bytes;
}
#endif

static size_t longer(size_t width, const char *text)
{
    return strlen(text) > width ? strlen(text) : width;
}

void um_strips_print(FILE *out)
{
    size_t name_width = 0, when_width = 0;

    if (!um_is_sim()) {
        fprintf(out, "\nWhere the pages are: n/a, a GPU does not tell; BACKEND=sim draws it\n");
        return;
    }
    if (count == 0)
        return;
    for (size_t i = 0; i < count; i++) {
        name_width = longer(name_width, lines[i].name);
        when_width = longer(when_width, lines[i].when);
    }
    fprintf(
        out,
        "\nWhere the pages are after each step, from the first page to the last: H host, G GPU, = both, "
        ". nowhere yet.\nA character is an equal part of the memory; a mixed part has h g - or , for where "
        "most of it is.\n");
    for (size_t i = 0; i < count; i++) {
        const bool same = i > 0 && strcmp(lines[i].name, lines[i - 1].name) == 0;

        fprintf(out, "%-*s  %-*s  %s\n", (int)name_width, same ? "" : lines[i].name, (int)when_width,
                lines[i].when, lines[i].strip);
    }
    if (left_out > 0)
        fprintf(out, "%zu more lines are not drawn: %d is all there is room for\n", left_out, UM_STRIPS_MAX);
}

void um_strips_forget(void)
{
    count = left_out = 0;
}
