/**
 * @file table.h
 * @brief The memory that a checked kernel may touch, to the byte.
 *
 * The host process writes the table, and kernels in the GPU process read it while they run. The table has a
 * version number that is odd while it changes, so that a reader can tell whether what it read is consistent.
 */
#ifndef UMSIM_CHECK_TABLE_H
#define UMSIM_CHECK_TABLE_H

#include "../space/registry.h"

#include <stdatomic.h>

/** What a range of memory is. */
enum umsim_known {
    UMSIM_KNOWN_ALLOCATION, /* a piece of memory that CUDA gave out */
    UMSIM_KNOWN_VARIABLE,   /* a __device__ or __managed__ variable, or several without a gap between them */
    UMSIM_KNOWN_CONSTANT,   /* __constant__ variables: kernels read them */
    UMSIM_KNOWN_PROGRAM,    /* the program's read-only data, such as string literals */
    UMSIM_KNOWN_LIBRARY,    /* the simulator's own, which the code that it inlines into kernels may touch */
};

/** One range. Ranges do not overlap. */
struct umsim_memory_known {
    uintptr_t base;
    size_t bytes;
    enum umsim_known what;
    unsigned account; /* of its accesses (coalesce.h) */
    uint64_t *shadow; /* who touched it last, two for 4 bytes (race.h); or NULL */
    size_t
        of_device; /* where each device has such memory of its own: from one's shadow words to the next's */
    bool tracks_init;   /* init.h knows which of its bytes were written */
    const char *name;   /* host process: a variable's, or the call that made it */
    const void *caller; /* host process: where that call returned to, or NULL */
};

#define UMSIM_KNOWN_MAX 65536

/** Host process: makes an empty table.
 * @return whether there was memory for it */
bool umsim_table_start(void);

/** Host process. A range for which there is no space left, or whose address has more than 48 bits, is
 * dropped: accesses to it then count as allowed. */
void umsim_table_add(const struct umsim_memory_known *range);
void umsim_table_remove(uintptr_t base);
void umsim_table_remove_all(enum umsim_known what);

/** GPU process: a number that differs after each change of the table. */
unsigned umsim_table_version(void);
const atomic_uint *umsim_table_version_at(void); /**< where it is */

/** The range that holds `p`.
 * @return false if none does; `out` is then the nearest range of CUDA's memory, if there is any (else its
 * bytes are 0) */
bool umsim_table_find(uintptr_t p, struct umsim_memory_known *out);

/** Whether ranges had to be dropped. */
bool umsim_table_is_incomplete(void);

#endif
