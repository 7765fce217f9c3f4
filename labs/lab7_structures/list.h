/**
 * @file list.h
 * @brief Lab 7's story of the list: each function is a strategy.
 *
 * Read list_nodes() first.
 */
#ifndef LAB7_LIST_H
#define LAB7_LIST_H

#include "nodes.h"
#include "tally.h"

extern uint64_t nodes; /**< --nodes */
extern int64_t *sum;   /**< what a kernel found: pinned, so that no strategy pays for bringing it back */

/** A deep copy as one first writes it: one device node for each host node, with its link adjusted. */
void list_nodes(struct um_run *run);

/** The nodes go into one buffer, in the order of the list; their links are written as the device will see
 * them. */
void list_packed(struct um_run *run);

/** All nodes in one allocation of managed memory. */
void list_pool(struct um_run *run);

/** All nodes in pinned memory that the kernel reads in place. */
void list_mapped(struct um_run *run);

/** The host's list with one word changed: malloc has become cudaMallocManaged. */
void list_managed(struct um_run *run);

#endif
