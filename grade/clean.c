/**
 * @file clean.c
 * @brief Text that somebody else wrote, made fit for a terminal, a page, JSON and XML.
 */
#include "grade.h"

#include <stdlib.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* The code point at `p`, and its length in bytes. @return -1: no valid UTF-8 begins here */
static long code_point(const unsigned char *p, unsigned *length)
{
    static const long least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned more = p[0] < 0x80 ? 0 : p[0] >= 0xf0 ? 3 : p[0] >= 0xe0 ? 2 : 1;
    long code = p[0] < 0x80 ? p[0] : p[0] & (0x3f >> more);
    *length = 1;
    if (p[0] >= 0xf8 || (p[0] >= 0x80 && p[0] < 0xc0))
        return -1;
    for (unsigned i = 1; i <= more; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return -1;
        code = code << 6 | (p[i] & 0x3f);
    }
    if (code < least[more + 1] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return -1;
    *length = more + 1;
    return code;
}

/* Unicode's property Bidi_Control: characters that reorder what a reader sees. */
static bool reorders(long code)
{
    return code == 0x61c || code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

static bool is_fit(long code)
{
    const bool controls = (code < ' ' && code != '\t' && code != '\n') || (code >= 0x7f && code < 0xa0);
    return code >= 0 && !controls && !reorders(code) && code != 0xfffe && code != 0xffff;
}

char *um_clean(const char *text)
{
    const size_t bytes = strlen(text);
    char *clean = malloc(bytes * (sizeof REPLACEMENT - 1) + 1), *to = clean;
    if (!clean)
        um_cannot("no memory for a text");
    for (unsigned length; *text; text += length) {
        const long code = code_point((const unsigned char *)text, &length);
        if (code == '\r' && text[1] == '\n')
            continue;
        const char *from = is_fit(code) ? text : REPLACEMENT;
        const size_t put = is_fit(code) ? length : sizeof REPLACEMENT - 1;
        memcpy(to, from, put);
        to += put;
    }
    *to = '\0';
    return clean;
}
