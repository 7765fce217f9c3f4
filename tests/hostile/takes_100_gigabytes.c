/* hostile: 100 GB of heap, touched */
#include "exercise.h"

#include <stdlib.h>
#include <string.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (int i = 0; i < 100; i++) {
        char *p = malloc((size_t)1 << 30);
        if (p)
            memset(p, 1, (size_t)1 << 30);
    }
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
