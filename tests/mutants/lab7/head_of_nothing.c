/* mutant: leaves the caller's pointer alone after an error; fails: list_managed/errors */
#include "exercise.h"

cudaError_t list_managed(struct um_node **head, const int64_t *values, size_t n)
{
    struct um_node *pool = NULL;
    cudaError_t error;

    *head = n == 0 ? NULL : (struct um_node *)(uintptr_t)values;
    if (n == 0)
        return cudaSuccess;
    error = cudaMallocManaged((void **)&pool, n * sizeof *pool, cudaMemAttachGlobal);
    if (error != cudaSuccess) {
        return error;
    }
    for (size_t k = 0; k < n; k++)
        pool[k] = (struct um_node){k + 1 < n ? pool + k + 1 : NULL, values[k]};
    *head = pool;
    return cudaSuccess;
}
