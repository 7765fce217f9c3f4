/* fair: errors are handled by longjmp, and each copy says cudaMemcpyDefault */
#include <setjmp.h>

#include "exercise.h"

struct guard {
    jmp_buf back;
    cudaError_t volatile error;
    float *volatile d[3];
};

static void need(struct guard *guard, cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    guard->error = error;
    longjmp(guard->back, 1);
}

static void get(struct guard *guard, int i, size_t bytes)
{
    void *p = NULL;

    need(guard, cudaMalloc(&p, bytes));
    guard->d[i] = p;
}

static cudaError_t leave(struct guard *guard)
{
    for (int i = 0; i < 3; i++) {
        cudaFree(guard->d[i]);
    }
    return guard->error;
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    struct guard guard = {.error = cudaSuccess};
    const size_t bytes = n * sizeof *c;

    if (n == 0)
        return cudaSuccess;
    if (setjmp(guard.back) == 0) {
        for (int i = 0; i < 3; i++) {
            get(&guard, i, bytes);
        }
        need(&guard, cudaMemcpy(guard.d[0], a, bytes, cudaMemcpyDefault));
        need(&guard, cudaMemcpy(guard.d[1], b, bytes, cudaMemcpyDefault));
        need(&guard, um_vector_add(guard.d[2], guard.d[0], guard.d[1], n, 0));
        need(&guard, cudaMemcpy(c, guard.d[2], bytes, cudaMemcpyDefault));
    }
    return leave(&guard);
}

cudaError_t saxpy_chain(float *y, float factor, const float *x, size_t n, unsigned k)
{
    struct guard guard = {.error = cudaSuccess};

    if (setjmp(guard.back) == 0) {
        get(&guard, 0, n * sizeof *y);
        get(&guard, 1, n * sizeof *x);
        need(&guard, cudaMemcpy(guard.d[0], y, n * sizeof *y, cudaMemcpyDefault));
        need(&guard, cudaMemcpy(guard.d[1], x, n * sizeof *x, cudaMemcpyDefault));
        for (unsigned i = 0; i < k; i++) {
            need(&guard, um_saxpy(guard.d[0], factor, guard.d[1], n, 0));
        }
        need(&guard, cudaMemcpy(y, guard.d[0], n * sizeof *y, cudaMemcpyDefault));
    }
    return leave(&guard);
}
