/**
 * @file report.c
 * @brief See report.h.
 */
#include "report.h"
#include "libc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One write, so that lines of several processes do not mix. */
static void say(const char *format, va_list values)
{
    char line[1024] = "umsim: ";
    size_t used = strlen(line);
    vsnprintf(line + used, sizeof line - used - 1, format, values);
    strcat(line, "\n");
    if (umsim_real_write(STDERR_FILENO, line, strlen(line)) < 0)
        return; /* nobody to tell */
}

void umsim_say(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    say(format, values);
    va_end(values);
}

void umsim_die(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    say(format, values);
    va_end(values);
    exit(2);
}
