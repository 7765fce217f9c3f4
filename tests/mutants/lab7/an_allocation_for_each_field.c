/* mutant: allocates field by field; fails: aos_to_soa/one_copy, aos_to_soa/offsets, aos_to_soa/errors */
#include <stdlib.h>
#include <string.h>

#include "exercise.h"

cudaError_t aos_to_soa(struct lab7_arrays *arrays, const struct um_record *records, size_t n)
{
    const size_t apart = (n * sizeof(float) + LAB7_ALIGNMENT - 1) / LAB7_ALIGNMENT * LAB7_ALIGNMENT;
    const size_t bytes = 5 * apart + n * sizeof(float);
    char *fields;
    cudaError_t error = cudaSuccess;

    memset(arrays, 0, sizeof *arrays);
    if (n == 0)
        return cudaSuccess;
    fields = calloc(1, bytes);
    if (fields == NULL)
        return cudaErrorMemoryAllocation;
    for (size_t axis = 0; axis < 3; axis++) {
        float *position = (float *)(void *)(fields + axis * apart);
        float *velocity = (float *)(void *)(fields + (3 + axis) * apart);

        for (size_t i = 0; i < n; i++) {
            position[i] = records[i].position[axis];
            velocity[i] = records[i].velocity[axis];
        }
    }
    for (size_t axis = 0; axis < 3; axis++) {
        if ((error = cudaMalloc((void **)&arrays->position[axis], n * sizeof(float))) != cudaSuccess ||
            (error = cudaMemcpy(arrays->position[axis], fields + axis * apart, n * sizeof(float),
                                cudaMemcpyHostToDevice)) != cudaSuccess ||
            (error = cudaMalloc((void **)&arrays->velocity[axis], n * sizeof(float))) != cudaSuccess ||
            (error = cudaMemcpy(arrays->velocity[axis], fields + (3 + axis) * apart, n * sizeof(float),
                                cudaMemcpyHostToDevice)) != cudaSuccess)
            break;
    }
    free(fields);
    return error;
}
