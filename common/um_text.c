/**
 * @file um_text.c
 * @brief Implementation of um_text.h: the width of lines, and text broken to it.
 */
#include "um_text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static size_t width_said; /* by um_width_set() */

void um_width_set(size_t width)
{
    width_said = width;
}

size_t um_width(void)
{
    const char *columns = getenv("COLUMNS");
    const unsigned long said = columns ? strtoul(columns, NULL, 10) : 0;
    struct winsize terminal;

    if (width_said != 0)
        return width_said;
    if (said > 0)
        return said < UM_WIDTH_LEAST ? UM_WIDTH_LEAST : said;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &terminal) == 0 && terminal.ws_col >= UM_WIDTH_LEAST &&
        terminal.ws_col < UM_WIDTH_USUAL)
        return terminal.ws_col;
    return UM_WIDTH_USUAL;
}

bool um_colour(FILE *out)
{
    return isatty(fileno(out)) && !getenv("NO_COLOR");
}

/* Characters on the screen: bytes that continue a UTF-8 character take no place. */
static size_t characters(const char *text, size_t bytes)
{
    size_t count = 0;

    for (size_t i = 0; i < bytes; i++)
        count += ((unsigned char)text[i] & 0xC0) != 0x80;
    return count;
}

/* Prints one line of the text, broken where it is too long. */
static void print_line(FILE *out, const char *line, size_t bytes, size_t hang)
{
    const size_t width = um_width();
    size_t from = 0, indent = 0;

    while (characters(line + from, bytes - from) + indent > width) {
        size_t at = 0;

        for (size_t i = from + 1; i < bytes; i++) {
            const bool fits = characters(line + from, i - from) + indent <= width;

            if (line[i] == ' ' && (fits || at == 0) && line[i - 1] != ' ')
                at = i;
            if (!fits && at != 0)
                break;
        }
        if (at == 0)
            break;
        fprintf(out, "%*s%.*s\n", (int)indent, "", (int)(at - from), line + from);
        from = at + strspn(line + at, " ");
        indent = hang;
    }
    fprintf(out, "%*s%.*s", (int)indent, "", (int)(bytes - from), line + from);
}

void um_print(FILE *out, size_t hang, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0)
        return;
    for (const char *line = text; line[0] != '\0';) {
        const size_t bytes = strcspn(line, "\n");

        print_line(out, line, bytes, hang);
        line += bytes;
        if (line[0] == '\n') {
            fprintf(out, "\n");
            line++;
        }
    }
    free(text);
}
