/**
 * @file lines.c
 * @brief Implementation of lines.h.
 */
#include "lines.h"
#include "../base/libc.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

void umsim_lines_add(struct umsim_lines *lines, const char *format, ...)
{
    va_list values;
    char line[1024];
    va_start(values, format);
    vsnprintf(line, sizeof line, format, values);
    va_end(values);
    const int written =
        snprintf(lines->text + lines->used, sizeof lines->text - lines->used, "========= %s\n", line);
    lines->used += written > 0 ? (size_t)written : 0;
    if (lines->used >= sizeof lines->text)
        lines->used = sizeof lines->text - 1;
}

void umsim_lines_emit(struct umsim_lines *lines)
{
    umsim_lines_add(lines, "%s", "");
    umsim_lines_write(lines);
}

void umsim_lines_write(const struct umsim_lines *lines)
{
    if (umsim_real_write(STDERR_FILENO, lines->text, lines->used) < 0)
        return; /* stderr cannot be written: there is no other way to report */
}
