/**
 * @file children.h
 * @brief How a fork server ends what it has forked.
 */
#ifndef UM_GRADE_CHILDREN_H
#define UM_GRADE_CHILDREN_H

#include <stdint.h>
#include <sys/types.h>

/**
 * Waits until all children that waitpid() would name so have ended: -1, or a process group as a negative
 * number.
 * @return the processor time of all children that have ended since the last call, ns
 */
uint64_t um_children_end(pid_t which);

#endif
