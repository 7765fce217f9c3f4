/**
 * @file host_memory.h
 * @brief Lab 3: four kinds of host memory, each allocated and freed by its own calls.
 *
 * The lab times what pinning adds. Memory from malloc is assumed to have its pages already (they come at the
 * first touch), so it is allocated and touched outside of the phase. cudaMallocHost() gets its pages inside
 * of the phase.
 */
#ifndef LAB3_HOST_MEMORY_H
#define LAB3_HOST_MEMORY_H

#include "um_lab.h"

enum memory { PAGEABLE, PINNED, WRITE_COMBINED, REGISTERED };

/**
 * Allocates `bytes` bytes. CUDA's work for that goes into the row's phase `alloc` (row NULL: into none).
 * @return the first error; host_give_back() takes *p (or NULL) also then.
 */
cudaError_t host_get(enum memory kind, int **p, size_t bytes, struct um_row *row);

/** Frees what host_get() allocated, timed in the same way; p may be NULL. */
void host_give_back(enum memory kind, int *p, struct um_row *row);

#endif
