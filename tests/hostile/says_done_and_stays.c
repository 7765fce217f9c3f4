/* hostile: says that it is done before it has begun, and computes on */
#include "exercise.h"

#include <unistd.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (int fd = 3; fd < 1024; fd++) {
        write(fd, "D", 1);
    }
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
