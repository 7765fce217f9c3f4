/* fair: an allocator of its own over one cudaMalloc; steps are a table of functions; the chain is a recursion
 */
#include <stdint.h>

#include "exercise.h"

#define ALIGNMENT 256

struct arena {
    char *base;
    size_t used;
};

static void *take(struct arena *arena, size_t bytes)
{
    void *p = arena->base + arena->used;

    arena->used += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return p;
}

struct state {
    float *c, *d_c, *d_a, *d_b;
    const float *a, *b;
    size_t n;
};

static cudaError_t send_a(struct state *s)
{
    return cudaMemcpy(s->d_a, s->a, s->n * sizeof *s->a, cudaMemcpyHostToDevice);
}

static cudaError_t send_b(struct state *s)
{
    return cudaMemcpy(s->d_b, s->b, s->n * sizeof *s->b, cudaMemcpyHostToDevice);
}

static cudaError_t add(struct state *s)
{
    return um_vector_add(s->d_c, s->d_a, s->d_b, s->n, cudaStreamLegacy);
}

static cudaError_t fetch(struct state *s)
{
    return cudaMemcpy(s->c, s->d_c, s->n * sizeof *s->c, cudaMemcpyDeviceToHost);
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    static cudaError_t (*const step[])(struct state *) = {send_b, send_a, add, fetch};
    struct state state = {.c = c, .a = a, .b = b, .n = n};
    struct arena arena = {NULL, 0};
    cudaError_t error;

    if (n == 0)
        return cudaSuccess;
    error = cudaMalloc((void **)&arena.base, 3 * (n * sizeof *c + ALIGNMENT));
    if (error != cudaSuccess)
        return error;
    state.d_a = take(&arena, n * sizeof *a);
    state.d_b = take(&arena, n * sizeof *b);
    state.d_c = take(&arena, n * sizeof *c);
    for (size_t i = 0; i < sizeof step / sizeof *step && error == cudaSuccess; i++) {
        error = step[i](&state);
    }
    cudaFree(arena.base);
    return error;
}

static cudaError_t steps(float *d_y, float factor, const float *d_x, size_t n, unsigned k)
{
    cudaError_t error;

    if (k == 0)
        return cudaSuccess;
    error = steps(d_y, factor, d_x, n, k / 2);
    if (error == cudaSuccess)
        error = um_saxpy(d_y, factor, d_x, n, 0);
    return error == cudaSuccess ? steps(d_y, factor, d_x, n, k - k / 2 - 1) : error;
}

cudaError_t saxpy_chain(float *y, float factor, const float *x, size_t n, unsigned k)
{
    float *d = NULL;
    cudaError_t error = cudaMalloc((void **)&d, 2 * n * sizeof *y);

    if (error != cudaSuccess)
        return error;
    error = cudaMemcpy(d, y, n * sizeof *y, cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        error = cudaMemcpy(d + n, x, n * sizeof *x, cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        error = steps(d, factor, d + n, n, k);
    if (error == cudaSuccess)
        error = cudaMemcpy(y, d, n * sizeof *y, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return error;
}
