/* mutant: every malloc of a node has become a cudaMallocManaged; fails: list_managed/one_pool, list_managed/errors */
#include "exercise.h"

cudaError_t list_managed(struct um_node **head, const int64_t *values, size_t n)
{
    struct um_node *pool = NULL;
    cudaError_t error;

    *head = NULL;
    if (n == 0)
        return cudaSuccess;
    for (size_t k = n; k-- > 0;) {
        struct um_node *node;

        error = cudaMallocManaged((void **)&node, sizeof *node, cudaMemAttachGlobal);
        if (error != cudaSuccess)
            return error;
        *node = (struct um_node){pool, values[k]};
        pool = node;
    }
    *head = pool;
    return cudaSuccess;
}
