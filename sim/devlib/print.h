/**
 * @file print.h
 * @brief What kernels print: printf(), and assertions that failed.
 *
 * The GPU process may not format text, because libc's tables may be closed to it, and it need not: as on
 * hardware, a call only leaves a record with its format string and arguments, and the host formats it. After
 * a launch that has left records, the host fetches them before the next launch starts, so the buffer holds
 * the records of one launch.
 *
 * Several workers run blocks side by side, so the host sorts the records by block, and every run prints the
 * same. Within a block they stay in the order in which its threads ran. Of more than cudaLimitPrintfFifoSize
 * bytes, the last ones are kept, as in CUDA's circular buffer.
 */
#ifndef UMSIM_PRINT_H
#define UMSIM_PRINT_H

#include <stdbool.h>
#include <stddef.h>

/** Host process, before the GPU process starts: makes the buffer, or empties it. */
void umsim_print_start(void);

/** GPU process: whether the current launch has left records, which the host has to fetch. */
bool umsim_print_pending(void);

/**
 * Host process: prints the records of the launch that has ended, and empties the buffer. If the launch failed
 * an assertion, the records of later blocks are left out.
 * @param limit bytes of records that are kept, the last ones
 */
void umsim_print_flush(size_t limit);

/** Host process: how many records were printed since the start. */
unsigned long umsim_print_count(void);

/** Whether a kernel has called printf() or failed an assertion since the start. */
bool umsim_print_used(void);

#endif
