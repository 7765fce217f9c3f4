/* fair: what is short goes through a static buffer; the list's memory is advised, prefetched home, or neither
 * works */
#include <stdlib.h>

#include "exercise.h"
#include "um_cuda_compat.h"

static struct um_node small[512];

cudaError_t list_to_device(struct um_node **d_head, const struct um_node *head)
{
    struct um_node *d = NULL, *nodes = small;
    const struct um_node *at;
    cudaError_t error;
    size_t n = 0;

    *d_head = NULL;
    for (at = head; at; at = at->next, n++) {
    }
    if (n == 0)
        return cudaSuccess;
    if (n > sizeof small / sizeof *small)
        nodes = calloc(n, sizeof *nodes);
    if (!nodes)
        return cudaErrorMemoryAllocation;
    error = cudaMalloc((void **)&d, n * sizeof *d);
    if (error == cudaSuccess) {
        for (at = head, n = 0; at; at = at->next) {
            nodes[n].value = at->value;
            nodes[n].next = d + n + 1;
            n++;
        }
        nodes[n - 1].next = NULL;
        error = cudaMemcpy(d, nodes, n * sizeof *d, cudaMemcpyHostToDevice);
    }
    if (error == cudaSuccess)
        *d_head = d;
    else
        cudaFree(d);
    if (nodes != small)
        free(nodes);
    return error;
}

cudaError_t list_managed(struct um_node **head, const int64_t *values, size_t n)
{
    struct um_node *pool = NULL;
    int concurrent = 0;
    cudaError_t error;

    *head = NULL;
    if (n == 0)
        return cudaSuccess;
    error = cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0);
    if (error == cudaSuccess)
        error = cudaMallocManaged((void **)&pool, n * sizeof *pool, cudaMemAttachGlobal);
    if (error == cudaSuccess && concurrent)
        error = um_prefetch(pool, n * sizeof *pool, cudaCpuDeviceId, 0);
    if (error != cudaSuccess) {
        cudaFree(pool);
        return error;
    }
    for (size_t k = 0; k < n; k++) {
        pool[k].next = k + 1 < n ? pool + k + 1 : NULL;
        pool[k].value = values[k];
    }
    *head = pool;
    return cudaSuccess;
}
