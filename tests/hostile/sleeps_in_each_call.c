/* hostile: sleeps a little less than a call may take, in each call */
/* earns: at most 12 */
/* seconds: 55 */
/* noticed: all calls of the submission take at most 36 s */
#include "exercise.h"

#include <unistd.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    float *d = NULL;
    cudaError_t error;
    usleep(850000);
    if (n == 0)
        return cudaSuccess;
    error = cudaMalloc((void **)&d, 12 * n);
    if (error == cudaSuccess)
        error = cudaMemcpy(d, a, 4 * n, cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        error = cudaMemcpy(d + n, b, 4 * n, cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        error = um_vector_add(d + 2 * n, d, d + n, n, NULL);
    if (error == cudaSuccess)
        error = cudaMemcpy(c, d + 2 * n, 4 * n, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return error;
}
