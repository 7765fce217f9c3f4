/**
 * @file um_closing.c
 * @brief Implementation of um_closing.h: makes and prints a lab's last sentence.
 */
#include "um_closing.h"
#include "um_text.h"

#include <stdarg.h>
#include <string.h>

void um_closing_say(struct um_closing *closing, const char *format, ...)
{
    const size_t used = strlen(closing->text);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(closing->text + used, sizeof closing->text - used, format, arguments);
    va_end(arguments);
}

const char *um_times_text(double ratio, char *text)
{
    snprintf(text, UM_TIMES_TEXT, ratio < 9.95 ? "%.1f times" : "%.0f times", ratio);
    return text;
}

void um_closing_print(const struct um_closing *closing, FILE *out)
{
    if (closing->text[0] == '\0')
        return;
    fprintf(out, "%s", um_colour(out) ? "\n" UM_COLOUR_BOLD : "\n");
    um_print(out, 6, "Seen: %s", closing->text);
    fprintf(out, "%s\n", um_colour(out) ? UM_COLOUR_END : "");
}
