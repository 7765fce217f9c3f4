/* mutant: takes 256 elements for 256 bytes; fails: aos_to_soa/one_copy, aos_to_soa/offsets */
#include <stdlib.h>
#include <string.h>

#include "exercise.h"

cudaError_t aos_to_soa(struct lab7_arrays *arrays, const struct um_record *records, size_t n)
{
    const size_t apart = (n + LAB7_ALIGNMENT - 1) / LAB7_ALIGNMENT * LAB7_ALIGNMENT * sizeof(float);
    const size_t bytes = 5 * apart + n * sizeof(float);
    char *fields, *d_fields = NULL;
    cudaError_t error;

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
}
