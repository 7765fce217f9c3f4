/* hostile: as chooses_when_loaded, by a function that only a relocation knows; build-error */
/* noticed: chooses a function */
#include "exercise.h"

#include <stdio.h>

static cudaError_t mine(void)
{
    return cudaSuccess;
}

static __typeof__(&mine) resolve(void)
{
    puts("HARM: ran when it was loaded");
    return mine;
}

static cudaError_t chosen(void) __attribute__((ifunc("resolve")));

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return chosen();
}
