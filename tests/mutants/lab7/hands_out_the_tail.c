/* mutant: hands out the last node; fails: list_managed/right_data */
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
    *head = pool + n - 1;
    return cudaSuccess;
}
