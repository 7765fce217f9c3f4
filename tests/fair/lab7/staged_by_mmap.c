/* fair: mmap()'s memory on the way, alloca()'s for little of it; fields go by one 2D copy, without the gaps
 */
#define _GNU_SOURCE
#include <alloca.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

#include "exercise.h"

static void *pages(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return p == MAP_FAILED ? NULL : p;
}

cudaError_t list_to_device(struct um_node **d_head, const struct um_node *head)
{
    struct um_node *packed, *d = NULL, *to;
    size_t bytes = 0;
    bool is_small;
    cudaError_t error;

    *d_head = NULL;
    for (const struct um_node *at = head; at; at = at->next) {
        bytes += sizeof *at;
    }
    if (bytes == 0)
        return cudaSuccess;
    is_small = bytes <= 32768;
    to = packed = is_small ? alloca(bytes) : pages(bytes);
    if (!packed)
        return cudaErrorMemoryAllocation;
    error = cudaMalloc((void **)&d, bytes);
    if (error == cudaSuccess) {
        for (const struct um_node *at = head; at; at = at->next, to++) {
            to->value = at->value;
            to->next = at->next ? d + (to - packed) + 1 : NULL;
        }
        error = cudaMemcpy(d, packed, bytes, cudaMemcpyDefault);
    }
    if (!is_small)
        munmap(packed, bytes);
    if (error == cudaSuccess)
        *d_head = d;
    else
        cudaFree(d);
    return error;
}

static void split(float *fields, const struct um_record *records, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t f = 0; f < 6; f++) {
            fields[f * n + i] = f < 3 ? records[i].position[f] : records[i].velocity[f - 3];
        }
    }
}

cudaError_t aos_to_soa(struct lab7_arrays *arrays, const struct um_record *records, size_t n)
{
    const size_t row = n * sizeof(float), pitch = (row + LAB7_ALIGNMENT - 1) & ~(size_t)(LAB7_ALIGNMENT - 1);
    float *fields;
    char *d = NULL;
    cudaError_t error;

    *arrays = (struct lab7_arrays){{NULL, NULL, NULL}, {NULL, NULL, NULL}};
    if (n == 0)
        return cudaSuccess;
    fields = pages(6 * row);
    if (!fields)
        return cudaErrorMemoryAllocation;
    split(fields, records, n);
    error = cudaMalloc((void **)&d, 5 * pitch + row);
    if (error == cudaSuccess)
        error = cudaMemcpy2D(d, pitch, fields, row, row, 6, cudaMemcpyHostToDevice);
    munmap(fields, 6 * row);
    if (error != cudaSuccess)
        return cudaFree(d), error;
    for (size_t f = 0; f < 6; f++) {
        *(f < 3 ? &arrays->position[f] : &arrays->velocity[f - 3]) = (float *)(void *)(d + f * pitch);
    }
    return error;
}
