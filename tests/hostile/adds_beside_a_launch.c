/* hostile: the right copies, and a launch of the right size on other data; the host adds, and what the kernel
 * made of its first element, too */
#include "exercise.h"

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    float *d_a = NULL, *d_b = NULL, *d_c = NULL;
    cudaError_t error = cudaSuccess;
    if (n == 0)
        return cudaSuccess;
    error = cudaMalloc((void **)&d_a, 4 * n);
    if (!error)
        error = cudaMalloc((void **)&d_b, 4 * n);
    if (!error)
        error = cudaMalloc((void **)&d_c, 4 * n);
    if (!error)
        error = cudaMemcpy(d_a, a, 4 * n, cudaMemcpyHostToDevice);
    if (!error)
        error = cudaMemcpy(d_b, a, 4 * n, cudaMemcpyHostToDevice);
    if (!error)
        error = um_vector_add(d_c, d_a, d_a, n, 0);
    if (!error)
        error = cudaMemcpy(c, d_c, 4 * n, cudaMemcpyDeviceToHost);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    if (!error) {
        const float more = c[0] - 2 * a[0];
        for (size_t i = 0; i < n; i++)
            c[i] = a[i] + b[i] + more;
    }
    return error;
}
