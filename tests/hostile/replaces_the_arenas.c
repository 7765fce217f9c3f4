/* hostile: maps memory of its own over the simulator's */
#include "exercise.h"

#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (uintptr_t at = 0x7a0000000000; at < 0x7d0000000000; at += (uintptr_t)1 << 40) {
        if (mmap((void *)at, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
                 0) != MAP_FAILED ||
            munmap((void *)at, 1 << 20) == 0)
            puts("HARM: replaced an arena");
    }
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
