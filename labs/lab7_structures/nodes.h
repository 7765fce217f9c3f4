/**
 * @file nodes.h
 * @brief Lab 7: linked lists in any kind of memory, whose links do not follow the order of the addresses.
 */
#ifndef LAB7_NODES_H
#define LAB7_NODES_H

#include "kernels.h"
#include "um_lab.h"

/**
 * The address of each node of a list, in the order of allocation, and the order in which the list visits
 * them.
 */
struct list {
    struct um_node **node; /**< n addresses; the caller decides in which memory */
    uint64_t *next;        /**< node k is followed by node next[k]; one cycle through all, from node 0 */
    size_t n;
};

/**
 * Allocates what a list of `n` nodes needs; the nodes' addresses are not known yet. False, after it has
 * printed the reason, when out of memory.
 */
bool list_open(struct list *list, size_t n, uint64_t seed);

static inline void list_close(struct list *list)
{
    free(list->node);
    free(list->next);
}

/** Writes values and links into the nodes; the host follows their addresses. The last link is NULL. */
void list_write(const struct list *list, uint64_t seed);

/** The sum of all values, as the host finds it by following the links. */
int64_t list_sum(const struct um_node *head);

/** The same sum without following any link: what the sum has to be. */
int64_t list_expected(size_t n, uint64_t seed);

#endif
