/**
 * @file lines.c
 * @brief Implementation of lines.h: writes a report, and makes its object for tools.
 */
#include "lines.h"
#include "results.h"
#include "../base/error_names.h"
#include "../base/libc.h"
#include "../include/driver_types.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MARK "========= "

static struct umsim_results_sums sums; /* also counted in a fault handler, without the lock */

struct umsim_results_sums *umsim_lines_sums(void)
{
    return &sums;
}

/* ---- its lines ---- */

static struct umsim_lines_part add(struct umsim_lines *lines, const char *format, va_list values)
{
    char line[1024];
    const size_t from = lines->used;
    vsnprintf(line, sizeof line, format, values);
    const int written =
        snprintf(lines->text + lines->used, sizeof lines->text - lines->used, MARK "%s\n", line);
    lines->used += written > 0 ? (size_t)written : 0;
    if (lines->used >= sizeof lines->text)
        lines->used = sizeof lines->text - 1;
    return (struct umsim_lines_part){from, lines->used};
}

void umsim_lines_add(struct umsim_lines *lines, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    add(lines, format, values);
    va_end(values);
}

static void extend(struct umsim_lines_part *part, struct umsim_lines_part line)
{
    if (part->from == part->to)
        part->from = line.from;
    part->to = line.to;
}

void umsim_lines_cause(struct umsim_lines *lines, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    extend(&lines->cause, add(lines, format, values));
    va_end(values);
}

void umsim_lines_cure(struct umsim_lines *lines, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    extend(&lines->cure, add(lines, format, values));
    va_end(values);
}

void umsim_lines_place(struct umsim_lines *lines, const char *name, const char *function, const char *line)
{
    umsim_field_open(&lines->fields, name, '{');
    umsim_field_line(&lines->fields, function, line);
    umsim_field_close(&lines->fields, '{');
}

void umsim_lines_error(struct umsim_lines *lines, int error)
{
    umsim_field_open(&lines->fields, "error", '{');
    umsim_field_text(&lines->fields, "name", umsim_error_name((cudaError_t)error));
    umsim_field_number(&lines->fields, "number", (uint64_t)error);
    umsim_field_close(&lines->fields, '{');
}

void umsim_lines_write(const struct umsim_lines *lines)
{
    if (umsim_real_write(STDERR_FILENO, lines->text, lines->used) < 0)
        return; /* stderr cannot be written: there is no other way to report */
}

/* ---- its object for tools ---- */

/* The next line of [*from, to), without mark and indentation. @return its length */
static size_t next_line(const struct umsim_lines *lines, size_t *from, size_t to, const char **line)
{
    const char *text = lines->text + *from;
    const char *end = memchr(text, '\n', to - *from);
    const size_t bytes = end ? (size_t)(end - text) : to - *from;
    *from += bytes + (end != NULL);
    size_t skipped = bytes < strlen(MARK) ? bytes : strlen(MARK);
    while (skipped < bytes && text[skipped] == ' ')
        skipped++;
    *line = text + skipped;
    return bytes - skipped;
}

/* Leaves out the word that some lines are headed by. @return what remains */
static size_t skip_heading(const char **line, size_t bytes)
{
    static const char *const headings[] = {"why      ", "instead  "};
    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++) {
        const size_t length = strlen(headings[i]);
        if (bytes < length || memcmp(*line, headings[i], length) != 0)
            continue;
        *line += length;
        return bytes - length;
    }
    return bytes;
}

static void add_part(struct umsim_fields *fields, const char *name, const struct umsim_lines *lines,
                     struct umsim_lines_part part)
{
    char text[2048];
    size_t used = 0;
    for (const char *line; part.from < part.to;) {
        const size_t whole = next_line(lines, &part.from, part.to, &line), bytes = skip_heading(&line, whole);
        const int written =
            snprintf(text + used, sizeof text - used, "%s%.*s", used ? "\n" : "", (int)bytes, line);
        used += written > 0 ? (size_t)written : 0;
        if (used >= sizeof text)
            used = sizeof text - 1;
    }
    umsim_field_part(fields, name, text, used);
}

static void add_text(struct umsim_fields *fields, const struct umsim_lines *lines)
{
    umsim_field_open(fields, "text", '[');
    for (size_t from = 0; from < lines->used;) {
        const char *line;
        const size_t mark = from + strlen(MARK);
        const size_t bytes = next_line(lines, &from, lines->used, &line);
        const char *start = lines->text + mark; /* with its indentation */
        if (bytes)
            umsim_field_part(fields, "", start, (size_t)(line + bytes - start));
    }
    umsim_field_close(fields, '[');
}

static void add_members(struct umsim_fields *fields, const struct umsim_lines *lines,
                        enum umsim_severity severity, const char *kind)
{
    const char *title;
    size_t from = 0;
    const size_t bytes = next_line(lines, &from, lines->used, &title);
    umsim_field_text(fields, "severity", severity == UMSIM_IS_NOTE ? "note" : "error");
    umsim_field_text(fields, "kind", kind);
    umsim_field_part(fields, "title", title, bytes);
    if (lines->cause.to > lines->cause.from)
        add_part(fields, "cause", lines, lines->cause);
    else
        umsim_field_part(fields, "cause", title, bytes);
    if (lines->cure.to > lines->cure.from)
        add_part(fields, "cure", lines, lines->cure);
    else
        umsim_field_null(fields, "cure");
    add_text(fields, lines);
}

size_t umsim_lines_told(const struct umsim_lines *lines, enum umsim_severity severity, const char *kind,
                        uint64_t count)
{
    struct umsim_fields fields = {.used = 0};
    __atomic_fetch_add(severity == UMSIM_IS_NOTE ? &sums.notes : &sums.errors, 1, __ATOMIC_SEQ_CST);
    if (!umsim_results_wanted())
        return 0;
    add_members(&fields, lines, severity, kind);
    if (!lines->fields.is_cut)
        umsim_field_rest(&fields, &lines->fields);
    umsim_results_sums(&sums);
    return umsim_results_add(UMSIM_RESULTS_REPORTS, &fields, count);
}

size_t umsim_lines_tell(struct umsim_lines *lines, enum umsim_severity severity, const char *kind,
                        uint64_t count)
{
    umsim_lines_add(lines, "%s", "");
    fflush(stdout);
    umsim_lines_write(lines);
    return umsim_lines_told(lines, severity, kind, count);
}
