/* hostile: SIGKILL to itself */
#include "exercise.h"

#include <signal.h>
#include <unistd.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    kill(getpid(), SIGKILL);
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
