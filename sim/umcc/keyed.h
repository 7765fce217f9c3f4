/**
 * @file keyed.h
 * @brief What the two parts of --keyed share: keyed.c (what is stored) and keyed_reads.c (what is read).
 */
#ifndef UMCC_KEYED_H
#define UMCC_KEYED_H

#include "umcc.h"

/** @return the bracket that token `i` stands in, or the `;`, `{`, `}` behind which its statement begins; -1:
 * there is none */
int umcc_boundary(const struct umcc_unit *unit, int i);
/** @return whether the statement that begins at `i` declares variables: a name stands beside a type. */
bool umcc_declares(const struct umcc_unit *unit, int i);
/** @return whether token `i` begins an operator that assigns: `=`, `+=`, `<<=`, ... */
bool umcc_is_assignment(const struct umcc_unit *unit, int i);

/** Has what token `i` ends, or the `*` at `i` leads to, mixed when it is a floating-point number that is read
 * (keyed_reads.c). */
void umcc_key_read(struct umcc_unit *unit, int i);

#endif
