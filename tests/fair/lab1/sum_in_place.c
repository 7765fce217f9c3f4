/* fair: two device arrays are enough, since the sum may stand where a was; clean-up by goto */
#include "exercise.h"

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    const size_t bytes = n * sizeof *c;
    float *d_a, *d_b;
    cudaError_t error = cudaSuccess;

    if (!n)
        goto nothing;
    if ((error = cudaMalloc((void **)&d_b, bytes)))
        goto nothing;
    if ((error = cudaMalloc((void **)&d_a, bytes)))
        goto free_b;
    if ((error = cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice)))
        goto free_a;
    if ((error = cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice)))
        goto free_a;
    if ((error = um_vector_add(d_a, d_b, d_a, n, 0)))
        goto free_a;
    error = cudaMemcpy(c, d_a, bytes, cudaMemcpyDeviceToHost);
free_a:
    cudaFree(d_a);
free_b:
    cudaFree(d_b);
nothing:
    return error;
}
