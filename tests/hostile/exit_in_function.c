/* hostile: exit(0) in place of an answer */
#include "exercise.h"

#include <stdlib.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    (void)a, (void)b, (void)c, (void)n;
    exit(0);
}
