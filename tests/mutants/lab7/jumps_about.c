/* mutant: lets the list jump through its memory; fails: list_managed/moves_little */
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
    const size_t rows = (n + 8191) / 8192;
    struct um_node *last = NULL;

    for (size_t row = 0, k = 0; k < n; row = (row + 1) % rows) {
        static size_t next[4096];

        if (k < rows)
            next[row] = row * 8192;
        if (next[row] >= n || next[row] >= (row + 1) * 8192)
            continue;
        struct um_node *node = pool + next[row]++;

        *node = (struct um_node){NULL, values[k++]};
        if (last != NULL)
            last->next = node;
        last = node;
    }
    *head = pool;
    return cudaSuccess;
}
