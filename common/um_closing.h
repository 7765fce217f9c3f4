/**
 * @file um_closing.h
 * @brief What a lab says last: one sentence with the numbers that were just seen, and the rows to look at.
 *
 *     static void closing(const struct um_results *results, const struct um_options *options,
 *                         struct um_closing *closing)
 *     {
 *         const struct um_row *row = um_answering_row(results, "pageable");
 *
 *         if (!row)
 *             return; // without the row there is nothing to say
 *         closing->surprise = row;
 *         um_closing_say(closing, "Copying took %s as long as adding.", ...);
 *     }
 *
 * The lab then sets `.closing = closing`. The sentence stands in the JSON, too, and below the report's
 * figures.
 */
#ifndef UM_CLOSING_H
#define UM_CLOSING_H

#include <stdio.h>

struct um_row;

/** The end of a lab's output. */
struct um_closing {
    const struct um_row *fastest; /**< the row that did the same work in the least time; NULL: none to name */
    const struct um_row *surprise; /**< the row that most people would not have expected; NULL: none */
    char text[480];                /**< the sentence; "" where the rows do not tell it */
};

/** Adds to the sentence, as printf() does. What does not fit is cut off. */
void um_closing_say(struct um_closing *closing, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Buffer for um_times_text(). */
#define UM_TIMES_TEXT 32

/** "12 times", "1.5 times": a ratio with two digits or more. @param text UM_TIMES_TEXT bytes @return text */
const char *um_times_text(double ratio, char *text);

/** Prints the sentence, if there is one, below an empty line. */
void um_closing_print(const struct um_closing *closing, FILE *out);

#endif
