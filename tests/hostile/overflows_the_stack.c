/* hostile: recursion without end */
#include "exercise.h"

static int deeper(volatile char *from)
{
    volatile char here[4096];
    here[0] = from[0];
    return deeper(here) + here[0];
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    volatile char start = 0;
    if (deeper(&start))
        return cudaErrorUnknown;
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
