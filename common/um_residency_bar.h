/**
 * @file um_residency_bar.h
 * @brief Draws where the pages of managed memory were after each step of a strategy; um_lab_main() prints it
 * below the table.
 *
 *     // after the step has been waited for, and outside of um_phase()
 *     um_residency_bar("managed", "kernel", x, bytes);
 *
 *     one-byte  GPU writes it  hHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHH
 *               host reads it  HHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHH
 *
 * Rows whose pages are all alike after each step are drawn short, with one column per step:
 *
 *               host writes  kernel    host reads
 *     managed   HHHHHHHH     GGGGGGGG  HHHHHHHH
 *
 * Only the simulator can draw: a real GPU does not tell where its pages are. Drawing touches no page and
 * takes no time on the modelled clock. Call it from one thread at a time.
 */
#ifndef UM_RESIDENCY_BAR_H
#define UM_RESIDENCY_BAR_H

#include <stddef.h>
#include <stdio.h>

/** The most characters of a line; a smaller allocation has one for each of its pages. */
#define UM_RESIDENCY_BAR_CHARACTERS 64

/** The most lines that are kept; further ones are only counted. */
#define UM_RESIDENCY_BARS_MAX 128

/**
 * Records where the pages of [p, p + bytes) are now. A second line with the same two names replaces the
 * first, so that repetitions do not pile up. Memory that is not managed gives no line; on cuda no memory
 * does.
 * @param name of the row (39 characters are kept)
 * @param when the step that has just ended (23 characters)
 */
void um_residency_bar(const char *name, const char *when, const void *p, size_t bytes);

/**
 * Prints all lines in order, with what the characters mean; on cuda one line on why there is nothing. Without
 * a call of um_residency_bar() it prints nothing.
 */
void um_residency_bars_print(FILE *out);

/** Forgets all lines. */
void um_residency_bars_forget(void);

#endif
