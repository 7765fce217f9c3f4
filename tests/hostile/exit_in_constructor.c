/* hostile: ends the process well before anything is asked; build-error */
/* noticed: a constructor */
#include "exercise.h"

#include <unistd.h>

__attribute__((constructor)) static void leave(void)
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
