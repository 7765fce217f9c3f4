/* mutant: the last node leads to where the next one would be; fails: list_to_device/right_data */
#include <stdlib.h>

#include "exercise.h"

cudaError_t list_to_device(struct um_node **d_head, const struct um_node *head)
{
    struct um_node *packed, *d_nodes = NULL;
    cudaError_t error;
    size_t n = 0, k = 0;

    *d_head = NULL;
    for (const struct um_node *at = head; at != NULL; at = at->next)
        n++;
    if (n == 0)
        return cudaSuccess;
    packed = malloc(n * sizeof *packed);
    if (packed == NULL)
        return cudaErrorMemoryAllocation;
    error = cudaMalloc((void **)&d_nodes, n * sizeof *d_nodes);
    for (const struct um_node *at = head; at != NULL; at = at->next, k++)
        packed[k] = (struct um_node){d_nodes + k + 1, at->value};
    if (error == cudaSuccess)
        error = cudaMemcpy(d_nodes, packed, n * sizeof *packed, cudaMemcpyHostToDevice);
    free(packed);
    if (error == cudaSuccess)
        *d_head = d_nodes;
    else
        cudaFree(d_nodes);
    return error;
}
