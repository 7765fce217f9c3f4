/**
 * @file memory.h
 * @brief Memory that both processes see: files in memory, shared tables, and the authoritative state.
 */
#ifndef UMSIM_BASE_MEMORY_H
#define UMSIM_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Creates a file of `bytes` bytes that exists only in memory. Returns -1 and sets errno on failure; raises no
 * signal, whatever RLIMIT_FSIZE is.
 */
int umsim_memory_file(const char *name, size_t bytes);

/**
 * Allocates zeroed, sparse memory that both processes will share. Ends the program when the system refuses
 * it.
 */
void *umsim_shared_memory(size_t bytes);

/** The same without an end and without a note of it: returns NULL and sets errno when the system refuses it.
 */
void *umsim_try_shared_memory(size_t bytes);

/** Notes a shared mapping as the simulator's own, as umsim_shared_memory() does. All others are the
 * program's, and closed to the GPU process (space/seal_host_memory.h). */
void umsim_note_own(const void *p, size_t bytes);
/** Whether `p` lies in such a mapping. */
bool umsim_is_own(uintptr_t p);
/** Unmaps such a mapping, of umsim_shared_memory() too. */
void umsim_unmap_own(void *p, size_t bytes);

/**
 * Leaves [p, p + bytes) out of core files. Writing a core allocates every page of the shared memory that the
 * core holds; the arenas and the tables of pages, which are sparse, would become hundreds of GiB.
 */
void umsim_keep_out_of_cores(void *p, size_t bytes);

#endif
