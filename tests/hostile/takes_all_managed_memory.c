/* hostile: managed memory without end, touched */
#include "exercise.h"

#include <string.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    char *p;
    while (cudaMallocManaged((void **)&p, (size_t)256 << 20, cudaMemAttachGlobal) == cudaSuccess) {
        memset(p, 1, (size_t)256 << 20);
    }
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
