/**
 * @file lines.h
 * @brief Lines of a message, in the layout of compute-sanitizer's, written to stderr at once.
 *
 * Host process only. No malloc, so a fault handler may use it.
 */
#ifndef UMSIM_CHECK_LINES_H
#define UMSIM_CHECK_LINES_H

#include <stddef.h>

struct umsim_lines {
    char text[4096];
    size_t used;
};

/** Adds one line, behind the mark. */
__attribute__((format(printf, 2, 3))) void umsim_lines_add(struct umsim_lines *lines, const char *format,
                                                           ...);

/** Adds the empty line that ends a message, and writes it: one write, so that messages of several threads do
 * not mix. */
void umsim_lines_emit(struct umsim_lines *lines);

/** Writes it without an empty line. */
void umsim_lines_write(const struct umsim_lines *lines);

#endif
