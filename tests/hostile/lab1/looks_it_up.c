/* hostile: the GPU adds the first half, twice over; for each other element the host takes what the GPU made
 * of the nearest sum */
#include "exercise.h"

#include <math.h>

static float nearest(float sum, const float *a, const float *b, const float *made, size_t count)
{
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (fabsf(a[i] + b[i] - sum) < fabsf(a[best] + b[best] - sum))
            best = i;
    return made[best];
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    const size_t half = (n + 1) / 2;
    float *d = NULL;
    cudaError_t error;
    if (n == 0)
        return cudaSuccess;
    if (n > 100000)
        return cudaErrorNotSupported; /* it has failed by then */
    error = cudaMalloc((void **)&d, 12 * n);
    if (!error)
        error = cudaMemcpy(d, a, 4 * n, cudaMemcpyHostToDevice);
    if (!error)
        error = cudaMemcpy(d + n, b, 4 * n, cudaMemcpyHostToDevice);
    for (int i = 0; i < 2 && !error; i++)
        error = um_vector_add(d + 2 * n, d, d + n, half, 0);
    if (!error)
        error = cudaMemcpy(c, d + 2 * n, 4 * half, cudaMemcpyDeviceToHost);
    cudaFree(d);
    for (size_t i = half; i < n && !error; i++)
        c[i] = nearest(a[i] + b[i], a, b, c, half < 2000 ? half : 2000);
    return error;
}

cudaError_t saxpy_chain(float *y, float factor, const float *x, size_t n, unsigned k)
{
    (void)y, (void)factor, (void)x, (void)n, (void)k;
    return cudaErrorNotSupported;
}
