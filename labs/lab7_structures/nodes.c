/**
 * @file nodes.c
 * @brief Implementation of nodes.h: makes, fills, sums and frees lab 7's lists.
 */
#include "nodes.h"

bool list_open(struct list *list, size_t n, uint64_t seed)
{
    list->n = n;
    UM_NEED(list->node = calloc(n, sizeof(struct um_node *)));
    UM_NEED(list->next = malloc(n * sizeof *list->next));
    um_fill_cycle(list->next, n, seed);
    return true;
cleanup:
    return false;
}

void list_write(const struct list *list, uint64_t seed)
{
    for (size_t k = 0; k < list->n; k++) {
        const uint64_t next = list->next[k];

        *list->node[k] = (struct um_node){next == 0 ? NULL : list->node[next], um_value(seed, k)};
    }
}

int64_t list_sum(const struct um_node *head)
{
    int64_t sum = 0;

    for (; head; head = head->next)
        sum += head->value;
    return sum;
}

int64_t list_expected(size_t n, uint64_t seed)
{
    int64_t sum = 0;

    for (size_t k = 0; k < n; k++)
        sum += um_value(seed, k);
    return sum;
}
