/**
 * @file um_text.h
 * @brief Text that fits where it is read: how wide lines may be, lines broken between words, and colour.
 *
 * A line has at most 100 characters: `--width N` or COLUMNS says otherwise, `--wide` lifts the limit, and a
 * terminal that is narrower counts.
 */
#ifndef UM_TEXT_H
#define UM_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/** The least width that `--width` takes, and that COLUMNS counts with; the widest word has to fit. */
#define UM_WIDTH_LEAST 40

/** The width of lines without anything said, characters. */
#define UM_WIDTH_USUAL 100

/** Stands for no limit. */
#define UM_WIDTH_ANY ((size_t)-1)

/** Sets the width, in characters, for the rest of the program; 0: back to what um_width() finds. */
void um_width_set(size_t width);

/**
 * The most characters of a line: as set, else COLUMNS, else that of stdout's terminal where it has less than
 * UM_WIDTH_USUAL, else UM_WIDTH_USUAL.
 */
size_t um_width(void);

/**
 * Prints as printf() does, with lines broken between words so that they fit um_width(); what follows a break
 * begins after `hang` blanks. A word that is longer than a line stays whole. The text's own ends of lines
 * stay.
 */
void um_print(FILE *out, size_t hang, const char *format, ...) __attribute__((format(printf, 3, 4)));

/** Whether the output should have colour: `out` is a terminal and NO_COLOR is not set. */
bool um_colour(FILE *out);

/** Colours of the terminal; the pages' pictures have host and GPU in the same ones. @{ */
#define UM_COLOUR_HOST "\033[34m"       /**< blue */
#define UM_COLOUR_GPU "\033[38;5;166m"  /**< orange */
#define UM_COLOUR_BOTH "\033[32m"       /**< green */
#define UM_COLOUR_FASTEST "\033[32m"    /**< green, and `*` */
#define UM_COLOUR_SURPRISE "\033[1;33m" /**< bold yellow, and `!` */
#define UM_COLOUR_WRONG "\033[31m"      /**< red, and NO */
#define UM_COLOUR_BOLD "\033[1m"
#define UM_COLOUR_END "\033[0m"
/** @} */

#endif
