/**
 * @file report.c
 * @brief Writes the simulator's messages to stderr, and ends the program after a fatal one (report.h).
 */
#include "report.h"
#include "libc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Each message is one write, so that lines of several processes do not mix. */
static void say(const char *format, va_list values)
{
    char line[1024] = "umsim: ";
    size_t used = strlen(line);
    vsnprintf(line + used, sizeof line - used - 1, format, values);
    strcat(line, "\n");
    if (umsim_real_write(STDERR_FILENO, line, strlen(line)) < 0)
        return; /* stderr cannot be written */
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
