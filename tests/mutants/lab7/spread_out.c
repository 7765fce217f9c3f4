/* mutant: gives each node 512 bytes, as small allocations have; fails: list_managed/one_pool */
#include "exercise.h"

cudaError_t list_managed(struct um_node **head, const int64_t *values, size_t n)
{
    struct um_node *pool = NULL;
    cudaError_t error;

    *head = NULL;
    if (n == 0)
        return cudaSuccess;
    error = cudaMallocManaged((void **)&pool, n * 512, cudaMemAttachGlobal);
    if (error != cudaSuccess)
        return error;
    for (size_t k = 0; k < n; k++)
        pool[32 * k] = (struct um_node){k + 1 < n ? pool + 32 * (k + 1) : NULL, values[k]};
    *head = pool;
    return cudaSuccess;
}
