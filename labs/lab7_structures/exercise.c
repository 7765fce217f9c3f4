/**
 * @file exercise.c
 * @brief Lab 7's exercises: exercise.h says what each function has to do, and `make grade LAB=7` checks it.
 */
#include <stdlib.h>
#include <string.h>

#include "exercise.h"

cudaError_t list_to_device(struct um_node **d_head, const struct um_node *head)
{
    // BEGIN SOLUTION
    struct um_node *packed, *d_nodes = NULL;
    cudaError_t error;
    size_t n = 0, k = 0;

    *d_head = NULL;
    for (const struct um_node *at = head; at; at = at->next) {
        n++;
    }
    if (n == 0)
        return cudaSuccess;
    packed = malloc(n * sizeof *packed);
    if (!packed)
        return cudaErrorMemoryAllocation;
    error = cudaMalloc((void **)&d_nodes, n * sizeof *d_nodes);
    for (const struct um_node *at = head; at; at = at->next, k++) {
        packed[k] = (struct um_node){k + 1 < n ? d_nodes + k + 1 : NULL, at->value};
    }
    if (error == cudaSuccess)
        error = cudaMemcpy(d_nodes, packed, n * sizeof *packed, cudaMemcpyHostToDevice);
    free(packed);
    if (error == cudaSuccess)
        *d_head = d_nodes;
    else
        cudaFree(d_nodes);
    return error;
    // PLACEHOLDER
    // (void)head; /* your code */
    // *d_head = NULL;
    // return cudaErrorNotSupported;
    // END SOLUTION
}

cudaError_t list_managed(struct um_node **head, const int64_t *values, size_t n)
{
    // BEGIN SOLUTION
    struct um_node *pool = NULL;
    cudaError_t error;

    *head = NULL;
    if (n == 0)
        return cudaSuccess;
    error = cudaMallocManaged((void **)&pool, n * sizeof *pool, cudaMemAttachGlobal);
    if (error != cudaSuccess)
        return error;
    for (size_t k = 0; k < n; k++) {
        pool[k] = (struct um_node){k + 1 < n ? pool + k + 1 : NULL, values[k]};
    }
    *head = pool;
    return cudaSuccess;
    // PLACEHOLDER
    // (void)values, (void)n; /* your code */
    // *head = NULL;
    // return cudaErrorNotSupported;
    // END SOLUTION
}

cudaError_t aos_to_soa(struct lab7_arrays *arrays, const struct um_record *records, size_t n)
{
    // BEGIN SOLUTION
    const size_t gap = LAB7_ALIGNMENT, apart = (n * sizeof(float) + gap - 1) / gap * gap;
    const size_t bytes = 5 * apart + n * sizeof(float); /* there is no gap behind the last one */
    char *fields, *d_fields = NULL;
    cudaError_t error;

    memset(arrays, 0, sizeof *arrays);
    if (n == 0)
        return cudaSuccess;
    fields = calloc(1, bytes);
    if (!fields)
        return cudaErrorMemoryAllocation;
    for (size_t axis = 0; axis < 3; axis++) {
        float *position = (float *)(void *)(fields + axis * apart);
        float *velocity = (float *)(void *)(fields + (3 + axis) * apart);

        for (size_t i = 0; i < n; i++) {
            position[i] = records[i].position[axis];
            velocity[i] = records[i].velocity[axis];
        }
    }
    error = cudaMalloc((void **)&d_fields, bytes);
    if (error == cudaSuccess)
        error = cudaMemcpy(d_fields, fields, bytes, cudaMemcpyHostToDevice);
    free(fields);
    if (error != cudaSuccess) {
        cudaFree(d_fields);
        return error;
    }
    for (size_t axis = 0; axis < 3; axis++) {
        arrays->position[axis] = (float *)(void *)(d_fields + axis * apart);
        arrays->velocity[axis] = (float *)(void *)(d_fields + (3 + axis) * apart);
    }
    return cudaSuccess;
    // PLACEHOLDER
    // (void)records, (void)n; /* your code */
    // memset(arrays, 0, sizeof *arrays);
    // return cudaErrorNotSupported;
    // END SOLUTION
}
