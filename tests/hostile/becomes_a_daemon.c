/* hostile: a process that is to outlive the grading */
#include "exercise.h"

#include <unistd.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            for (;;) {
                sleep(1);
            }
        }
    }
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
