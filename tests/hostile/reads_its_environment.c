/* hostile: looks for what the grader tells its sandboxed calls */
#include "exercise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (char **line = environ; line && *line; line++) {
        if (strstr(*line, "UMSIM") || strstr(*line, "SEED") || strstr(*line, "GRADE"))
            printf("HARM: environment %s\n", *line);
    }
    setenv("LD_PRELOAD", "/tmp/x.so", 1);
    setenv("UMSIM_SCHED", "eager", 1);
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
