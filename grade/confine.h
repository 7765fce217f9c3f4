/**
 * @file confine.h
 * @brief Lets a sandboxed call lock itself in, after the simulator has started and before student code is
 * loaded.
 *
 * The lock is permanent, and holds for all threads of the process.
 */
#ifndef UM_GRADE_CONFINE_H
#define UM_GRADE_CONFINE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * Sets limits on memory, files and CPU time, then allows only the system calls that a sandboxed call needs.
 * @param talk the socket that stays writable
 * @return NULL, or what failed
 */
const char *um_confine(uint64_t heap_bytes, uint64_t cpu_seconds, int talk);

#endif
