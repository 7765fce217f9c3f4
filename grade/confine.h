/**
 * @file confine.h
 * @brief Lets a sandboxed call lock itself in: what it may ask of the system, before student code is loaded;
 * what is code, once it is loaded.
 *
 * Either lock is permanent, and holds for all threads of the process.
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

/**
 * From here on nothing becomes executable, and what was loaded before um_confine() stays as it is: the code,
 * constants, and tables of addresses (RELRO) of the simulator, the kernels, calls.c and the C library. No
 * protection of theirs changes, and nothing is mapped or moved over them. Only their variables can still be
 * written.
 * @return NULL, or what failed
 */
const char *um_confine_code(void);

#endif
