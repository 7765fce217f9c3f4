/**
 * @file memory.h
 * @brief Memory that both processes see: files in memory, shared tables, and the state.
 */
#ifndef UMSIM_BASE_MEMORY_H
#define UMSIM_BASE_MEMORY_H

#include <stddef.h>

/** A file of `bytes` bytes that lives in memory, or -1 with errno. No signal, whatever RLIMIT_FSIZE says. */
int umsim_memory_file(const char *name, size_t bytes);

/** Zeroed memory that both processes will share, sparse. Ends the program when the system refuses it. */
void *umsim_shared_memory(size_t bytes);

/** Leaves [p, p + bytes) out of core files. Writing a core makes every page of shared memory that it holds:
 * arenas and tables of pages, which are sparse, would become hundreds of GiB. */
void umsim_keep_out_of_cores(void *p, size_t bytes);

/** The same for the state (record/request.h), and each piece of it: in grading mode the host gives its
 * mappings up. */
void *umsim_state_memory(size_t bytes);
void umsim_state_each(void (*visit)(void *p, size_t bytes));

#endif
