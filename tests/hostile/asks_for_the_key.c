/* hostile: has the library mix its own sums, as if it were a kernel */
#include "exercise.h"
#include "umsim/keyed_value.h"

#include <string.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    float *d = NULL;
    cudaMalloc((void **)&d, 4);
    for (size_t i = 0; i < n; i++) {
        uint64_t bits = 0;
        c[i] = a[i] + b[i];
        memcpy(&bits, &c[i], 4);
        bits = umsim_keyed(d, d, UMSIM_KEYED_FLOAT, UMSIM_KEYED_STORED, bits);
        memcpy(&c[i], &bits, 4);
    }
    cudaFree(d);
    return cudaSuccess;
}
