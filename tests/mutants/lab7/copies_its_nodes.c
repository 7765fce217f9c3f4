/* mutant: copies the nodes in from a buffer; fails: list_managed/one_pool, list_managed/errors */
#include <stdlib.h>

#include "exercise.h"

cudaError_t list_managed(struct um_node **head, const int64_t *values, size_t n)
{
    struct um_node *pool = NULL;
    cudaError_t error;

    *head = NULL;
    if (n == 0)
        return cudaSuccess;
    error = cudaMallocManaged((void **)&pool, n * sizeof *pool, cudaMemAttachGlobal);
    if (error != cudaSuccess)
        return error;
    struct um_node *nodes = malloc(n * sizeof *nodes);

    for (size_t k = 0; k < n; k++)
        nodes[k] = (struct um_node){k + 1 < n ? pool + k + 1 : NULL, values[k]};
    error = cudaMemcpy(pool, nodes, n * sizeof *nodes, cudaMemcpyHostToDevice);
    free(nodes);
    *head = pool;
    return cudaSuccess;
}
