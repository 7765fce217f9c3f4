/**
 * @file statements.h
 * @brief What umcc can tell about statements from their tokens: where they end, and what they may change.
 *
 * loop.c and fission.c move statements to other places. If in doubt, the answer is that something changes.
 */
#ifndef UMCC_STATEMENTS_H
#define UMCC_STATEMENTS_H

#include "umcc.h"

/** @return the last token of the statement at `i`, or -1 if it does not end before `limit`. */
int umcc_statement_end(const struct umcc_unit *unit, int i, int limit);
/** @return whether an operand ends with token `i`, so that the next operator is not unary. */
bool umcc_is_operand_end(const struct umcc_unit *unit, int i);
/**
 * @param pointer whether the variable is a pointer: what it is indexed with, or points to, is memory
 * @return whether the variable that token `i` names may be changed there, as far as the tokens around it
 * tell; the caller has to check for functions with reference parameters separately
 */
bool umcc_may_change(const struct umcc_unit *unit, int i, bool pointer);
/** @return whether token `i` names a device function of this file with a reference among its parameters. */
bool umcc_takes_references(const struct umcc_unit *unit, int i);
/** @return whether a `break` (or a `continue`) among the tokens belongs to a loop around them. Those of inner
 * loops do not; a switch has no `continue`. */
bool umcc_leaves_loop(const struct umcc_unit *unit, int first, int last, bool by_continue);

#endif
