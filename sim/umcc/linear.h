/**
 * @file linear.h
 * @brief What umcc knows about the integers that a kernel computes from threadIdx, as far as tokens tell.
 *
 * guard.c and loop.c ask whether an expression is a sum of products of threadIdx.x and of values that are
 * the same in a whole row of threads. Such values are evenly spaced along the row. For an expression that
 * is not recognised, the answer is no.
 */
#ifndef UMCC_LINEAR_H
#define UMCC_LINEAR_H

#include "umcc.h"

#define UMCC_SCOPE_MAX 64

/** A variable declared at the beginning of a kernel's body. */
struct umcc_variable {
    int token;
    bool varies;  /**< with threadIdx.x */
    bool unknown; /**< how it varies is not known */
};

/** The variables declared so far. */
struct umcc_scope {
    struct umcc_unit *unit;
    struct umcc_variable names[UMCC_SCOPE_MAX];
    int count;
};

/** @return the variable that token `i` names, or NULL. */
const struct umcc_variable *umcc_find_variable(const struct umcc_scope *scope, int i);
/** @return whether token `i` is a value that changes from thread to thread of a row. */
bool umcc_varies(const struct umcc_scope *scope, int i);
/** `static_cast<size_t>` at `i`, and other conversions that change no value below 2^31: @return its `>`, else
 * `i`. */
int umcc_skip_cast(const struct umcc_unit *unit, int i);
/** @return whether tokens `first` to `last` only read existing values: no call, no memory access, no
 * assignment. */
bool umcc_is_pure(const struct umcc_unit *unit, int first, int last);
/** @return whether they are a sum of products with at most one varying value in each. Subtraction may wrap
 * around, and other operators form no sum. */
bool umcc_is_linear(const struct umcc_scope *scope, int first, int last);
/**
 * Reads `int i = ..., j = ...;` at `i`: declarations whose initializers are pure. Adds the variables.
 * @return the token behind it, or -1 when it is anything else
 */
int umcc_read_declaration(struct umcc_scope *scope, int i);

#endif
