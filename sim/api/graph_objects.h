/**
 * @file graph_objects.h
 * @brief References of graphs to objects of the program's.
 *
 * Callers hold the lock.
 */
#ifndef UMSIM_API_GRAPH_OBJECTS_H
#define UMSIM_API_GRAPH_OBJECTS_H

#include "runtime.h"

struct umsim_kept;

/** Notes references in a list, which the caller has. @return false without memory */
bool umsim_objects_keep(struct umsim_kept **list, cudaUserObject_t object, size_t count);
/** Adds a reference to each object of a list to another list. @return false without memory */
bool umsim_objects_copy(struct umsim_kept **list, const struct umsim_kept *from);
/** Gives all references of a list back. A destructor runs behind `after`, if that is not NULL. */
void umsim_objects_drop(struct umsim_kept *list, struct umsim_op *after);

#endif
