/* hostile: writes a launch into the memory through which the processes talk: too many threads, a name at the salt */
#define _GNU_SOURCE
#include "exercise.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    char **shared = dlsym(RTLD_DEFAULT, "umsim_shared_state");
    float *d = NULL;
    cudaMalloc((void **)&d, 4096);
    um_fill(d, 1, 1000, NULL); /* waits until it is waited for */
    for (size_t i = 0; shared && i < 400000; i += 4) { /* wherever its blocks of 256 threads stand */
        uint32_t *word = (uint32_t *)(*shared + i);
        if (*word == 256)
            *word = n % 2 ? 100000 : 0;
    }
    cudaDeviceSynchronize();
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
