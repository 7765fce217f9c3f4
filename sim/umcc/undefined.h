/**
 * @file undefined.h
 * @brief What the two passes for operations that C++ leaves undefined share (undefined.c, conversions.c).
 */
#ifndef UMCC_UNDEFINED_H
#define UMCC_UNDEFINED_H

#include "umcc.h"

/** @return whether token `i` ends an operand: a name, a number, a closing bracket. */
bool umcc_ends_operand(const struct umcc_unit *unit, int i);
/** @return whether token `i` can be changed: no other pass has replaced it, or put anything behind it. */
bool umcc_is_untouched(const struct umcc_unit *unit, int i);
/** @return whether token `i` is the name of a bit-field somewhere in the source. Nothing refers to a
 * bit-field. */
bool umcc_is_bit_field(const struct umcc_unit *unit, int i);
/** @return whether the operand at `i` is one number without a point, and nothing is added to it. */
bool umcc_is_literal(const struct umcc_unit *unit, int i);
/** @return the first token of what is assigned to by the operator at `i`, or -1. */
int umcc_assigned(const struct umcc_unit *unit, int i);
/** @return whether the `>` at `i` or behind it closes template arguments. */
bool umcc_closes_arguments(const struct umcc_unit *unit, int i);
/** @return whether token `i` is spelled like a type that is not a class: a type of its own name, or a
 * template's.
 */
bool umcc_is_alias(const struct umcc_unit *unit, int i);
/** @return whether the `)` at `i` ends the head of a statement, so that what follows begins one. */
bool umcc_ends_head(const struct umcc_unit *unit, int i);
/** @return the beginning of a name, an element or a call that ends at `i`, with everything that it is a
 * member of, or -1. */
int umcc_operand_first(const struct umcc_unit *unit, int i);
/** @return the last token of the operand that a prefix operator before `i` has, or -1 where that is not
 * clear.
 */
int umcc_operand_last(const struct umcc_unit *unit, int i);
/** @return the text of tokens `first` to `last`, as other passes have replaced them. */
char *umcc_rewritten(struct umcc_unit *unit, int first, int last);

/** Has conversions of floating-point numbers made as a GPU makes them, in tokens `first` to `last`.
 * @param function whose body they are, or NULL */
void umcc_define_conversions(struct umcc_unit *unit, const struct umcc_decl *function, int first, int last);

/** The same of casts only. */
void umcc_define_casts(struct umcc_unit *unit, const struct umcc_decl *function, int first, int last);

#endif
