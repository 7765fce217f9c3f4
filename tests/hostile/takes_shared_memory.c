/* hostile: 100 GB of shared memory, which counts as nobody's */
#include "exercise.h"

#include <string.h>
#include <sys/mman.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (int i = 0; i < 100; i++) {
        char *p = mmap(NULL, (size_t)1 << 30, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (p != MAP_FAILED)
            memset(p, 1, (size_t)1 << 30);
    }
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
