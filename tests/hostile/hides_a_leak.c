/* hostile: says that what it leaks was freed */
/* noticed: the GPU was told what no library would tell it */
#include "exercise.h"
#include "inside.h"

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    void (*released)(unsigned, uint64_t);
    float *d = NULL;
    if (n == 0)
        return cudaErrorInvalidValue;
    *(void **)&released = aim("umsim_ledger_released");
    cudaMalloc((void **)&d, 12 * n);
    cudaMemcpy(d, a, 4 * n, cudaMemcpyHostToDevice);
    cudaMemcpy(d + n, b, 4 * n, cudaMemcpyHostToDevice);
    um_vector_add(d + 2 * n, d, d + n, n, NULL);
    cudaMemcpy(c, d + 2 * n, 4 * n, cudaMemcpyDeviceToHost);
    if (released)
        released(0, 12 * n);
    return cudaSuccess;
}
