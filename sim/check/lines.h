/**
 * @file lines.h
 * @brief A report: its lines, in the layout of compute-sanitizer's, and its members for tools.
 *
 * Host process only. No malloc, so a fault handler may use it.
 */
#ifndef UMSIM_CHECK_LINES_H
#define UMSIM_CHECK_LINES_H

#include "fields.h"

/** Lines of a text: from here to there in it. */
struct umsim_lines_part {
    size_t from, to;
};

struct umsim_lines {
    char text[4096];
    size_t used;
    struct umsim_lines_part cause, cure; /* empty: no line of its own says it */
    struct umsim_fields fields;          /* umlab-check-1.json says what there can be */
};

/** Adds one line, behind the mark. */
__attribute__((format(printf, 2, 3))) void umsim_lines_add(struct umsim_lines *lines, const char *format,
                                                           ...);

/** Adds a line that says what is wrong; what to do instead. Several are one text. */
__attribute__((format(printf, 2, 3))) void umsim_lines_cause(struct umsim_lines *lines, const char *format,
                                                             ...);
__attribute__((format(printf, 2, 3))) void umsim_lines_cure(struct umsim_lines *lines, const char *format,
                                                            ...);

/** A member for tools: a place in the program. @param line as umsim_source_place() writes it */
void umsim_lines_place(struct umsim_lines *lines, const char *name, const char *function, const char *line);

/** A member for tools: a CUDA error. */
void umsim_lines_error(struct umsim_lines *lines, int error);

/** What a report says: notes leave the verdict and the exit status alone. */
enum umsim_severity { UMSIM_IS_ERROR, UMSIM_IS_NOTE };

/** Adds the empty line that ends a report, and writes it to stderr behind what the program has printed: one
 * write, so that reports of several threads do not mix. Counts it, and keeps it for tools. Not in a fault
 * handler.
 * @param kind of umlab-check-1.json
 * @param count how many are alike
 * @return as umsim_results_add() */
size_t umsim_lines_tell(struct umsim_lines *lines, enum umsim_severity severity, const char *kind,
                        uint64_t count);

/** The same for what has been written to stderr already. */
size_t umsim_lines_told(const struct umsim_lines *lines, enum umsim_severity severity, const char *kind,
                        uint64_t count);

/** Writes it: no report, and without an empty line. */
void umsim_lines_write(const struct umsim_lines *lines);

/** How many have been told. */
struct umsim_results_sums *umsim_lines_sums(void);

#endif
