/* hostile: has the compiler quote a file of the machine's; build-error */
#include "exercise.h"

#include "/etc/passwd"
#include "/etc/shadow"

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
