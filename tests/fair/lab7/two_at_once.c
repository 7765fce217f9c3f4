/* fair: the list is made by recursion over halves; records are split field by field through a table of
 * offsets */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "exercise.h"

static void link_up(struct um_node *pool, const int64_t *values, size_t from, size_t to, size_t n)
{
    if (to - from == 1) {
        pool[from].value = values[from];
        pool[from].next = to < n ? &pool[to] : NULL;
        return;
    }
    link_up(pool, values, from, from + (to - from) / 2, n);
    link_up(pool, values, from + (to - from) / 2, to, n);
}

cudaError_t list_managed(struct um_node **head, const int64_t *values, size_t n)
{
    void *pool = NULL;
    cudaError_t error = cudaSuccess;

    if (n > 0)
        error = cudaMallocManaged(&pool, n * sizeof(struct um_node), cudaMemAttachGlobal);
    if (n > 0 && error == cudaSuccess)
        link_up(pool, values, 0, n, n);
    *head = error == cudaSuccess ? pool : NULL;
    return error;
}

static const size_t offset[6] = {offsetof(struct um_record, position),
                                 offsetof(struct um_record, position) + sizeof(float),
                                 offsetof(struct um_record, position) + 2 * sizeof(float),
                                 offsetof(struct um_record, velocity),
                                 offsetof(struct um_record, velocity) + sizeof(float),
                                 offsetof(struct um_record, velocity) + 2 * sizeof(float)};

cudaError_t aos_to_soa(struct lab7_arrays *arrays, const struct um_record *records, size_t n)
{
    const size_t apart = (n * sizeof(float) + LAB7_ALIGNMENT - 1) / LAB7_ALIGNMENT * LAB7_ALIGNMENT;
    cudaError_t error = cudaErrorMemoryAllocation;
    char *block = NULL, *home = NULL;

    memset(arrays, 0, sizeof *arrays);
    if (n == 0)
        return cudaSuccess;
    if (!(home = calloc(6, apart)))
        goto out;
    for (size_t f = 0; f < 6; f++) {
        for (size_t i = 0; i < n; i++) {
            memcpy(home + f * apart + i * sizeof(float), (const char *)&records[i] + offset[f],
                   sizeof(float));
        }
    }
    if ((error = cudaMalloc((void **)&block, 6 * apart)) != cudaSuccess)
        goto out;
    if ((error = cudaMemcpy(block, home, 6 * apart, cudaMemcpyHostToDevice)) != cudaSuccess) {
        cudaFree(block);
        goto out;
    }
    for (size_t f = 0; f < 3; f++) {
        arrays->position[f] = (float *)(void *)(block + f * apart);
        arrays->velocity[f] = (float *)(void *)(block + (f + 3) * apart);
    }
out:
    free(home);
    return error;
}
