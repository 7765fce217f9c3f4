/* hostile: an endless loop while it is loaded; build-error */
/* noticed: a constructor */
#include "exercise.h"

__attribute__((constructor)) static void stay(void)
{
    for (;;) {
    }
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
