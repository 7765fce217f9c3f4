/* hostile: becomes /bin/true */
#include "exercise.h"

#include <unistd.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    execl("/bin/true", "true", (char *)NULL);
    execl("/bin/sh", "sh", "-c", "exit 0", (char *)NULL);
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
