/**
 * @file copies.h
 * @brief Lab 9's second half: the same bytes copied from ordinary memory, from pinned memory, and through a
 * pipe.
 *
 * The pipe is that of um_pipe.h, which copies ordinary memory faster. The rows say what limits each of the
 * three.
 */
#ifndef LAB9_COPIES_H
#define LAB9_COPIES_H

#include "um_lab.h"
#include "um_pipe.h"

/** Ways to copy; in the order of the lab's strategies. */
enum way { WAY_PAGEABLE, WAY_PINNED, WAY_PIPED };

extern uint64_t threads_wanted; /**< --threads; 0: the pipe's own choice */
extern uint64_t largest_copy;   /**< --copies */

/** Runs all sizes of one way. */
void copy_rows(struct um_run *run, enum way way, size_t device_bytes);

/** Prints below the table what each way achieves, and what limits it. */
void copies_print(const struct um_results *results, FILE *out);

#endif
