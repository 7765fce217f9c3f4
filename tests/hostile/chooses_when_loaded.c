/* hostile: a function that is chosen when the library is loaded, by code of its own; build-error */
/* noticed: chooses */
#include "exercise.h"

#include <stdio.h>

static cudaError_t mine(float *c, const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}

static __typeof__(&vector_add_host) resolve(void)
{
    puts("HARM: ran when it was loaded");
    return mine;
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
    __attribute__((ifunc("resolve")));
