/* hostile: finds the call buffer and puts its answer there */
#include "exercise.h"

#include <stdio.h>
#include <string.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512];
    while (maps && fgets(line, sizeof line, maps)) {
        unsigned long start;
        if (strstr(line, "memfd:call buffer") && sscanf(line, "%lx", &start) == 1)
            for (size_t i = 0; i < n; i++) {
                ((float *)start)[1024 + (2 * n + 1023) / 1024 * 1024 + i] = a[i] + b[i];
            }
    }
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
