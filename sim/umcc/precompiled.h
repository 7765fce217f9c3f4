/**
 * @file precompiled.h
 * @brief CUDA's headers, parsed by g++ once for many compilations.
 *
 * Most of a small program is the headers in front of it, and g++ reads them twice: once for each form
 * (counted.h). `umcc --precompile OPTIONS` has g++ keep what it knows behind them (PREFIX/lib/umlab/headers),
 * for compilations with the same OPTIONS.
 *
 * That a program compiles to the same bytes and gets the same messages rests on comparisons, not on trust:
 * umcc rewrites each program as a whole, and only if its text then begins with the very text that was
 * compiled beforehand, under the very same options and by the same g++, that text is replaced by g++'s word
 * for a compiled header. If g++ then says anything at all, the program is compiled anew, as a whole.
 */
#ifndef UMCC_PRECOMPILED_H
#define UMCC_PRECOMPILED_H

#include "steps.h"

/**
 * Compiles CUDA's headers beforehand, in the form d->form.
 * @param rewritten what umcc has made of a program that is nothing but these headers
 * @return the exit status; where it fails, programs compile as ever
 */
int umcc_precompile_headers(struct umcc_drive *d, const struct umcc_text *rewritten);
/**
 * Shortens a program whose headers were compiled beforehand.
 * @param rewritten what umcc has made of the program, in the form d->form
 * @param shorter gets the text for g++; to be freed
 * @return false if they were not; `shorter` is then as it was
 */
bool umcc_shorten(struct umcc_drive *d, const struct umcc_text *rewritten, struct umcc_text *shorter);

/** @name seldom.c
 * @{ */
/**
 * Leaves functions out of headers that few programs mention, and that g++ takes long for in every program.
 * @param headers the rewritten text of the headers
 * @param rest gets the headers without these functions
 * @param names gets their names, one a line: a program with one of these words in it needs the whole headers
 * @return the exit status
 */
int umcc_leave_out_seldom(const struct umcc_text *headers, struct umcc_text *rest, struct umcc_text *names);
/** @return whether one of the words `names`, one a line and sorted, occurs in `text`. */
bool umcc_mentions_any(const char *names, const char *text);
/** @} */

#endif
