/* hostile: an endless loop */
#include "exercise.h"

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    (void)a, (void)b, (void)c, (void)n;
    for (;;) {
    }
}
