/**
 * @file managed_spaces.h
 * @brief Makes and ends managed spaces, each with a paging state of its own: the arena, and a space for each
 * module with __managed__ variables.
 *
 * In the process that owns the state, with the managed lock (managed.h).
 */
#ifndef UMSIM_MANAGED_SPACES_H
#define UMSIM_MANAGED_SPACES_H

#include "views.h"

#include <stddef.h>

/** The processors, and their memory, that all spaces share. */
struct uvm_system *umsim_managed_system(void);

/** Makes a managed space of [base, base + bytes), whose window (arena.h) is `window`. @return NULL when there
 * are too many. */
struct umsim_managed_space *umsim_managed_space_make(char *base, size_t bytes, char *window);

/** A space ends, and nothing is alive in it any more: gives its place in the table and its memory back. */
void umsim_managed_space_end(struct umsim_managed_space *space);

#endif
