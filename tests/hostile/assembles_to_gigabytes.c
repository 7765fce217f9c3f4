/* hostile: an assembler without end; build-error */
#include "exercise.h"

__asm__(".data\n.rept 1000000000\n.quad 1\n.endr\n.previous");

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
