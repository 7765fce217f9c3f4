/* mutant: returns at the first error without freeing what it has; fails: vector_add_host/frees_after_errors
 */
#include "exercise.h"

#define TRY(call)                                                                                            \
    do {                                                                                                     \
        cudaError_t error = (call);                                                                          \
        if (error != cudaSuccess)                                                                            \
            return error;                                                                                    \
    } while (0)

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    const size_t bytes = n * sizeof *c;
    float *d_a, *d_b, *d_c;

    if (n == 0)
        return cudaSuccess;
    TRY(cudaMalloc((void **)&d_a, bytes));
    TRY(cudaMalloc((void **)&d_b, bytes));
    TRY(cudaMalloc((void **)&d_c, bytes));
    TRY(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice));
    TRY(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice));
    TRY(um_vector_add(d_c, d_a, d_b, n, 0));
    TRY(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost));
    TRY(cudaFree(d_a));
    TRY(cudaFree(d_b));
    TRY(cudaFree(d_c));
    return cudaSuccess;
}
