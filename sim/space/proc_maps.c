/**
 * @file proc_maps.c
 * @brief Implementation of proc_maps.h: a parser for the lines of /proc/PID/maps.
 */
#include "proc_maps.h"
#include "../base/libc.h"

#include <string.h>
#include <unistd.h>

static const char *number(const char *text, unsigned base, uint64_t *value)
{
    for (*value = 0;; text++) {
        unsigned digit = *text >= '0' && *text <= '9'   ? (unsigned)(*text - '0')
                         : *text >= 'a' && *text <= 'f' ? (unsigned)(*text - 'a' + 10)
                                                        : base;
        if (digit >= base)
            return text;
        *value = *value * base + digit;
    }
}

/* The fields of a line: start-end protection offset device inode path. */
static struct umsim_mapping parse(const char *line)
{
    struct umsim_mapping m = {0};
    uint64_t start, end, major, minor, inode;
    line = number(line, 16, &start);
    line = number(line + 1, 16, &end) + 1;
    memcpy(m.protection, line, 4);
    line = number(line + 5, 16, &m.offset);
    line = number(line + 1, 16, &major);
    line = number(line + 1, 16, &minor);
    line = number(line + 1, 10, &inode);
    while (*line == ' ')
        line++;
    m.start = start;
    m.end = end;
    m.file = inode ? inode ^ major << 56 ^ minor << 44 : 0;
    m.path = line;
    return m;
}

bool umsim_proc_maps_each(int fd, void (*visit)(const struct umsim_mapping *))
{
    static char text[1 << 16];
    size_t filled = 0;
    ssize_t got = -1;
    while (fd >= 0 && (got = umsim_real_read(fd, text + filled, sizeof text - 1 - filled)) > 0) {
        filled += (size_t)got;
        text[filled] = 0;
        char *line = text;
        for (char *end; (end = strchr(line, '\n')); line = end + 1) {
            *end = 0;
            struct umsim_mapping m = parse(line);
            visit(&m);
        }
        filled -= (size_t)(line - text);
        memmove(text, line, filled);
    }
    return got == 0;
}
