/**
 * @file race_memory.h
 * @brief Where the shadow words of race.h are; race.h has what others ask of it.
 */
#ifndef UMSIM_CHECK_RACE_MEMORY_H
#define UMSIM_CHECK_RACE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/** Host process: reserves memory, sparse. */
void umsim_race_memory_start(void);

/** Of 4 bytes of __shared__ memory: the shadow words of all, which hold unless the block that runs has used
 * parts of them; then those of each byte hold. */
struct umsim_shared_shadow {
    uint64_t *word, *bytes;
    uint32_t *split_in; /* the block's number; 0: none */
};

/** The shadow words at an offset in a worker's __shared__ memory, a multiple of 4. */
struct umsim_shared_shadow umsim_race_shared_shadow(size_t offset);

/** GPU process: all shadow words become empty. */
void umsim_race_forget_all(void);

#endif
