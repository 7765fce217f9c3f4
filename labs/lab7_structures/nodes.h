/**
 * @file nodes.h
 * @brief For lab 7: linked lists in any kind of memory, whose order is not that of their addresses.
 */
#ifndef LAB7_NODES_H
#define LAB7_NODES_H

#include "kernels.h"
#include "um_lab.h"

/** Where each node of a list stands, by the order in which it was allocated, and the way through them. */
struct list {
    struct um_node **node; /**< n addresses; the caller says of what memory */
    uint64_t *next;        /**< node k is followed by node next[k]; one cycle through all, from node 0 */
    size_t n;
};

/** Room for a list of `n` nodes, whose addresses are not known yet. False (having said why) without memory.
 */
static inline bool list_open(struct list *list, size_t n, uint64_t seed)
{
    list->n = n;
    UM_NEED(list->node = calloc(n, sizeof(struct um_node *)));
    UM_NEED(list->next = malloc(n * sizeof *list->next));
    um_fill_cycle(list->next, n, seed);
    return true;
cleanup:
    return false;
}

static inline void list_close(struct list *list)
{
    free(list->node);
    free(list->next);
}

/** Writes values and links into the nodes: the host follows their addresses. The last link is NULL. */
static inline void list_write(const struct list *list, uint64_t seed)
{
    for (size_t k = 0; k < list->n; k++) {
        const uint64_t next = list->next[k];

        *list->node[k] = (struct um_node){next == 0 ? NULL : list->node[next], um_value(seed, k)};
    }
}

/** The sum of all values, as the host finds it by following the links. */
static inline int64_t list_sum(const struct um_node *head)
{
    int64_t sum = 0;

    for (; head; head = head->next)
        sum += head->value;
    return sum;
}

/** The same without following anything: what the sum has to be. */
static inline int64_t list_expected(size_t n, uint64_t seed)
{
    int64_t sum = 0;

    for (size_t k = 0; k < n; k++)
        sum += um_value(seed, k);
    return sum;
}

#endif
