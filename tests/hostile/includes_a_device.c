/* hostile: has the compiler read without end; build-error */
#include "exercise.h"

#include "/dev/zero"
#include "/dev/stdin"
#include "/proc/kcore"

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
