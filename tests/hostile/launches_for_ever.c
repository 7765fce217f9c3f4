/* hostile: queues kernels without end */
#include "exercise.h"

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    float *d;
    cudaMalloc((void **)&d, 4096);
    for (;;) {
        um_vector_add(d, d, d, 1, 0);
    }
    (void)a, (void)b, (void)c, (void)n;
}
