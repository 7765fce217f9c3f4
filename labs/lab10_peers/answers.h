/**
 * @file answers.h
 * @brief Lab 10: answers its questions from its rows, in lines below the table and in the sentence at the
 * end.
 */
#ifndef LAB10_ANSWERS_H
#define LAB10_ANSWERS_H

#include "um_lab.h"

/** From how many passes in a turn on copying pays, there and back. */
void answers_access(const struct um_results *results, FILE *out);
/** What a step takes on one device and on two, by how the edges travel. */
void answers_split(const struct um_results *results, int steps, FILE *out);
/** After how many rounds a second copy of the table has paid. */
void answers_table(const struct um_results *results, FILE *out);

/** The closing sentence; the fastest way to hand an array over; the split that is slower than none. */
void answers_closing(const struct um_results *results, size_t size, struct um_closing *closing);

#endif
