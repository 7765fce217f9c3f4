/**
 * @file prefix.h
 * @brief The declarations that a kernel's body begins with, and expressions without effects, written once
 * more for a whole row of threads.
 *
 * What is written is C++ with the classes of umsim/affine.h. Only tokens that can have no effect and call
 * nothing are accepted, and static_asserts see to it that every operand is of a plain type, so that no
 * operator is the program's. What the text means, g++ and these classes decide, not umcc.
 */
#ifndef UMCC_PREFIX_H
#define UMCC_PREFIX_H

#include "umcc.h"

#define UMCC_PREFIX_MAX 64

/** The declarations so far. */
struct umcc_prefix {
    struct umcc_unit *unit;
    int names[UMCC_PREFIX_MAX]; /**< tokens: the declared variables */
    int count;
    const char *text;   /**< the same declarations for a row */
    const char *checks; /**< static_asserts about the operands' types, without repetitions */
};

/** Finds out whether the program declares operators (unit->own_operators). */
void umcc_find_operators(struct umcc_unit *unit);
/** @return an empty prefix. */
struct umcc_prefix umcc_begin_prefix(struct umcc_unit *unit);
/** @return whether token `i` names one of the declared variables. */
bool umcc_in_prefix(const struct umcc_prefix *prefix, int i);
/**
 * Reads `int i = ..., j = ...;` at `i`: declarations whose initializers have no effects. Adds the variables.
 * @return the token behind it, or -1 when it is anything else
 */
int umcc_read_prefix(struct umcc_prefix *prefix, int i);
/** @return the expression for a row, or NULL if it may have an effect or call something. */
const char *umcc_row_expression(struct umcc_prefix *prefix, int first, int last);
/** @return the same for a condition, as a ::umsim::row_truth. */
const char *umcc_row_condition(struct umcc_prefix *prefix, int first, int last);
/** @return whether the tokens are an expression that only computes with values: it has no effect and calls
 * nothing, provided that its operands are of plain types. */
bool umcc_is_pure(const struct umcc_unit *unit, int first, int last);
/**
 * Finds the next operand of an expression that is a name, but for built-in variables, at `*i` or behind it.
 * @param end gets the last token of `a.b.c`
 * @return false: there is none up to `last`
 */
bool umcc_next_operand(const struct umcc_unit *unit, int *i, int last, int *end);
/**
 * @return static_asserts that the operands of the expression, except names for which `skip` is true, are of
 * plain types; they are added to `before`, without repetitions
 */
const char *umcc_check_operands(struct umcc_unit *unit, int first, int last, const char *before,
                                bool (*skip)(const void *, int), const void *argument);

#endif
