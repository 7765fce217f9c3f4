/**
 * @file report.c
 * @brief Writes the simulator's messages to stderr, and ends the program after a fatal one (report.h).
 */
#include "report.h"
#include "libc.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Each message is one write, so that lines of several processes do not mix. */
static void say(const char *format, va_list values)
{
    char line[2048] = "umsim: ";
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

/* What the program has printed comes out, unless another thread is printing. */
static void flush_output(void)
{
    if (ftrylockfile(stdout) != 0)
        return;
    fflush(stdout);
    funlockfile(stdout);
}

/* No exit(): its destructors call the simulator, and would wait for locks that this thread may hold. */
void umsim_die(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    say(format, values);
    va_end(values);
    flush_output();
    _exit(2);
}
