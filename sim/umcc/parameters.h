/**
 * @file parameters.h
 * @brief The names of a kernel's parameters, and how they are used.
 */
#ifndef UMCC_PARAMETERS_H
#define UMCC_PARAMETERS_H

#include "declarator.h"

/** The tokens of the names. */
struct umcc_parameters {
    int names[UMCC_PARAMETERS_MAX], count;
};

/** Finds the names of a function's parameters. @return false if one of them is of a form that is not known,
 * so that a name may be missing. */
bool umcc_find_parameters(const struct umcc_unit *unit, const struct umcc_decl *d,
                          struct umcc_parameters *found);
/** @return whether token `i` is spelled as one of the names. */
bool umcc_is_parameter(const struct umcc_unit *unit, const struct umcc_parameters *parameters, int i);
/** @return the last token of `a.b.c` at `i`. A method's name does not belong to it. */
int umcc_chain_end(const struct umcc_unit *unit, int i);

#endif
