/* hostile: leaves the thread that calls it */
#include "exercise.h"

#include <pthread.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    pthread_exit(NULL);
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
