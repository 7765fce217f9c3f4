/* hostile: lists whose nodes lie in memory of those who walk them, in a circle, or nowhere */
/* cases: 4 */
#include "exercise.h"
#include <stdio.h>

cudaError_t list_to_device(struct um_node **d_head, const struct um_node *head)
{
    *d_head = (struct um_node *)(HOSTILE_CASE == 0   ? (void *)stdout
                                 : HOSTILE_CASE == 1 ? (void *)list_to_device
                                 : HOSTILE_CASE == 2 ? (void *)head
                                                     : (void *)0x7b0000000040);
    return cudaSuccess;
}

cudaError_t list_managed(struct um_node **head, const int64_t *values, size_t n)
{
    struct um_node *nodes = NULL;
    cudaMallocManaged((void **)&nodes, (n + 1) * sizeof *nodes, cudaMemAttachGlobal);
    for (size_t i = 0; i < n; i++)
        nodes[i] = (struct um_node){HOSTILE_CASE == 0   ? (struct um_node *)(void *)stdout
                                    : HOSTILE_CASE == 1 ? nodes + i
                                    : HOSTILE_CASE == 2 ? (struct um_node *)(uintptr_t)values
                                                        : (struct um_node *)8,
                                    values[i]};
    *head = n > 0 ? nodes : NULL;
    return cudaSuccess;
}

cudaError_t aos_to_soa(struct lab7_arrays *arrays, const struct um_record *records, size_t n)
{
    for (int axis = 0; axis < 3; axis++) {
        arrays->position[axis] = (float *)(uintptr_t)records;
        arrays->velocity[axis] = (float *)(uintptr_t)&arrays->position[axis];
    }
    (void)n;
    return cudaSuccess;
}
