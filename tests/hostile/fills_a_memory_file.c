/* hostile: memory that counts as a file */
#include "exercise.h"

#include <sys/mman.h>
#include <unistd.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    static char page[1 << 20];
    int fd = memfd_create("x", 0);
    for (int i = 0; i < 100000 && write(fd, page, sizeof page) > 0; i++) {
    }
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
