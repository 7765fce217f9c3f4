/**
 * @file confine.h
 * @brief Lets a student's process lock itself in: what it may ask of the system. The submission is loaded,
 * and has not run yet.
 *
 * The lock is permanent, and holds for all threads of the process.
 */
#ifndef UM_GRADE_CONFINE_H
#define UM_GRADE_CONFINE_H

#include <stdint.h>

/**
 * Sets limits on memory, addresses, files and CPU time, then allows only the system calls that a graded
 * function needs. What is open stays open; only stdout and stderr can be written to. Nothing becomes
 * executable any more.
 * @param heap_bytes private memory
 * @param cpu_seconds processor time; SIGXCPU follows
 * @return NULL, or what failed (errno says why)
 */
const char *um_confine(uint64_t heap_bytes, uint64_t cpu_seconds);

/**
 * The private memory that this process can write to, stacks that grow aside, as RLIMIT_DATA counts it: found
 * by asking for a page more under one limit after another, so it needs no /proc.
 * @return bytes; 0 where the system holds no such limit
 */
uint64_t um_private_bytes(void);

#endif
