/**
 * @file variables.h
 * @brief Enters each __device__, __constant__ and __managed__ variable of a checked program into the table as
 * a range.
 *
 * umcc leaves a gap behind each declaration, and reports both variable and gap (umsim_check_variable). Host
 * process only.
 */
#ifndef UMSIM_CHECK_VARIABLES_H
#define UMSIM_CHECK_VARIABLES_H

#include "../space/registry.h"

#include <stdint.h>

/** Enters a module's section into the table (table.h). What is between two gaps is one range. If that is one
 * variable, it is known to the byte and by its name. Variables of templates, and `static` ones of functions,
 * have no gap. */
void umsim_variables_known(const struct umsim_alloc *section);

/** The shadow words (race.h) of the word at `p`, if it is in a __managed__ variable; else NULL. */
uint64_t *umsim_variables_shadow(const void *p);

#endif
