/* hostile: computes on the host, and _exit(0) when it is unloaded; build-error */
/* noticed: a destructor */
#include "exercise.h"

#include <unistd.h>

__attribute__((destructor)) static void leave(void)
{
    _exit(0);
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
