/* hostile: output without end */
#include "exercise.h"

#include <stdio.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (;;) {
        puts("all tests passed");
    }
    (void)a, (void)b, (void)c, (void)n;
}
