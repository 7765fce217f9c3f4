/**
 * @file exercise.c
 * @brief The right answer to the grader's own exercise.
 */
#include "exercise.h"

#include <stdlib.h>
#include <string.h>

struct arrays {
    float *pinned, *managed, *device, *sum, *own;
};

static cudaError_t get(struct arrays *x, size_t bytes)
{
    cudaError_t error = cudaMallocHost((void **)&x->pinned, bytes);
    x->own = malloc(3 * bytes);
    if (!x->own)
        return cudaErrorMemoryAllocation;
    if (!error)
        error = cudaMallocManaged((void **)&x->managed, bytes, cudaMemAttachGlobal);
    if (!error)
        error = cudaMalloc((void **)&x->device, bytes);
    if (!error)
        error = cudaMalloc((void **)&x->sum, bytes);
    return error;
}

static cudaError_t add(const struct arrays *x, float *c, const float *a, const float *b, size_t n)
{
    const size_t bytes = n * sizeof(float);
    memset(x->own, 1, 3 * bytes);
    memcpy(x->pinned, a, bytes);
    memcpy(x->managed, b, bytes);
    cudaError_t error = cudaMemcpy(x->device, x->pinned, bytes, cudaMemcpyDefault);
    if (!error)
        error = um_vector_add(x->sum, x->device, x->managed, n, NULL);
    if (!error)
        error = cudaMemcpy(x->pinned, x->sum, bytes, cudaMemcpyDefault);
    if (!error)
        memcpy(c, x->pinned, bytes);
    return error;
}

cudaError_t um_canary_add(float *c, const float *a, const float *b, size_t n)
{
    struct arrays x = {0};
    cudaError_t error = get(&x, n * sizeof(float));
    if (!error)
        error = add(&x, c, a, b, n);
    free(x.own);
    cudaFreeHost(x.pinned);
    cudaFree(x.managed);
    cudaFree(x.device);
    cudaFree(x.sum);
    return error;
}
