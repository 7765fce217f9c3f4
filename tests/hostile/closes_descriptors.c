/* hostile: closes all descriptors */
#include "exercise.h"

#include <unistd.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (int fd = 0; fd < 1024; fd++) {
        close(fd);
    }
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
