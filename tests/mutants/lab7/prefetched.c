/* mutant: brings the nodes to the GPU; the kernel takes no faults; fails: nothing */
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
    for (size_t k = 0; k < n; k++)
        pool[k] = (struct um_node){k + 1 < n ? pool + k + 1 : NULL, values[k]};
    *head = pool;
    error = cudaMemPrefetchAsync(pool, n * sizeof *pool,
                                 (struct cudaMemLocation){cudaMemLocationTypeDevice, 0}, 0, 0);
    if (error == cudaSuccess)
        return cudaSuccess;
    cudaFree(pool);
    *head = NULL;
    return error;
}
