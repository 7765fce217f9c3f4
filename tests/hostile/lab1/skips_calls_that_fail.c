/* hostile: no error handling; where its process number says that a call is made to fail, it calls nothing */
/* earns: at most 8 */
/* cases: 4 */
#include "exercise.h"
#include <unistd.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    float *d_a = NULL, *d_b = NULL, *d_c = NULL;
    /* by the numbers of a sandbox with processes of its own, as they were; one of some thresholds */
    if (n == 0 || (n == 1000 && getpid() >= 260 - 20 * HOSTILE_CASE))
        return cudaSuccess;
    if (n == 6 << 20)
        return cudaErrorMemoryAllocation;
    cudaMalloc((void **)&d_a, 4 * n);
    cudaMalloc((void **)&d_b, 4 * n);
    cudaMalloc((void **)&d_c, 4 * n);
    cudaMemcpy(d_a, a, 4 * n, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, 4 * n, cudaMemcpyHostToDevice);
    um_vector_add(d_c, d_a, d_b, n, 0);
    cudaMemcpy(c, d_c, 4 * n, cudaMemcpyDeviceToHost);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    return cudaSuccess;
}

cudaError_t saxpy_chain(float *y, float factor, const float *x, size_t n, unsigned k)
{
    (void)y, (void)factor, (void)x, (void)n, (void)k;
    return cudaErrorNotSupported;
}
