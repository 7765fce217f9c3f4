/**
 * @file race_memory.h
 * @brief Where the shadow words of race.h are; race.h has what others ask of it.
 */
#ifndef UMSIM_CHECK_RACE_MEMORY_H
#define UMSIM_CHECK_RACE_MEMORY_H

/** Host process: reserves memory, sparse. */
void umsim_race_memory_start(void);

/** GPU process: all shadow words become empty. */
void umsim_race_forget_all(void);

#endif
