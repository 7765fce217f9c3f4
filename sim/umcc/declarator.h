/**
 * @file declarator.h
 * @brief The forms that C++ has for a declared name and for parameters.
 */
#ifndef UMCC_DECLARATOR_H
#define UMCC_DECLARATOR_H

#include "umcc.h"

/** A declared name. */
struct umcc_declarator {
    int name_first, name_last; /**< the name with its qualification and its template arguments */
    int open;                  /**< the parenthesis of a function's parameters; -1: a variable */
    bool pointer;              /**< what is declared points or refers to what the type says */
};

/** @return whether token `i` is a keyword whose parentheses are neither a declarator nor parameters. */
bool umcc_is_group_word(const struct umcc_unit *unit, int i);

/** @return the last token at or before `i` that belongs to no attribute and is no mark; `first` bounds the
 * search. */
int umcc_before_attributes(const struct umcc_unit *unit, int i, int first);

/**
 * Reads a declarator in parentheses, which begins with the `(` at `i`: `(k)(int *)`, `(k(int *))`,
 * `(*f(int))(int)`.
 * @return whether it is one
 */
bool umcc_read_declarator(const struct umcc_unit *unit, int i, struct umcc_declarator *found);

/** @return whether what the parentheses at `open` hold can be no parameters: it is an initializer. What may
 * be either is not: `T x(y);` with a type `y` declares a function. */
bool umcc_holds_value(const struct umcc_unit *unit, int open);

/** @return the index behind the constraint of a `requires` that is a clause; `i` is the token behind the
 * word. */
int umcc_behind_constraint(const struct umcc_unit *unit, int i);

/** One parameter of a function. Members are token indices; -1 if there is no such token. */
struct umcc_parameter {
    int first, last; /**< type and name, without `= default` */
    int name;
    int place; /**< where it has no name: one would stand before this token */
    bool pack, reference;
    bool rvalue; /**< `&&` */
};

/** As many parameters are read as that. */
#define UMCC_PARAMETERS_MAX 256

/** @return the number of parameters, -1 if there are more than `max` or one has a form that is not known. */
int umcc_read_parameters(const struct umcc_unit *unit, const struct umcc_decl *d, struct umcc_parameter *list,
                         int max);

/** Reads the parameter of a template at `i`, before `close`. @return the token behind it, -1 if it has a form
 * that is not known */
int umcc_read_template_parameter(const struct umcc_unit *unit, int i, int close, struct umcc_parameter *p);

#endif
