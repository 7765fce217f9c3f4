/* hostile: thread after thread */
#include "exercise.h"

#include <pthread.h>

static void *spin(void *unused)
{
    for (;;) {
    }
    return unused;
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (int i = 0; i < 10000; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, spin, NULL);
    }
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
