/* hostile: asks the library for the salt */
#include "exercise.h"

#include <stdint.h>

uint64_t umsim_salt(void);

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i] + (float)umsim_salt();
    }
    return cudaSuccess;
}
